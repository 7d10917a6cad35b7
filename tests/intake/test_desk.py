"""The intake desk, on a folder of runs each broken in its own way: all is told, and only that."""

import csv
import gzip
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.intake.desk import Desk, inspect
from pipeline.intake.problem import Problem
from pipeline.intake.reading import MOST
from pipeline.intake.step import receive
from pipeline.intake.verdict import verdict
from pipeline.labels.reading import Labels
from pipeline.labels.scale import Scale
from pipeline.labels.topics import Topics
from pipeline.runs.teams import Teams

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


def handed_in(folder: Path, runs: dict[str, bytes]) -> tuple[Desk, dict[str, Labels], Topics]:
    (folder / "runs").mkdir()
    for name, content in runs.items():
        (folder / "runs" / name).write_bytes(content)
    qrels = folder / "q.txt"
    qrels.write_text("".join(f"{topic} 0 d{n} 1\n" for topic in TOPICS for n in range(1, 9)))
    topics = folder / "topics.tsv"
    topics.write_text("".join(f"{topic}\tasthma\n" for topic in TOPICS))
    scale = Scale(lowest=0, highest=2, better="high", threshold=1, gains=None, cannot_judge=())
    labels = Labels(files=(str(qrels),), scale=scale, key="topic", conflict="error")
    desk = Desk(
        runs=sorted((folder / "runs").iterdir()),
        labels={"topicality": [qrels]},
        topics=topics,
        form="trec",
        team=Teams(name="^([A-Z])_"),
        order="score",
        depth=1000,
        duplicates="error",
        bad_scores="error",
        topics_from="labels",
    )
    return desk, {"topicality": labels}, Topics(file=str(topics), match=None, replace=None)


def told(found: list[Problem], name: str) -> list[tuple[str, int | None, str]]:
    return [(one.severity, one.line, one.what) for one in found if one.name == name]


def test_twelve_broken_runs_are_told_in_one_go(tmp_path: Path) -> None:
    desk, labels, topics = handed_in(tmp_path, {**BROKEN, **FINE})
    found = inspect(desk, settings=labels, topics=topics)
    assert {one.name for one in found} == set(BROKEN)
    wrong = {
        "A_binary": (37, "a NUL byte, so this is not a text file"),
        "A_duplicate": (37, "document 'd42' is there twice in topic '3'"),
        "A_empty": (None, "the file is empty"),
        "A_gzip": (None, "the gzip file is damaged or cut short"),
        "A_nan": (7, "the score 'nan' is not finite"),
        "A_rank": (30, "the rank 'first' is not a whole number of up to 9 digits"),
        "A_score": (4, "the score 'high' is not a number"),
        "A_utf16": (None, "the file is in UTF-16"),
    }
    for name, (line, what) in wrong.items():
        assert told(found, name)[0] == ("wrong", line, what), name
    assert ("odd", None, "runs.team '^([A-Z])_' finds no team in this name") in told(
        found, "noteam"
    )
    fields = "5 fields where a run line has 6 ('topic Q0 document rank score tag')"
    assert told(found, "A_fields") == [
        ("wrong", 2, fields),
        ("wrong", 5, fields),
        ("odd", None, "2 of 3 topics have no answer and score 0: '2', '3'"),
    ]
    assert told(found, "A_topics") == [
        (
            "wrong", None,
            "shares no topic with labels or topics (it has 'q1', 'q2', 'q3'; they have "
            "'1', '2', '3')",
        )
    ]  # fmt: skip
    assert told(found, "A_tiny")[0][2].startswith("every document has the score of another")
    assert told(found, "A_tiny")[1][2].startswith("36 of 36 scores are different, but equal as 32")
    assert all(one.fix and "/tmp" not in one.what.replace(str(tmp_path), "") for one in found)
    assert {one.file for one in found} == {str(tmp_path / "runs" / name) for name in BROKEN}


def test_good_runs_have_nothing_told(tmp_path: Path) -> None:
    desk, labels, topics = handed_in(tmp_path, FINE)
    assert inspect(desk, settings=labels, topics=topics) == []


def test_a_file_of_another_kind_is_not_told_line_by_line_for_ever(tmp_path: Path) -> None:
    desk, labels, topics = handed_in(tmp_path, {"A_csv": b"a,b,c\n" * 500})
    found = inspect(desk, settings=labels, topics=topics)
    assert len(found) == MOST + 1
    assert found[0].what == f"more than {MOST} bad lines, the rest is not told"
    assert found[-1].line == MOST


def test_twins_doubles_and_repairs_are_told(tmp_path: Path) -> None:
    desk, labels, topics = handed_in(
        tmp_path,
        {"B_one": good().encode(), "B_same": good().encode(), "A_d": BROKEN["A_duplicate"]},
    )
    (tmp_path / "more").mkdir()
    (tmp_path / "more/A_d.gz").write_bytes(gzip.compress(good(shift=2).encode()))
    changes = {"runs": [*desk.runs, tmp_path / "more/A_d.gz"], "duplicates": "first"}
    desk = Desk(**{**vars(desk), **changes})
    found = inspect(desk, settings=labels, topics=topics)
    twins = "ranks the same documents in the same order as"
    assert told(found, "B_one") == [("odd", None, f"{twins} B_same")]
    assert told(found, "B_same") == [("odd", None, f"{twins} B_one")]
    said = told(found, "A_d")
    assert sum(what.startswith("has the same name as") for _, _, what in said) == 2
    assert ("odd", 37, "document 'd42' is there twice in topic '3'") in said


