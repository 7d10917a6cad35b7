"""Ways to cleanse and to count, compared: the figures of a small campaign, worked by hand."""

import csv
from dataclasses import astuple
from math import nan
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.judging.counters import compare_counters
from pipeline.pages.readability.index import INDICES
from pipeline.pages.readability.ways import Way, ways
from tests.builders import Judged, campaign, ranked, run_text

CHOSEN = Way(method="blocks", engine="fathom", sentence_ends=True)
TEXTSTAT = Way(method="blocks", engine="textstat", sentence_ends=True)
ESTIMATE = {"index": "fog", "model": "step", "threshold": 10.0}
# Three runs on one topic, each with another document first; all documents are on topic.
RUNS = {"one": "a b c", "two": "b c a", "three": "c a b"}


def tried(folder: Path, **fog: dict[str, float]) -> list[Path]:
    """Two shards in which every way finds the FOG of `blocks`, but for those that are named."""
    shards: list[list[dict[str, object]]] = [[], []]
    for way in ways(CHOSEN):
        values = fog.get(f"{way.method}_{way.engine}_{way.sentence_ends:d}", fog["usual"])
        for n, (document, value) in enumerate(values.items()):
            row = {"document": document, "method": way.method, "engine": way.engine}
            row |= {"sentence_ends": way.sentence_ends, "reason": ""}
            shards[n % 2].append({**row, **dict.fromkeys(INDICES, nan), "fog": value})
    # A second page of a document, which the first one outdoes.
    shards[1].append({**shards[0][0], "fog": 99.0})
    paths = []
    for n, rows in enumerate(shards):
        paths.append(folder / f"{n}.parquet")
        pq.write_table(pa.Table.from_pylist(rows), paths[-1])
    return paths


def compared(
    folder: Path, *, unjudged: str = "zero", **fog: dict[str, float]
) -> list[dict[str, str]]:
    judged = {
        "topicality": Judged({"1": dict.fromkeys("abc", 1)}),
        "simulated": Judged({"1": dict.fromkeys("abc", 1)}),
    }
    runs = {name: run_text({"1": ranked(documents)}) for name, documents in RUNS.items()}
    small = campaign(folder, runs, judged)
    compare_counters(
        tried(folder, **fog),
        gains=small.gains,
        rankings=small.rankings,
        topics=["1"],
        measures=["RBP(p=0.5)", "uRBP(p=0.5, by=simulated)"],
        estimates={"simulated": ESTIMATE},
        unjudged=unjudged,
        chosen=CHOSEN,
        out=folder / "counters.csv",
    )
    with (folder / "counters.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_every_way_once_with_the_chosen_one_first() -> None:
    found = ways(CHOSEN)
    assert found[0] == CHOSEN
    assert found[1] == Way(method="blocks", engine="fathom", sentence_ends=False)
    assert len({astuple(way) for way in found}) == len(found) == 4 * 3 + 1


@pytest.mark.parametrize("unjudged", ["zero", "condensed"])
def test_a_counter_that_turns_the_ranking(tmp_path: Path, unjudged: str) -> None:
    """By the usual FOG only `a` can be read, by textstat only `c` and `b`.

    RBP with p = 0.5 has weights 1/2, 1/4, 1/8: one 4/8, two 1/8, three 2/8 by the usual FOG;
    by textstat one 3/8, two 6/8, three 5/8. Of the three pairs of runs none stays in order: one
    was first and is last, and of two and three the other is ahead: tau -1.
    """
    rows = compared(
        tmp_path,
        unjudged=unjudged,
        usual={"a": 8.0, "b": 11.0, "c": 12.0},
        blocks_textstat_1={"a": 13.0, "b": 9.0, "c": 10.0},
    )
    assert {row["measure"] for row in rows} == {"uRBP(p=0.5, by=simulated)"}  # the other reads none
    assert len(rows) == 13
    own, ends, textstat, *rest = rows
    assert (own["chosen"], own["method"], own["engine"], own["sentence_ends"]) == (
        "1", "blocks", "fathom", "1",
    )  # fmt: skip
    assert float(own["mean"]) == pytest.approx(7 / 24, abs=1e-6)
    assert (own["tau_b"], own["leader"], own["difference"]) == ("1.000000", "one", "0.0000")
    assert (textstat["engine"], textstat["chosen"]) == ("textstat", "0")
    assert float(textstat["mean"]) == pytest.approx(14 / 24, abs=1e-6)
    assert (textstat["tau_b"], textstat["leader"]) == ("-1.000000", "two")
    assert textstat["largest_move"] == "2"
    # |13 - 8|, |9 - 11|, |10 - 12|; of the pages, a-b and a-c turn round and b-c does not.
    assert float(textstat["difference"]) == pytest.approx(3.0)
    assert float(textstat["pages_tau_b"]) == pytest.approx(-1 / 3, abs=1e-6)
    for row in (ends, *rest):
        assert (row["tau_b"], row["difference"]) == ("1.000000", "0.0000")


def test_a_page_without_text_is_unjudged(tmp_path: Path) -> None:
    rows = compared(
        tmp_path,
        usual={"a": 8.0, "b": 9.0, "c": 12.0},
        main_fathom_1={"a": nan, "b": 9.0, "c": 12.0},
    )
    (main,) = [row for row in rows if (row["method"], row["engine"]) == ("main", "fathom")]
    assert (main["pages"], main["both"], rows[0]["pages"]) == ("2", "2", "3")
    assert float(rows[0]["mean"]) == pytest.approx((6 + 5 + 3) / 24, abs=1e-6)
    assert float(main["mean"]) == pytest.approx((2 + 4 + 1) / 24, abs=1e-6)


def test_without_any_page_nothing_is_claimed(tmp_path: Path) -> None:
    rows = compared(tmp_path, usual={"a": nan, "b": nan, "c": nan})
    assert {(row["difference"], row["pages_tau_b"], row["tau_b"]) for row in rows} == {("", "", "")}
