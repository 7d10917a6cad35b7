"""The synthetic systems of the H framework: table 1, its case study, and correlated dimensions.

The paper does not state some details. This interpretation is the nearest to the printed table:
rankings of ten, labels clipped to [0, 100] and rounded, understandable up to 40, graded gain
1 - label/100 in uRBP, binary gain in RBP_u, and H per ranking before the mean.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pipeline.config.scale import Scale
from pipeline.gains.from_labels import from_labels
from pipeline.measures import parse
from pipeline.papers.published import ComparedFigure, Figures, compared
from pipeline.sources.generators import synthetic
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
# Largest deviation of this interpretation from the printed figures, beyond the sampling error.
WITHIN = {"RBP": 0.02, "uRBP": 0.045, "RBP_u": 0.05, "H": 0.02}
WHY = {
    "RBP": "the expectation of RBP@10 is T(1 - .8^10)",
    "uRBP": "the paper does not say how a label becomes the gain of uRBP; 1 - label/100 is nearest",
    "RBP_u": "the paper does not say how labels are rounded and clipped; this way is nearest",
    "H": "follows from RBP_u",
}
STAYS = 2.0  # percent
SPREAD = 0.02  # the same for standard deviations
Key = tuple[float, int]  # T, mu
Scores = Mapping[str, Floats]  # by measure, of all rankings of a synthetic system
Systems = Mapping[Key, Scores]
Reasons = dict[tuple[str, str, str], str]  # by table, row and column


def system(
    *,
    share: float,
    mean: float,
    lists: int,
    depth: int,
    random: np.random.Generator,
    correlation: synthetic.Correlation = 0.0,
    measures: Mapping[str, str] = MEASURES,
    dimensions: Sequence[str] = DIMENSIONS[:2],
) -> Scores:
    """The scores of the random rankings of a synthetic system."""
    distributions: dict[str, synthetic.Distribution] = {
        "topicality": synthetic.Categorical.binary(share),
        "understandability": synthetic.Normal(mean=mean, sd=SIGMA, better="low"),
        "trustworthiness": synthetic.Normal(mean=100 - mean, sd=SIGMA, better="high"),
    }
    drawn_labels = synthetic.labels(
        {name: distributions[name] for name in dimensions},
        shape=(1, lists, depth),
        correlation=correlation,
        random=random,
    )
    gains = from_labels(drawn_labels, scales=SCALES)
    return {key: parse(text, dimensions=dimensions).value(gains) for key, text in measures.items()}


def systems(*, lists: int, depth: int, seed: int) -> dict[Key, Scores]:
    """The scores of all systems of table 1."""
    random = np.random.default_rng(seed)
    return {
        (share, mean): system(share=share, mean=mean, lists=lists, depth=depth, random=random)
        for share in SHARES
        for mean in MEANS
    }


def place(share: float, measure: str, mean: int) -> tuple[str, str]:
    """Row and column of a cell of table 1."""
    return f"T = {f'{share:g}'.removeprefix('0')}", f"{measure}, N({mean}, {SIGMA:g})"


def table_1(printed: Figures, scored: Systems, *, runs: int) -> Iterator[ComparedFigure]:
    """Means and standard deviations of table 1; the paper has `runs` rankings per cell."""
    impossible = contradictions(printed, scored, runs=runs)
    for statistic in ("mean", "sd"):
        for (share, mean), scores in scored.items():
            for measure, values in scores.items():
                cell = printed[f"1 ({statistic})", *place(share, measure, mean)]
                ours, within = float(values.mean()), WITHIN[measure]
                chance = _chance(values, runs)
                if statistic == "sd":
                    ours, within, chance = _sd(values), SPREAD, chance / math.sqrt(2)
                why, flawed = impossible.get(cell.key, WHY[measure]), cell.key in impossible
                yield compared(cell, ours, chance=chance, within=within, why=why, impossible=flawed)


def contradictions(printed: Figures, scored: Systems, *, runs: int) -> Reasons:
    """Printed RBP_u that are impossible if labels are independent of T, with the reason.

    Labels do not depend on T, so the figures of one mu are five samples of the same mean. Two that
    differ by more than rounding and sampling error cannot both come from it.
    """
    reasons: Reasons = {}
    for mean in MEANS:
        cells = [printed["1 (mean)", *place(share, "RBP_u", mean)] for share in SHARES]
        low, high = (end(cells, key=lambda cell: cell.value) for end in (min, max))
        chance = max(_chance(scored[share, mean]["RBP_u"], runs) for share in SHARES)
        allowed = low.unit + chance * math.sqrt(2)
        if high.value - low.value > allowed:
            sentence = (
                f"labels do not depend on T, so the RBP_u of mu = {mean} have the same mean, but "
                f"{high.text} ({high.row}) and {low.text} ({low.row}) differ by "
                f"{high.value - low.value:.2f}; rounding and sampling error explain {allowed:.2f}"
            )
            reasons |= {high.key: sentence, low.key: sentence}
    return reasons


def case_study(printed: Figures, scored: Systems, *, runs: int) -> list[ComparedFigure]:
    """The change from S1 (T = .6, mu = 40) to S2 (T = .5, mu = 30), in percent."""
    first, second = scored[0.6, 40], scored[0.5, 30]
    cells = []
    for measure in MEASURES:
        a, b = (float(scores[measure].mean()) for scores in (first, second))
        change = 100 * (b / a - 1)
        noise = math.hypot(_chance(first[measure], runs) / a, _chance(second[measure], runs) / b)
        figure = printed["case study", measure, "S1 to S2, %"]
        s1 = printed["1 (mean)", *place(0.6, measure, 40)].value
        s2 = printed["1 (mean)", *place(0.5, measure, 30)].value
        sign = "differs" if change * figure.value < 0 else "agrees"
        why = f"the sign {sign}; the printed cells imply {100 * (s2 / s1 - 1):+.1f} %"
        cells.append(compared(figure, change, chance=100 * b / a * noise, why=why))
    return cells


def unmoved(change: Mapping[str, float]) -> bool:
    """Whether, as the paper claims, RBP and uRBP fall, RBP_u rises, and H stays within 2 %."""
    falls = change["RBP"] < 0 and change["uRBP"] < 0
    return falls and change["RBP_u"] > 0 and abs(change["H"]) < STAYS


def _sd(values: Floats) -> float:
    return float(values.std(ddof=1))


def _chance(values: Floats, runs: int) -> float:
    """Three standard errors of a mean over `runs` rankings: the paper's own sampling error."""
    return 3 * _sd(values) / math.sqrt(runs)


def correlated(
    *, dimensions: Sequence[str], correlations: Sequence[float], lists: int, depth: int, seed: int
) -> list[dict[str, float]]:
    """Mean uRBP and H of a system (T = .5, mu = 40) for different correlations."""
    measures = {
        "uRBP": f"uRBP(p=0.8, by={'+'.join(dimensions[1:])})",
        "H": f"H(RBP(p=0.8), {', '.join(f'{name}=1' for name in dimensions)})",
    }
    rows = []
    for correlation in correlations:
        if correlation < -1 / (len(dimensions) - 1):
            continue  # impossible: the matrix would not be positive semidefinite
        random = np.random.default_rng(seed)
        scores = system(
            share=0.5, mean=40, lists=lists, depth=depth, random=random, correlation=correlation,
            measures=measures, dimensions=dimensions,
        )  # fmt: skip
        rows.append({"correlation": correlation} | {k: float(v.mean()) for k, v in scores.items()})
    return rows
