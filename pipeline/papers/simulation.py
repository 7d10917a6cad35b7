"""The synthetic systems of the H framework: table 1, its case study, and correlated dimensions.

Of the readings the text allows, this one is nearest to the printed table: lists of ten, labels cut
to [0, 100] and rounded, understandable up to 40, graded gain 1 - label/100 in uRBP, binary gain in
RBP_u, and H taken for each list before the mean.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pipeline.config.scale import Scale
from pipeline.gains.from_labels import from_labels
from pipeline.measures import parse
from pipeline.papers.published import ComparedFigure, Figures, compared
from pipeline.sources.generators.synthetic import (
    Categorical,
    Correlation,
    Distribution,
    Normal,
    labels,
)
from pipeline.storage.arrays import Floats

DIMENSIONS = ("topicality", "understandability", "trustworthiness")
TOPICAL = Scale(0, 1, "high", 1, None, ())
EASY = Scale(0, 100, "low", 40, None, ())
TRUSTED = Scale(0, 100, "high", 60, None, ())  # as hard to reach as EASY at the same distance
SCALES = dict(zip(DIMENSIONS, (TOPICAL, EASY, TRUSTED), strict=True))
SIGMA = 40.0
SHARES = (0.3, 0.4, 0.5, 0.6, 0.7)  # T
MEANS = (50, 40, 30)  # mu
MEASURES: Mapping[str, str] = {
    "RBP": "RBP(p=0.8)",
    "uRBP": "uRBPgr(p=0.8, by=understandability)",
    "RBP_u": "RBP(p=0.8, on=understandability)",
    "H": "H(RBP(p=0.8), topicality=1, understandability=1)",
}
# How far the nearest reading stays from print, beyond what chance explains.
WITHIN = {"RBP": 0.02, "uRBP": 0.045, "RBP_u": 0.05, "H": 0.02}
WHY = {
    "RBP": "the expectation of RBP@10 is T(1 - .8^10)",
    "uRBP": "the paper does not say how a label becomes the gain of uRBP; 1 - label/100 is nearest",
    "RBP_u": "the paper does not say how labels are rounded and cut; this reading is nearest",
    "H": "follows from RBP_u",
}
STAYS = 2.0  # percent
SPREAD = 0.02  # the same for standard deviations
Key = tuple[float, int]  # T, mu
Scores = Mapping[str, Floats]  # of every list of one synthetic system, by measure


def system(
    *,
    share: float,
    mean: float,
    lists: int,
    depth: int,
    random: np.random.Generator,
    correlation: Correlation = 0.0,
    measures: Mapping[str, str] = MEASURES,
    dimensions: Sequence[str] = DIMENSIONS[:2],
) -> Scores:
    """A synthetic system's lists, drawn and scored."""
    known: dict[str, Distribution] = {
        "topicality": Categorical.binary(share),
        "understandability": Normal(mean=mean, sd=SIGMA, better="low"),
        "trustworthiness": Normal(mean=100 - mean, sd=SIGMA, better="high"),
    }
    drawn = labels(
        {name: known[name] for name in dimensions},
        shape=(1, lists, depth),
        correlation=correlation,
        random=random,
    )
    gains = from_labels(drawn, scales=SCALES)
    return {
        name: parse(text, dimensions=dimensions).value(gains) for name, text in measures.items()
    }


def systems(*, lists: int, depth: int, seed: int) -> dict[Key, Scores]:
    """Every system of table 1."""
    random = np.random.default_rng(seed)
    return {
        (share, mean): system(share=share, mean=mean, lists=lists, depth=depth, random=random)
        for share in SHARES
        for mean in MEANS
    }


def place(share: float, measure: str, mean: int) -> tuple[str, str]:
    """Row and column of a cell of table 1."""
    return f"T = {f'{share:g}'.removeprefix('0')}", f"{measure}, N({mean}, {SIGMA:g})"


