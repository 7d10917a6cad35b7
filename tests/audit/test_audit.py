"""The audit: what other tools printed, read, translated, and computed again under their habits."""

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from bs4 import BeautifulSoup

from pipeline.audit.names import measure_of
from pipeline.audit.policies import SETS, CampaignData, LabelSource, correct_zero_ranks
from pipeline.audit.published import read, split
from pipeline.audit.step import audit, compare
from pipeline.errors import InputError
from pipeline.labels.tables import tabulate
from pipeline.report.markup import environment
from pipeline.report.sections import audit as reported
from tests.builders import BINARY, read_files, run_text
from tests.campaign.test_campaign import SCHEMA, changed, check
from tests.report.made import HOSTILE, section, small

HEADER = "run\ttool\tmeasure\ttopic\tvalue\n"


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# ---- reading --------------------------------------------------------------------------------


def test_columns_may_come_in_any_order_and_without_a_tool(tmp_path: Path) -> None:
    one = tmp_path / "one.gz"
    one.write_bytes(gzip.compress(b"value\ttopic\trun\tmeasure\r\n0.5\t1\tr\tP@10\r\n"))
    two = written(tmp_path / "two", HEADER + "r\ttrec_eval\trunid\tall\tmy tag\n"
                  "s\ttrec_eval\tP_10\tall\t0.1234\n")  # fmt: skip
    found = read([one, two])
    assert len(found) == 2  # trec_eval's runid line is no value
    assert found.run.names == ("r", "s")
    assert [split(source) for source in found.source.names] == [("", "P@10"), ("trec_eval", "P_10")]
    assert found.topic.names == ("1", "all")
    assert found.value.tolist() == [0.5, 0.1234]
    assert found.half.tolist() == pytest.approx([0.05, 0.00005])


BAD = {
    "": "is empty; a published result has lines of 'run tool measure topic value'",
    "run\ttool\tmeasure\ttopic\n": "line 1: no column 'value'",
    "run tool measure topic value\n": "line 1: no column 'run'",
    HEADER: "has no values",
    HEADER + "r\tt\tP_10\t1\t0.5\nr\tt\tP_10\t0.5\n": "line 3: has 4 fields, but",
    HEADER
    + "r\tt\tP_10\t1\t0.5\nr\tt\tP_10\t2\thigh\n": "line 3: the value 'high' is not a number",
    HEADER + "r\tt\tP_10\t1\tnan\n": "line 2: the value 'nan' is not a number",
    HEADER + "r\tt\trunid\tall\tx\n": "has no values",
}


@pytest.mark.parametrize(("text", "message"), BAD.items(), ids=[m[:30] for m in BAD.values()])
def test_files_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path / "p.tsv", text)
    with pytest.raises(InputError) as error:
        read([path])
    assert message in str(error.value)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("printed", "ours", "same"),
    [
        ("0.1234", 0.12344999, True),
        ("0.1234", 0.12345, True),  # an exact half may have been rounded either way
        ("0.1234", 0.123451, False),
        ("0.1234", 0.12335, True),
        ("0.12", 0.1249, True),
        ("0.12", 0.1251, False),
        ("17", 17, True),
        ("17", 16, False),
        ("1.5e-3", 0.00154, True),
        ("1.5e-3", 0.00156, False),
        ("-0.5", -0.5, True),
    ],
)
def test_as_printed(tmp_path: Path, printed: str, ours: float, same: bool) -> None:
    found = read([written(tmp_path / "p", HEADER + f"r\tt\tm\t1\t{printed}\n")])
    assert found.agrees(np.array([ours])).tolist() == [same]


# ---- names ----------------------------------------------------------------------------------

NAMES = {
    ("trec_eval", "map"): "AP",
    ("trec_eval", "P_10"): "P@10",
    ("trec_eval", "P10"): "P@10",
    ("trec_eval", "recip_rank"): "RR",
    ("trec_eval-graded", "ndcg_cut_100"): "nDCG@100",
    ("trec_eval", "ndcg"): "nDCG",
    ("trec_eval", "map_cut_30"): "AP@30",
    ("trec_eval", "num_q"): "number of topics",
    ("ubire", "RBP(0.8)"): "RBP(p=0.8)",
    ("ubire", "uRBP(0.95)"): "uRBP(p=0.95)",
    ("ubire", "uRBPgr(0.5)"): "uRBPgr(p=0.5)",
    ("", "nDCG@10"): "nDCG@10",  # our own names
    ("mine", "RBP(p=0.8)"): "RBP(p=0.8)",
    ("", "map"): "AP",  # no tool: any tool's names
    ("mine", "rbp8"): "RBP(p=0.8)",  # as the campaign says
    ("other", "rbp8"): "RBP(p=0.95)",
    ("trec_eval", "no_such_measure"): None,
    ("ubire", "P_10)("): None,
}


