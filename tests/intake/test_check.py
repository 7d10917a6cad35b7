"""The input check on a folder of runs each broken in its own way: all is reported, nothing else."""

import csv
import gzip
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.config.dimensions import Labels
from pipeline.config.runs import Teams
from pipeline.config.scale import Scale
from pipeline.config.topics import Topics
from pipeline.intake.check import MOST, assign_teams, inspect
from pipeline.intake.findings import Finding, failed
from pipeline.intake.inputs import Inputs
from pipeline.intake.page import summary, write_check

TOPICS = ("1", "2", "3")


def good(*, prefix: str = "d", topics: tuple[str, ...] = TOPICS, shift: int = 0) -> str:
    return "".join(
        f"{topic} Q0 {prefix}{n + shift} {n} {20 - n} tag\n"
        for topic in topics
        for n in range(1, 13)
    )


def changed(line: int, new: str) -> str:
    lines = good(shift=line).splitlines()
    lines[line - 1] = new
    return "\n".join(lines) + "\n"


BROKEN: dict[str, bytes] = {
    "A_binary": good(shift=40).encode() + b"\0\n",
    "A_duplicate": (good(shift=41) + "3 Q0 d42 13 1 tag\n").encode(),
    "A_empty": b"",
    "A_fields": "".join(
        f"1 Q0 d{n} {n} {9 - n}\n" if n in (2, 5) else f"1 Q0 d{n} {n} {9 - n} t\n"
        for n in range(1, 8)
    ).encode(),
    "A_gzip": gzip.compress(good().encode())[:-20],
    "A_nan": changed(7, "1 Q0 dx 7 nan tag").encode(),
    "A_rank": changed(30, "3 Q0 dx first 1 tag").encode(),
    "A_score": changed(4, "1 Q0 dx 4 high tag").encode(),
    "A_tiny": "".join(
        f"{t} Q0 d{n} {n} {20 - n}e-305 tag\n" for t in TOPICS for n in range(1, 13)
    ).encode(),
    "A_topics": good(topics=("q1", "q2", "q3"), shift=50).encode(),
    "A_utf16": good().encode("utf-16"),
    "noteam": good(topics=("1",), shift=60).encode(),
}
FINE = {"B_one": good().encode(), "B_two": good(shift=3).encode()}


def handed_in(folder: Path, runs: dict[str, bytes]) -> Inputs:
    (folder / "runs").mkdir()
    for name, content in runs.items():
        (folder / "runs" / name).write_bytes(content)
    qrels = folder / "q.txt"
    qrels.write_text("".join(f"{topic} 0 d{n} 1\n" for topic in TOPICS for n in range(1, 9)))
    topics = folder / "topics.tsv"
    topics.write_text("".join(f"{topic}\tasthma\n" for topic in TOPICS))
    scale = Scale(lowest=0, highest=2, better="high", threshold=1, gains=None, cannot_judge=())
    labels = Labels(files=(str(qrels),), scale=scale, key="topic", conflict="error")
    return Inputs(
        runs=sorted((folder / "runs").iterdir()),
        labels={"topicality": labels},
        files={"topicality": [qrels]},
        topics=Topics(file=str(topics)),
        topics_file=topics,
        team=Teams(name="^([A-Z])_"),
    )


def write(inputs: Inputs, folder: Path, *, title: str = "T", more: Sequence[Finding] = ()) -> None:
    teams = assign_teams(inputs.runs, settings=inputs.team, table=None)
    found = [*more, *inspect(inputs)]
    write_check(found, title=title, runs=inputs.runs, teams=teams, folder=folder)


def told(found: list[Finding], name: str) -> list[tuple[str, int | None, str]]:
    return [(one.severity, one.line, one.what) for one in found if one.name == name]