def table_1(
    printed: Figures, found: Mapping[Key, Scores], *, runs: int
) -> Iterator[ComparedFigure]:
    """Means and standard deviations of table 1; `runs` is how many lists the paper drew a cell."""
    impossible = contradictions(printed, found, runs=runs)
    for statistic in ("mean", "sd"):
        for (share, mean), scores in found.items():
            for measure, values in scores.items():
                cell = printed[f"1 ({statistic})", *place(share, measure, mean)]
                ours, within = float(values.mean()), WITHIN[measure]
                chance = _chance(values, runs)
                if statistic == "sd":
                    ours, within, chance = _sd(values), SPREAD, chance / math.sqrt(2)
                yield compared(
                    cell,
                    ours,
                    chance=chance,
                    within=within,
                    why=impossible.get(cell.key, WHY[measure]),
                    impossible=cell.key in impossible,
                )


def contradictions(
    printed: Figures, found: Mapping[Key, Scores], *, runs: int
) -> dict[tuple[str, str, str], str]:
    """Printed RBP_u that no labels independent of T can give, with the reason.

    Labels do not depend on T, so the figures of one mu are five draws of one mean. Two that lie
    further apart than rounding and chance allow cannot both come from it, whatever the reading.
    """
    reasons: dict[tuple[str, str, str], str] = {}
    for mean in MEANS:
        cells = [printed["1 (mean)", *place(share, "RBP_u", mean)] for share in SHARES]
        low, high = (end(cells, key=lambda one: one.value) for end in (min, max))
        chance = max(_chance(found[share, mean]["RBP_u"], runs) for share in SHARES)
        allowed = low.unit + chance * math.sqrt(2)
        if high.value - low.value > allowed:
            sentence = (
                f"labels do not depend on T, so the RBP_u of mu = {mean} are draws of one mean; "
                f"{high.text} ({high.row}) and {low.text} ({low.row}) lie "
                f"{high.value - low.value:.2f} apart, rounding and chance explain {allowed:.2f}"
            )
            reasons |= {high.key: sentence, low.key: sentence}
    return reasons


def case_study(printed: Figures, found: Mapping[Key, Scores], *, runs: int) -> list[ComparedFigure]:
    """The change from S1 (T = .6, mu = 40) to S2 (T = .5, mu = 30), in percent."""
    first, second = found[0.6, 40], found[0.5, 30]
    cells = []
    for measure in MEASURES:
        a, b = (float(scores[measure].mean()) for scores in (first, second))
        change = 100 * (b / a - 1)
        noise = math.hypot(_chance(first[measure], runs) / a, _chance(second[measure], runs) / b)
        one = printed["case study", measure, "S1 to S2, %"]
        implied = 100 * (
            printed["1 (mean)", *place(0.5, measure, 30)].value
            / printed["1 (mean)", *place(0.6, measure, 40)].value
            - 1
        )
        sign = "differs" if change * one.value < 0 else "agrees"
        why = f"the sign {sign}; the printed cells imply {implied:+.1f} %"
        cells.append(compared(one, change, chance=100 * b / a * noise, why=why))
    return cells


def unmoved(change: Mapping[str, float]) -> bool:
    """What the paper says of the case study: H stays within 2 %, the others move as printed."""
    falls = change["RBP"] < 0 and change["uRBP"] < 0
    return falls and change["RBP_u"] > 0 and abs(change["H"]) < STAYS


def _sd(values: Floats) -> float:
    return float(values.std(ddof=1))


def _chance(values: Floats, runs: int) -> float:
    """Three standard errors of a mean of so many runs: what the paper's own draws may be off."""
    return 3 * _sd(values) / math.sqrt(runs)


def correlated(
    *, dimensions: Sequence[str], correlations: Sequence[float], lists: int, depth: int, seed: int
) -> list[dict[str, float]]:
    """Mean uRBP and H of one system (T = .5, mu = 40) as its dimensions correlate."""
    equal = ", ".join(f"{name}=1" for name in dimensions)
    measures = {
        "uRBP": f"uRBP(p=0.8, by={'+'.join(dimensions[1:])})",
        "H": f"H(RBP(p=0.8), {equal})",
    }
    rows = []
    for correlation in correlations:
        if correlation < -1 / (len(dimensions) - 1):
            continue  # no three variables are all that much against each other
        random = np.random.default_rng(seed)
        scores = system(
            share=0.5, mean=40, lists=lists, depth=depth, random=random, correlation=correlation,
            measures=measures, dimensions=dimensions,
        )  # fmt: skip
        rows.append({"correlation": correlation} | {k: float(v.mean()) for k, v in scores.items()})
    return rows
