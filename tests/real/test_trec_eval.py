"""Standard measures as the campaigns published them, and as tools we did not write compute them.

Every official trec_eval figure of every run at hand, topic by topic and over all topics, to the
printed four decimals; then pytrec_eval (trec_eval's own code) and ir_measures to the last bit.
"""

import gzip
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

import ir_measures
import numpy as np
import pytest
import pytrec_eval

from pipeline.config.scale import Scale
from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.labels import tables as labels
from pipeline.measures import parse
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies, run_name
from tests.builders import by_place, value, write_gains
from tests.real.conftest import CAMPAIGNS, Real
from tests.real.test_reader import plainly_read

pytestmark = pytest.mark.real

Find = Callable[[str], Real]
CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
OFFICIAL = {
    ("trec_eval", "map"): "AP",
    ("trec_eval", "gm_map"): "GMAP",
    ("trec_eval", "Rprec"): "Rprec",
    ("trec_eval", "bpref"): "Bpref",
    ("trec_eval", "recip_rank"): "RR",
    ("trec_eval", "num_ret"): "NumRet",
    ("trec_eval", "num_rel"): "NumRel",
    ("trec_eval", "num_rel_ret"): "NumRelRet",
    **{
        ("trec_eval", f"iprec_at_recall_{tenth / 10:.2f}"): f"IPrec(recall={tenth / 10})"
        for tenth in range(11)
    },
    **{("trec_eval", f"P_{k}"): f"P@{k}" for k in CUTS},
    **{("trec_eval-graded", f"ndcg_cut_{k}"): f"nDCG@{k}" for k in CUTS},
}
RUNS = {"clef2013": 42, "clef2015": 68}  # at hand, of 48 and 110
TOPICS = {"clef2013": 50, "clef2015": 66}


def published(path: Path) -> dict[tuple[str, str], dict[tuple[str, str], str]]:
    """(tool, measure) -> (run, topic or "all") -> the figure as printed."""
    found: defaultdict[tuple[str, str], dict[tuple[str, str], str]] = defaultdict(dict)
    with gzip.open(path, "rt") as lines:
        next(lines)
        for line in lines:
            run, tool, measure, topic, figure = line.rstrip("\n").split("\t")
            if tool.startswith("trec_eval"):
                found[tool, measure][run, topic] = figure
    return dict(found)


def printed(number: float, like: str) -> str:
    return f"{number:.4f}" if "." in like else f"{number:.0f}"


@pytest.mark.parametrize("campaign", RUNS)
def test_every_official_figure(
    real: Find, data: Path, campaign: str, record_property: Callable
) -> None:
    gains = real(campaign).gains
    official = published(data / campaign / "official.tsv.gz")
    assert set(official) == {*OFFICIAL, ("trec_eval", "num_q")}  # no published measure is left out
    assert len(gains.runs) == RUNS[campaign]
    by_topic, over_all, wrong = 0, 0, []
    for (tool, name), text in OFFICIAL.items():
        measure = parse(text, dimensions=["topicality"])
        values = measure.value(gains)
        ours = by_place(gains, values)
        ours |= dict(
            zip(((run, "all") for run in gains.runs), measure.overall(values, gains), strict=True)
        )
        for (run, topic), figure in official[tool, name].items():
            if run not in gains.runs:
                continue  # one of the runs that are not at hand
            if printed(ours[run, topic], figure) != figure:
                wrong.append((run, topic, name, figure, ours[run, topic]))
            by_topic += topic != "all"
            over_all += topic == "all"
    topics = {figure for (run, _), figure in official["trec_eval", "num_q"].items()}
    print(f"\n{campaign}: {by_topic} values by topic and {over_all} over all topics compared, "
          f"{len(wrong)} differ")  # fmt: skip
    record_property("compared", by_topic + over_all)
    assert wrong == []  # no exception: every one is reproduced
    assert topics == {str(TOPICS[campaign])}
    # gm_map is printed over all topics only
    assert by_topic == RUNS[campaign] * TOPICS[campaign] * (len(OFFICIAL) - 1)
    assert over_all == RUNS[campaign] * len(OFFICIAL)