def test_twelve_broken_runs_are_told_in_one_go(tmp_path: Path) -> None:
    inputs = handed_in(tmp_path, {**BROKEN, **FINE})
    found = inspect(inputs)
    assert {one.name for one in found} == set(BROKEN)
    errors = {
        "A_binary": (37, "NUL byte"),
        "A_duplicate": (37, "'d42'"),
        "A_empty": (None, "empty"),
        "A_gzip": (None, "gzip"),
        "A_nan": (7, "'nan'"),
        "A_rank": (30, "'first'"),
        "A_score": (4, "'high'"),
        "A_topics": (None, "'q1', 'q2', 'q3'; they have '1', '2', '3'"),
        "A_utf16": (None, "UTF-16"),
    }
    for name, (line, word) in errors.items():
        severity, at, what = told(found, name)[0]
        assert (severity, at) == ("error", line), name
        assert word in what, name
    assert any("'^([A-Z])_' finds no team" in what for _, _, what in told(found, "noteam"))
    fields = told(found, "A_fields")
    assert [(severity, line) for severity, line, _ in fields] == [
        ("error", 2), ("error", 5), ("warning", None),
    ]  # fmt: skip
    assert "2 of 3 topics" in fields[2][2]
    assert [(severity, what[:14]) for severity, _, what in told(found, "A_tiny")] == [
        ("warning", "every document"), ("warning", "33 of 36 score"),
    ]  # fmt: skip
    assert all(one.fix and "/tmp" not in one.what.replace(str(tmp_path), "") for one in found)
    assert {one.file for one in found} == {str(tmp_path / "runs" / name) for name in BROKEN}


def test_good_runs_have_nothing_told(tmp_path: Path) -> None:
    inputs = handed_in(tmp_path, FINE)
    assert inspect(inputs) == []


def test_a_file_of_another_kind_is_not_told_line_by_line_for_ever(tmp_path: Path) -> None:
    inputs = handed_in(tmp_path, {"A_csv": b"a,b,c\n" * 500})
    found = inspect(inputs)
    assert len(found) == MOST + 1
    assert f"more than {MOST} bad lines" in found[0].what
    assert found[-1].line == MOST


def test_twins_doubles_and_repairs_are_told(tmp_path: Path) -> None:
    inputs = handed_in(
        tmp_path,
        {"B_one": good().encode(), "B_same": good().encode(), "A_d": BROKEN["A_duplicate"]},
    )
    (tmp_path / "more").mkdir()
    (tmp_path / "more/A_d.gz").write_bytes(gzip.compress(good(shift=2).encode()))
    runs = [*inputs.runs, tmp_path / "more/A_d.gz"]
    found = inspect(replace(inputs, runs=runs, duplicates="first"))
    for name, other in (("B_one", "B_same"), ("B_same", "B_one")):
        ((severity, _, what),) = told(found, name)
        assert severity == "warning"
        assert what.endswith(f"same order as {other}")
    said = told(found, "A_d")
    assert [one.file for one in found if "name 'A_d'" in one.what] == [str(runs[-1])]
    assert all(severity == "error" for severity, _, what in said if "name 'A_d'" in what)
    (repaired,) = [one for one in found if one.line == 37]
    assert (repaired.severity, "'d42'" in repaired.what) == ("warning", True)
    assert "policies.duplicates 'first'" in repaired.fix


def test_runs_that_agree_where_it_counts_are_identical(tmp_path: Path) -> None:
    """As in checks.csv: topics that do not count, and the order of topics, make no difference."""
    one = good()
    other = good(topics=("3", "1", "2")) + "9 Q0 x 1 1 tag\n"
    inputs = handed_in(tmp_path, {"B_one": one.encode(), "B_other": other.encode()})
    found = [one.name for one in inspect(inputs) if "same order" in one.what]
    assert found == ["B_one", "B_other"]