@pytest.mark.parametrize(("given", "expected"), NAMES.items(), ids=map(str, NAMES))
def test_names_of_other_tools(given: tuple[str, str], expected: str | None) -> None:
    own = {"rbp8": "RBP(p=0.8)", "other rbp8": "RBP(p=0.95)"}
    found = measure_of(*given, own=own, dimensions=["topicality", "understandability"])
    assert (found.name if found else None) == expected


# ---- ubire's way with ranks -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([0, 1, 2], [1, 2, 3]),  # a first rank of 0 shifts all
        ([0, 0, 0, 0], [1, 3, 4, 5]),  # and rank 2 stays empty where all are 0
        ([0], [1]),
        ([], []),
        ([1, 1, 2], [1, 2, 3]),  # a rank that is taken is passed on
        ([2, 5], [2, 5]),
    ],
)
def test_ranks_of_0(given: list[int], expected: list[int]) -> None:
    assert correct_zero_ranks(np.array(given, np.int64)).tolist() == expected


# ---- a small campaign -----------------------------------------------------------------------

# Both runs rank a before b by score. `plain` says so in its ranks too; `other` ranks b first;
# `zero` has only ranks of 0. Topic 2 was not judged for ease on b, but the file's first line, in
# topic 1, says that b is easy: by document alone that holds in topic 2 as well.
RUNS = {
    "plain": "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 2 t\n2 Q0 b 2 1 t\n",
    "other": "1 Q0 a 2 2 t\n1 Q0 b 1 1 t\n2 Q0 a 2 2 t\n2 Q0 b 1 1 t\n",
    "zero": "1 Q0 a 0 2 t\n1 Q0 b 0 1 t\n2 Q0 a 0 2 t\n2 Q0 b 0 1 t\n",
}
TOPICAL = "1 0 a 0\n1 0 b 1\n2 0 a 0\n2 0 b 1\n"
EASY = "1 0 b 1\n2 0 b 0\n2 0 a 1\n"
POLICIES = {"order": "score", "unjudged": "zero", "depth": 1000, "duplicates": "error",
            "bad_scores": "error"}  # fmt: skip