# ---- trec_eval's code, to the last bit -------------------------------------------------------

TREC_EVAL = {
    "AP": "map",
    "AP@100": "map_cut_100",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "RR": "recip_rank",
    "SetP": "set_P",
    "SetR": "set_recall",
    "SetF": "set_F",
    "NumRet": "num_ret",
    "NumRel": "num_rel",
    "NumRelRet": "num_rel_ret",
    "nDCG": "ndcg",
    **{f"IPrec(recall={t / 10})": f"iprec_at_recall_{t / 10:.2f}" for t in range(11)},
    **{f"P@{k}": f"P_{k}" for k in (5, 10, 100)},
    **{f"R@{k}": f"recall_{k}" for k in (5, 10, 100)},
    **{f"Success@{k}": f"success_{k}" for k in (1, 5, 10)},
    **{f"nDCG@{k}": f"ndcg_cut_{k}" for k in (5, 10, 100)},
}
ASK = {
    "map", "map_cut", "Rprec", "bpref", "recip_rank", "set_P", "set_recall", "set_F", "num_ret",
    "num_rel", "num_rel_ret", "ndcg", "iprec_at_recall", "P", "recall", "success", "ndcg_cut",
}  # fmt: skip
SOME = {"clef2013": 7, "clef2015": 11, "clef2016": 4}  # every so many-th run