def test_labels_and_topics_are_read_to_their_end(tmp_path: Path) -> None:
    desk, labels, topics = handed_in(tmp_path, FINE)
    (tmp_path / "q.txt").write_text(
        "1 0 d1\n1 0 d_1 1\n1 0 d_2 9\n1 0 d_3 x\n2 0 d_4 1\n3 0 d_5 1\n"
    )
    (tmp_path / "topics.tsv").write_text("1\tasthma\nbad line\n2\tflu\nanother\n3\tflu\n")
    found = inspect(desk, settings=labels, topics=topics)
    by_kind = [(one.kind, one.line, one.severity) for one in found if one.kind != "run"]
    assert by_kind == [
        ("topics", 2, "wrong"),
        ("topics", 4, "wrong"),
        ("labels", None, "wrong"),
        ("labels", 1, "wrong"),
        ("labels", 3, "wrong"),
        ("labels", 4, "wrong"),
    ]
    assert "0 of 3 labels are of documents that a run retrieved" in found[2].what
    assert "(a label is of 'd_1', a run has 'd1')" in found[2].what


def test_a_threshold_at_the_worst_end_is_odd(tmp_path: Path) -> None:
    desk, labels, topics = handed_in(tmp_path, FINE)
    scale = Scale(lowest=0, highest=2, better="high", threshold=0, gains=None, cannot_judge=())
    given = {"topicality": Labels(**{**vars(labels["topicality"]), "scale": scale})}
    (one,) = inspect(desk, settings=given, topics=topics)
    assert one.what.startswith("the threshold 0 is the worst label")


def test_the_page_and_the_table(tmp_path: Path) -> None:
    hostile = {"A_<b>x": b"=cmd <script>alert(1)</script>\n", **BROKEN, **FINE}
    desk, labels, topics = handed_in(tmp_path, hostile)
    page, table = tmp_path / "check/index.html", tmp_path / "check/problems.csv"
    receive(desk, settings=labels, topics=topics, title="A & B", page=page, table=table)
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
    problems = inspect(desk, settings=labels, topics=topics)
    assert [(row["name"], row["what"]) for row in rows] == [(o.name, o.what) for o in problems]
    wrong = sum(row["severity"] == "wrong" for row in rows)
    assert f"{wrong} things are wrong and {len(rows) - wrong} odd" in html
    lines, code = verdict([page.parent])
    assert code == 1
    assert lines[0].startswith(f"{wrong} wrong, {len(rows) - wrong} odd: see ")


@pytest.mark.parametrize(("strict", "code"), [(False, 0), (True, 1)])
def test_what_is_odd_ends_badly_only_if_asked(tmp_path: Path, strict: bool, code: int) -> None:
    desk, labels, topics = handed_in(tmp_path, {"A_x": good(topics=("1", "2")).encode()})
    page, table = tmp_path / "check/index.html", tmp_path / "check/problems.csv"
    receive(desk, settings=labels, topics=topics, title="t", page=page, table=table)
    assert verdict([page.parent], strict=strict)[1] == code


def test_what_people_said(tmp_path: Path) -> None:
    desk, labels, topics = handed_in(tmp_path, FINE)
    liked, rated = tmp_path / "liked.txt", tmp_path / "rated.txt"
    liked.write_text("1 B_one B_two B_one\n2 B_one B_tow B_one\n9 B_one baseline:x tie\n")
    rated.write_text("1 B_one 5\n1 B_two high\n")
    asked = {"preferences": [liked], "satisfaction": [rated]}
    whole = replace(desk, people=asked, made=["baseline:x"])
    told = [one for one in inspect(whole, settings=labels, topics=topics) if one.kind == "people"]
    assert [(one.name, one.file, one.line, one.severity, one.what, one.fix) for one in told] == [
        ("preferences", str(liked), 2, "wrong", "the run 'B_tow' is not in this campaign",
         "did you mean 'B_two'?"),
        ("preferences", str(liked), 3, "wrong",
         "the topic '9' is none that counts in this campaign", "remove the line"),
        ("satisfaction", str(rated), 2, "wrong", "the rating 'high' is not a number",
         "correct it"),
    ]  # fmt: skip


def test_people_who_said_nothing_wrong(tmp_path: Path) -> None:
    desk, labels, topics = handed_in(tmp_path, FINE)
    (liked := tmp_path / "liked.txt").write_text("1 B_one B_two B_one\n")
    whole = replace(desk, people={"preferences": [liked]})
    told = inspect(whole, settings=labels, topics=topics)
    assert not [one for one in told if one.kind == "people"]