# b is relevant: at rank 2 it gains .25, at rank 1 .5; where rank 2 stays empty .125
VALUES = {
    ("plain", "RBP(0.5)", "1"): ("0.2500", ""),
    ("plain", "RBP(0.5)", "all"): ("0.2500", ""),
    ("other", "RBP(0.5)", "1"): ("0.5000", "rank"),
    ("other", "RBP(0.5)", "all"): ("0.5000", "rank"),
    ("zero", "RBP(0.5)", "1"): ("0.1250", "ubire"),
    ("plain", "uRBP(0.5)", "1"): ("0.2500", ""),
    ("plain", "uRBP(0.5)", "2"): ("0.2500", "documents"),  # per topic 0
    ("other", "uRBP(0.5)", "2"): ("0.5000", "rank+documents"),
    ("zero", "uRBP(0.5)", "2"): ("0.1250", "ubire"),
    ("zero", "RBP(0.5)", "all"): ("0.1250", "ubire"),
    ("plain", "RBP(0.5)", "2"): ("0.9999", "unexplained"),
    ("plain", "RBP(0.5)", "3"): ("0.1000", "topic does not count"),
    ("plain", "mystery", "1"): ("0.1000", "measure not known"),
    ("absent", "RBP(0.5)", "1"): ("0.1000", "run missing"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("audit")
    (folder / "runs").mkdir()
    for name, text in RUNS.items():
        written(folder / "runs" / name, text)
    written(folder / "t.qrels", TOPICAL)
    written(folder / "u.qrels", EASY)
    lines = [f"{r}\tubire\t{m}\t{t}\t{value}" for (r, m, t), (value, _) in VALUES.items()]
    written(folder / "published.tsv", HEADER + "\n".join(lines) + "\n")
    return folder


def made(folder: Path, **policies: str) -> CampaignData:
    files = {"topicality": folder / "t.qrels", "understandability": folder / "u.qrels"}
    labels = {
        name: LabelSource(tabulate([path], scale=BINARY), (path,), BINARY)
        for name, path in files.items()
    }
    runs = sorted((folder / "runs").iterdir())
    chosen = POLICIES | policies
    own = read_files(
        runs, labels={n: one.table for n, one in labels.items()}, order=chosen["order"]
    )
    return CampaignData(runs=runs, labels=labels, topics=["1", "2"], policies=chosen, own_gains=own)


DEFAULT = [
    "campaign", "score", "score64", "missed", "rank", "documents", "rank+documents", "ubire",
    "ndeval",
]  # fmt: skip


def test_every_value_gets_its_reason(folder: Path) -> None:
    outcome = compare(
        read([folder / "published.tsv"]), data=made(folder), policies=DEFAULT, measures={}
    )
    found = dict(zip(VALUES, outcome.reason, strict=True))
    assert found == {place: reason for place, (_, reason) in VALUES.items()}
    # what comes to the same as an earlier set is not tried again
    assert outcome.sets == ("campaign", "score64", "rank", "documents", "rank+documents", "ubire")


def test_ours_is_under_the_first_set(folder: Path) -> None:
    published = read([folder / "published.tsv"])
    outcome = compare(published, data=made(folder), policies=["ubire"], measures={})
    ours = dict(zip(VALUES, outcome.recomputed.tolist(), strict=True))
    assert ours["zero", "RBP(0.5)", "all"] == 0.125
    assert ours["plain", "uRBP(0.5)", "2"] == 0.25
    assert set(outcome.reason) == {
        "", "unexplained", "topic does not count", "measure not known", "run missing",
    }  # fmt: skip


def test_another_campaign_order_makes_score_a_set_of_its_own(folder: Path) -> None:
    published = read([folder / "published.tsv"])
    outcome = compare(published, data=made(folder, order="rank"), policies=DEFAULT, measures={})
    assert outcome.sets[:3] == ("campaign", "score", "score64")
    assert "rank" not in outcome.sets
    found = dict(zip(VALUES, outcome.reason, strict=True))
    assert found["other", "RBP(0.5)", "1"] == ""
    assert found["plain", "uRBP(0.5)", "2"] == "documents"


def test_no_set_is_tried_when_all_agree(folder: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "p", HEADER + "plain\tubire\tRBP(0.5)\t1\t0.2500\n")
    outcome = compare(read([path]), data=made(folder), policies=DEFAULT, measures={})
    assert list(outcome.agree) == ["campaign"]
    assert outcome.reason == ("",)


def test_condensed_lists(folder: Path, tmp_path: Path) -> None:
    """Without x, which nobody judged, b moves up to rank 1."""
    for name in ("t.qrels", "u.qrels"):
        written(tmp_path / name, (folder / name).read_text())
    (tmp_path / "runs").mkdir()
    written(tmp_path / "runs" / "r", run_text({"1": {"x": 2.0, "b": 1.0}}))
    path = written(tmp_path / "p", HEADER + "r\tubire\tRBP(0.5)\t1\t0.5000\n")
    outcome = compare(
        read([path]), data=made(tmp_path), policies=["campaign", "condensed"], measures={}
    )
    assert outcome.recomputed.tolist() == [0.25]
    assert outcome.reason == ("condensed",)


def test_no_run_in_common_is_a_mistake(folder: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "p", HEADER + "runs/plain\tubire\tRBP(0.5)\t1\t0.2500\n")
    with pytest.raises(InputError, match=r"'runs/plain'.* is a run of this campaign"):
        compare(read([path]), data=made(folder), policies=DEFAULT, measures={})


# ---- what it leaves -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def left(folder: Path) -> tuple[list[dict[str, str]], dict[str, Any], Path]:
    """audit.csv, and the summary with its path."""
    audit(
        [folder / "published.tsv"],
        data=made(folder),
        policies=DEFAULT,
        measures={},
        out=folder / "audit.csv",
        summary=folder / "audit.json",
    )
    with (folder / "audit.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return rows, json.loads((folder / "audit.json").read_text()), folder / "audit.json"


def test_the_table(left: tuple[list[dict[str, str]], dict[str, Any], Path]) -> None:
    rows, _, _ = left
    assert list(rows[0]) == [
        "run", "topic", "measure", "published", "ours", "difference", "reason", "source",
    ]  # fmt: skip
    assert len(rows) == len(VALUES) - 1  # missing runs are only counted
    by_place = {(row["run"], row["source"].split(" ")[1], row["topic"]): row for row in rows}
    row = by_place["other", "RBP(0.5)", "1"]
    assert (row["measure"], row["published"]) == ("RBP(p=0.5)", "0.5000")
    assert (float(row["ours"]), float(row["difference"])) == (0.25, -0.25)
    unknown = by_place["plain", "mystery", "1"]
    assert (unknown["measure"], unknown["ours"], unknown["difference"]) == ("mystery", "", "")


def test_the_summary(left: tuple[list[dict[str, str]], dict[str, Any], Path]) -> None:
    _, summary, _ = left
    assert summary["values"] == len(VALUES)
    assert summary["runs"] == 3
    assert summary["missing_runs"] == ["absent"]
    expected: dict[str, int] = {}
    for _, reason in VALUES.values():
        expected[reason] = expected.get(reason, 0) + 1
    assert summary["reasons"] == expected
    rbp = next(one for one in summary["sources"] if one["source"] == "ubire RBP(0.5)")
    # 8 values of runs at hand; of them ubire's way gives all but the wrong one and topic 3
    assert (rbp["values"], rbp["agree"]["campaign"], rbp["agree"]["ubire"]) == (8, 2, 6)
    assert rbp["reasons"]["unexplained"] == 1


def test_a_name_with_a_comma_is_quoted(folder: Path, tmp_path: Path) -> None:
    name = "RBP(p=0.5, on=understandability)"
    path = written(tmp_path / "p", HEADER + f"plain\tmine\t{name}\t1\t0.2500\n")
    audit(
        [path], data=made(folder), policies=["campaign"], measures={},
        out=tmp_path / "a.csv", summary=tmp_path / "a.json",
    )  # fmt: skip
    with (tmp_path / "a.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["measure"], row["ours"], row["reason"]) == (name, "0.25", "")


# ---- the report -----------------------------------------------------------------------------


def read_audit(summary: Path) -> dict[str, Any]:
    """What the page shows of a summary."""
    return reported.shown(json.loads(summary.read_text(encoding="utf-8")))


def said(summary: Path) -> str:
    """The section that the page shows of an audit."""
    template = environment(Path(reported.__file__).parent).get_template("audit.html.j2")
    return " ".join(template.render(audit=read_audit(summary)).split())


def test_what_the_report_says(left: tuple[list[dict[str, str]], dict[str, Any], Path]) -> None:
    text = said(left[2])
    assert "13 published values of 3 runs were recomputed" in text
    assert "<strong>3 (23.1 %)</strong> agree as printed under this campaign" in text
    assert (
        "7 more agree under other policies (first under rank: 2, under documents: 1, "
        "under rank+documents: 1, under ubire: 3)" in text
    )
    assert "1 value is left unexplained" in text
    assert "1 value of measures that Fathom does not know" in text
    assert "Topic does not count for 1 value." in text
    assert "Missing: 1 run with 1 published value." in text


def test_what_is_not_so_is_not_said(tmp_path: Path) -> None:
    given = summary_of(a=(0.4, 0.4), b=(0.3, 0.3)) | {"reasons": {"": 4}}
    text = said(written(tmp_path / "s.json", json.dumps(given)))
    assert "4 published values of 4 runs were recomputed. <strong>4 (100 %)</strong>" in text
    for absent in (
        "more agree",
        "unexplained.",
        "does not know",
        "Missing:",
        "stand elsewhere",
    ):
        assert absent not in text
    given["reasons"] = {"": 3, "ubire": 1}
    text = said(written(tmp_path / "s.json", json.dumps(given)))
    assert "<strong>No value is left unexplained.</strong>" in text
    # Only under another set of policies is the order another one.
    given = summary_of(a=(0.4, 0.4), b=(0.3, 0.3))
    for row, other in zip(given["boards"][0]["rows"], (0.1, 0.2), strict=True):
        row["values"]["ubire"] = other
    text = said(written(tmp_path / "s.json", json.dumps(given)))
    assert "Under the first set of policies the ranking is as published." in text


def board(**figures: tuple[float, float]) -> dict[str, Any]:
    rows = [
        {"run": run, "published": old, "values": {"campaign": new, "ubire": old}}
        for run, (old, new) in figures.items()
    ]
    return {"source": "ubire RBP(0.8)", "measure": "RBP(p=0.8)", "tool": "ubire", "rows": rows}


def summary_of(**figures: tuple[float, float]) -> dict[str, Any]:
    return {
        "policies": [
            {"name": "campaign", "meaning": "this campaign's own policies"},
            {"name": "ubire", "meaning": "as ubire reads runs"},
        ],
        "values": 4, "runs": 4, "missing_runs": [], "reasons": {"ubire": 4},
        "sources": [
            {"source": "ubire RBP(0.8)", "measure": "RBP(p=0.8)", "values": 4,
             "agree": {"campaign": 0, "ubire": 4}, "reasons": {"ubire": 4}}
        ],
        "boards": [board(**figures)],
    }  # fmt: skip


def test_who_would_have_stood_where(tmp_path: Path) -> None:
    figures = {"a": (0.4, 0.1), "b": (0.3, 0.3), "c": (0.2, 0.4), "d": (0.1, 0.05)}
    path = written(tmp_path / "s.json", json.dumps(summary_of(**figures)))
    (order,) = read_audit(path)["orders"]
    assert order["sets"] == ("campaign",)  # ubire's own order is the published one
    columns = ("run", "rank", "ranks", "climbs")
    assert [tuple(row[name] for name in columns) for row in order["rows"]] == [
        ("a", 1, (3,), (-2,)),
        ("c", 3, (1,), (2,)),
        ("b", 2, (2,), (0,)),
        ("d", 4, (4,), (0,)),
    ]
    text = said(path)
    assert "Of 4 available runs, 2 would have another rank (Kendall tau-b 0.000)" in text
    assert "<bdi>c</bdi></strong> rises from 3rd to 1st" in text
    assert "<bdi>a</bdi></strong> falls from 1st to 3rd" in text


def test_all_who_move_furthest_are_named(tmp_path: Path) -> None:
    figures = {"a": (0.4, 0.3), "b": (0.3, 0.4), "c": (0.2, 0.1), "d": (0.1, 0.2)}
    text = BeautifulSoup(
        said(written(tmp_path / "s.json", json.dumps(summary_of(**figures)))), "lxml"
    ).get_text()
    assert (
        "b rises from 2nd to 1st and d rises from 4th to 3rd; "
        "a falls from 1st to 2nd and c falls from 3rd to 4th."
    ) in text


def test_an_order_that_stays_is_not_told(tmp_path: Path) -> None:
    figures = {"a": (0.4, 0.3), "b": (0.3, 0.2)}
    path = written(tmp_path / "s.json", json.dumps(summary_of(**figures)))
    assert read_audit(path)["orders"] == []


def test_the_page_has_the_section_and_names_are_harmless(tmp_path: Path) -> None:
    report = small(tmp_path)
    assert not section(report, "audit").find(id="audit")
    figures = {HOSTILE: (0.4, 0.1), "b": (0.3, 0.3), "c": (0.2, 0.4)}
    written(report.results.audit_summary, json.dumps(summary_of(**figures)))
    shown = section(report, "audit")
    assert HOSTILE in [cell.get_text() for cell in shown.find_all("th", class_="name")]
    assert not shown.find_all("script")


# ---- the config -----------------------------------------------------------------------------


def test_the_config_knows_every_set() -> None:
    each = SCHEMA["properties"]["campaigns"]["additionalProperties"]["properties"]
    policies = each["audit"]["properties"]["policies"]
    assert policies["items"]["enum"] == list(SETS)
    assert policies["default"] == DEFAULT
    assert yaml.safe_dump(policies["default"])


def test_a_config_with_an_audit() -> None:
    assert check(changed())["c"].audit is None
    found = check(changed(("audit", '{published: "@demo/p.tsv", measures: {x: P@5}}')))["c"].audit
    assert found is not None
    assert found.published == ("@demo/p.tsv",)
    assert found.policies == tuple(DEFAULT)
    assert found.measures == {"x": "P@5"}


@pytest.mark.parametrize(
    ("audit", "where", "word"),
    [
        ("{}", "audit.published", "missing"),
        ("{published: []}", "audit.published", "empty"),
        ('{published: "@nowhere/x"}', "audit.published", "nowhere"),
        ("{published: x, policies: [ubir]}", "audit.policies", "ubire"),
        ("{published: x, policies: [rank, rank]}", "audit.policies", "twice"),
        ("{published: x, measures: {a: Q@5}}", "audit.measures.a", "Q@5"),
        ("{published: x, polices: [rank]}", "audit.polices", "policies"),
    ],
)
def test_a_config_with_a_bad_audit(audit: str, where: str, word: str) -> None:
    with pytest.raises(InputError) as error:
        check(changed(("audit", audit)))
    (problem,) = error.value.problems
    assert problem.where.startswith(f"campaigns.c.{where}"), problem
    assert word in f"{problem.what} {problem.fix}"