def first_thousand(run: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """trec_eval -M1000, which pytrec_eval has not: by 32-bit score, then document id."""
    return {
        topic: dict(sorted(found.items(), key=lambda p: (np.float32(p[1]), p[0]))[-1000:])
        for topic, found in run.items()
    }


def leveled(text: str, level: int) -> str:
    """The measure with trec_eval -l; nDCG takes labels as they are."""
    if text.startswith("nDCG"):
        return text
    head, at, cut = text.partition("@")
    head = f"{head[:-1]}, rel={level})" if head.endswith(")") else f"{head}(rel={level})"
    return head + at + cut


@pytest.mark.slow
@pytest.mark.parametrize("judged_only", [False, True], ids=["all", "judged only (-J)"])
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("campaign", SOME)
def test_as_pytrec_eval(real: Find, campaign: str, level: int, judged_only: bool) -> None:
    data = real(campaign)
    gains = data.gains.condensed("topicality") if judged_only else data.gains
    texts = {m: leveled(m, level) for m in TREC_EVAL}
    # NumRet(rel=x) counts relevant ones, as in ir_measures
    texts["NumRet"] = "NumRet"
    ours = {m: by_place(gains, value(text, gains)) for m, text in texts.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(
        data.qrels, ASK, relevance_level=level, judged_docs_only_flag=int(judged_only)
    )
    compared = 0
    for path in data.files[:: SOME[campaign]]:
        run, lists = run_name(path), first_thousand(plainly_read(path))
        for topic, theirs in evaluator.evaluate(lists).items():
            if judged_only and not set(lists[topic]) & set(data.qrels[topic]):
                continue  # nothing left: trec_eval divides by 0 and prints nan
            for measure, name in TREC_EVAL.items():
                at = (run, topic, measure)
                assert ours[measure][run, topic] == pytest.approx(theirs[name], abs=1e-9), at
                compared += 1
    print(f"\n{campaign}, level {level}, judged only {judged_only}: {compared} values compared")
    assert compared > 4000


def test_beta_of_f_is_the_root_of_trec_evals(real: Find) -> None:
    """trec_eval's set_F.x is (x + 1) P R / (R + x P), so its x is beta squared."""
    data = real("clef2015")
    ours = by_place(data.gains, value("SetF(beta=2)", data.gains))
    path = data.files[0]
    evaluator = pytrec_eval.RelevanceEvaluator(data.qrels, {"set_F_4.0"})
    found = evaluator.evaluate(first_thousand(plainly_read(path)))
    for topic, theirs in found.items():
        assert ours[run_name(path), topic] == pytest.approx(theirs["set_F"], abs=1e-9)
    assert len(found) == 66


# ---- ir_measures: what it leaves to gdeval and its own code ----------------------------------


@pytest.fixture(scope="module")
def to_four(real: Find, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Gains:
    """clef2015 with labels said to reach 4, which is what gdeval.pl takes for granted."""
    folder = tmp_path_factory.mktemp("four")
    file, _, threshold = CAMPAIGNS["clef2015"]
    labels.tabulate(
        [data / "clef2015" / "qrels" / file],
        out=folder / "l",
        scale=Scale(0, 4, "high", threshold, None, ()),
    )
    files, policies = real("clef2015").files[::11], RunPolicies(duplicates="first")
    rank(files, policies=policies, out=folder / "r", facts=folder / "f")
    topics = labels.topics_of(folder / "l")
    write_gains(folder / "r", labels=folder / "l", topics=topics, out=folder / "g.npz")
    return read_gains({"topicality": folder / "g.npz"})


def as_ir_measures(
    measure: str, qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Mapping[str, float]]
) -> dict[str, float]:
    """Its values by topic; topics are numbered, since gdeval.pl knows no others."""
    number = {topic: str(place) for place, topic in enumerate(qrels, 1)}
    found = ir_measures.iter_calc(
        [ir_measures.parse_measure(measure)],
        {number[t]: dict(judged) for t, judged in qrels.items()},
        {number[t]: dict(lists) for t, lists in run.items() if t in number},
    )
    name = {n: topic for topic, n in number.items()}
    return {name[one.query_id]: one.value for one in found}


IR_MEASURES = {  # ours: theirs, and how exactly gdeval prints
    "nDCGexp@10": ("nDCG(dcg='exp-log2')@10", 5.1e-6),
    "nDCGexp@100": ("nDCG(dcg='exp-log2')@100", 5.1e-6),
    "ERR@10": ("ERR@10", 5.1e-6),
    "ERR@20": ("ERR@20", 5.1e-6),
    "Judged@10": ("Judged@10", 1e-12),
    "Judged": ("Judged", 1e-12),
    "RR@10": ("RR@10", 1e-12),
}


@pytest.mark.slow
@pytest.mark.parametrize("measure", IR_MEASURES)
def test_as_ir_measures(real: Find, to_four: Gains, measure: str) -> None:
    """The lists go in our order, as gdeval.pl compares scores as 64-bit floats.

    ERR depends on the highest label there could be: gdeval.pl always takes 4, we take the scale's.
    """
    data = real("clef2015")
    theirs, tolerance = IR_MEASURES[measure]
    ours = by_place(to_four, value(measure, to_four))
    compared = 0
    for path in data.files[::11]:
        run = run_name(path)
        lists = {
            topic: {d: -float(place) for place, d in enumerate(order)}
            for topic, order in trec_order(path).items()
        }
        for topic, found in as_ir_measures(theirs, data.qrels, lists).items():
            assert ours[run, topic] == pytest.approx(found, abs=tolerance), (run, topic)
            compared += 1
    print(f"\n{measure}: {compared} values compared")
    assert compared == 7 * 66


def trec_order(path: Path) -> dict[str, list[str]]:
    """Documents by 32-bit score, then id, both descending; the first thousand."""
    return {
        topic: [d for d, _ in sorted(found.items(), key=lambda p: (np.float32(p[1]), p[0]),
                                     reverse=True)[:1000]]
        for topic, found in plainly_read(path).items()
    }  # fmt: skip


def test_err_has_another_scale_than_gdeval(real: Find, to_four: Gains) -> None:
    """On labels 0 to 2 a perfect document stops (2^2 - 1)/2^2 of users, not 3/16 as in gdeval."""
    ours, theirs = value("ERR@1", real("clef2015").gains), value("ERR@1", to_four)
    assert {round(v, 4) for v in ours} == {0, 0.25, 0.75}
    assert {round(v, 4) for v in theirs} == {0, 0.0625, 0.1875}