def test_labels_and_topics_are_read_to_their_end(tmp_path: Path) -> None:
    inputs = handed_in(tmp_path, FINE)
    (tmp_path / "q.txt").write_text(
        "1 0 d1\n1 0 d_1 1\n1 0 d_2 9\n1 0 d_3 x\n2 0 d_4 1\n3 0 d_5 1\n"
    )
    (tmp_path / "topics.tsv").write_text("1\tasthma\nbad line\n2\tflu\nanother\n3\tflu\n")
    found = inspect(inputs)
    by_kind = [(one.kind, one.line, one.severity) for one in found if one.kind != "run"]
    assert by_kind == [
        ("topics", 2, "error"),
        ("topics", 4, "error"),
        ("labels", None, "error"),
        ("labels", 1, "error"),
        ("labels", 3, "error"),
        ("labels", 4, "error"),
    ]
    for word in ("0 of 3 labels", "'d_1'", "'d1'"):
        assert word in found[2].what


def test_a_threshold_at_the_worst_end_is_a_warning(tmp_path: Path) -> None:
    inputs = handed_in(tmp_path, FINE)
    scale = Scale(lowest=0, highest=2, better="high", threshold=0, gains=None, cannot_judge=())
    labels = {"topicality": inputs.labels["topicality"].model_copy(update={"scale": scale})}
    (one,) = inspect(replace(inputs, labels=labels))
    assert (one.severity, "threshold 0" in one.what) == ("warning", True)
    assert "dimensions.topicality.threshold" in one.fix


def test_the_page_and_the_table(tmp_path: Path) -> None:
    hostile = {"A_<b>x": b"=cmd <script>alert(1)</script>\n", **BROKEN, **FINE}
    inputs = handed_in(tmp_path, hostile)
    write(inputs, tmp_path / "check", title="A & B")
    page, table = tmp_path / "check/index.html", tmp_path / "check/problems.csv"
    html = page.read_text(encoding="utf-8")
    assert "<script" not in html
    assert "A_&lt;b&gt;x" in html
    assert "<h1>A &amp; B</h1>" in html
    assert not re.search(r"src=|href=(?!\"#)", html)  # to itself alone
    assert "without a team: noteam." in html
    for name in FINE:
        assert f"<code>{name}</code>" in html
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    problems = inspect(inputs)
    assert [(row["name"], row["what"]) for row in rows] == [(o.name, o.what) for o in problems]
    errors = sum(row["severity"] == "error" for row in rows)
    assert f"{errors} errors, {len(rows) - errors} warnings" in html
    assert summary(problems) == f"{errors} errors, {len(rows) - errors} warnings"
    assert failed(problems)


def test_warnings_fail_only_if_asked(tmp_path: Path) -> None:
    problems = inspect(handed_in(tmp_path, {"A_x": good(topics=("1", "2")).encode()}))
    assert summary(problems) == "0 errors, 1 warning"
    assert not failed(problems)
    assert failed(problems, strict=True)


def test_what_people_said(tmp_path: Path) -> None:
    inputs = handed_in(tmp_path, FINE)
    liked, rated = tmp_path / "liked.txt", tmp_path / "rated.txt"
    liked.write_text("1 B_one B_two B_one\n2 B_one B_tow B_one\n9 B_one baseline:x tie\n")
    rated.write_text("1 B_one 5\n1 B_two high\n")
    asked = {"preferences": [liked], "satisfaction": [rated]}
    whole = replace(inputs, people=asked, made=["baseline:x"])
    told = [one for one in inspect(whole) if one.kind == "people"]
    assert [(one.name, one.file, one.line, one.severity) for one in told] == [
        ("preferences", str(liked), 2, "error"),
        ("preferences", str(liked), 3, "error"),
        ("satisfaction", str(rated), 2, "error"),
    ]
    for one, word in zip(told, ("'B_tow'", "'9'", "'high'"), strict=True):
        assert word in one.what
    assert "'B_two'" in told[0].fix


def test_people_who_said_nothing_wrong(tmp_path: Path) -> None:
    inputs = handed_in(tmp_path, FINE)
    (liked := tmp_path / "liked.txt").write_text("1 B_one B_two B_one\n")
    whole = replace(inputs, people={"preferences": [liked]})
    told = inspect(whole)
    assert not [one for one in told if one.kind == "people"]
