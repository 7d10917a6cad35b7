"""A first config for a folder: what it holds, what is guessed, that it is valid and runs."""

import gzip
import json
from pathlib import Path

import pytest
import yaml

from pipeline.campaign import campaigns, resolve
from pipeline.campaign.draft import draft, team_pattern
from pipeline.config.runs import Teams
from pipeline.errors import InputError
from pipeline.intake.folder import kind, look, patterns
from pipeline.sources.generators.demo import demo as generate
from tests.command.process import fathom, refused


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's files as an organiser has them."""
    folder = tmp_path_factory.mktemp("handed in")
    generate(folder / "data", seed=3)
    (folder / "data" / "README.md").write_text("Our files.\n")
    return folder


def test_the_demo_folder_is_understood(handed_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = fathom("init", "data", "--name", "mine", cwd=handed_in)
    assert done.returncode == 0, done.stderr.decode()
    told = done.stderr.decode()
    assert "14 runs of 4 teams" in told
    assert "trustworthiness in data/labels/trustworthiness.qrels: labels 0 to 100" in told
    monkeypatch.chdir(handed_in)
    text = Path("fathom.yaml").read_text()
    schema = Path(text.splitlines()[0].removeprefix("# yaml-language-server: $schema="))
    assert "campaigns" in json.loads(schema.read_text())["properties"]
    (one,) = campaigns(yaml.safe_load(text)).values()
    assert len(resolve(one).of("runs")[0].local) == 14
    assert list(one.dimensions) == [
        "topicality", "understandability", "trustworthiness", "simulated",
    ]  # fmt: skip
    scales = [d.labels and (d.labels.scale.lowest, d.labels.scale.highest) for d in
              one.dimensions.values()]  # fmt: skip
    assert scales == [(0, 2), (0, 3), (0, 100), None]
    assert one.runs.team == Teams(name="^([^_]+)_")
    assert one.topics is not None


def test_what_is_there_stays(handed_in: Path) -> None:
    (handed_in / "mine.yaml").write_text("precious")
    told = refused("init", "data", "-o", "mine.yaml", cwd=handed_in)
    assert told.startswith("fathom: mine.yaml")
    assert "--output" in told
    assert (handed_in / "mine.yaml").read_text() == "precious"


RUN = b"".join(b"%s Q0 d%d %d %f tag\n" % (t, d, d, 9.5 - d) for t in (b"1", b"2") for d in (1, 2))


def test_files_are_known_by_their_content(tmp_path: Path) -> None:
    files = {
        "a.dat": (RUN, "runs"),
        "b.gz": (gzip.compress(RUN), "runs"),
        "c": (b"\xef\xbb\xbf# a comment\r\n" + RUN.replace(b"\n", b"\r\n"), "runs"),
        "d.txt": (b"1 0 d1 2\n2 0 d2 0\n", "labels"),
        "e.xml": (b"<topics><topic><num>1</num><title>x</title></topic></topics>", "topics"),
        "queries.tsv": (b"1\theadache\n2\tfever\n", "topics"),
        "f.html": (b"<html>", "pages"),
        "g.warc.gz": (gzip.compress(b"WARC/1.0\r\n\r\n\0"), "pages"),
        "h.pdf": (b"%PDF\0", "others"),
        "i.md": (b"# hello\n\nsome words\n", "others"),
        "j.txt": (b"", "others"),
    }
    for name, (content, wanted) in files.items():
        (tmp_path / name).write_bytes(content)
        assert kind(tmp_path / name) == wanted, name
    (tmp_path / ".hidden").write_bytes(RUN)
    found = look(tmp_path)
    assert len(found.runs) == 3
    assert len(found.others) == 3


def test_patterns_take_these_and_no_others(tmp_path: Path) -> None:
    for name in ("runs/a.run", "runs/b.run", "mixed/c.run", "mixed/d.txt", "odd/e", "odd/f.x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    some = [tmp_path / name for name in ("runs/a.run", "runs/b.run", "mixed/c.run", "odd/e")]
    assert [Path(one).relative_to(tmp_path).as_posix() for one in patterns(some)] == [
        "mixed/*.run", "odd/e", "runs/*",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("topic", "label", "rule"),
    [
        ("clef2015.test.7", "qtest.7", "match: '^clef2015\\.test\\.', replace: 'qtest.'"),
        ("MB007", "7", "match: '^\\D*0*(\\d+)$', replace: '\\1'"),
        ("101003", "101", "match: '^(\\d+)\\d{3}$', replace: '\\1'"),
        ("7", "7", ""),
    ],
)
def test_topic_ids_meet_those_of_the_labels(
    tmp_path: Path, topic: str, label: str, rule: str
) -> None:
    (tmp_path / "a.run").write_text(f"{label} Q0 d1 1 1.0 tag\n")
    (tmp_path / "q.txt").write_text(f"{label} 0 d1 1\n")
    (tmp_path / "t.xml").write_text(f"<topic><num>{topic}</num><title>x</title></topic>")
    text, _ = draft(tmp_path)
    assert (rule in text) if rule else ("match:" not in text)
    campaigns(yaml.safe_load(text))


def test_what_one_dimension_says_twice_is_said(tmp_path: Path) -> None:
    (tmp_path / "one.run").write_text("1 Q0 d1 1 1.0 tag\n")
    (tmp_path / "qrels.bin").write_text("1 0 d1 1\n1 0 d2 0\n")
    (tmp_path / "qrels.graded").write_text("1 0 d1 2\n1 0 d2 0\n1 0 d3 1\n1 0 d1 1\n")
    text, guessed = draft(tmp_path)
    assert "# not used:" in text
    assert any("qrels.bin is not used" in one for one in guessed)
    assert any("several labels" in one and "first counts" in one for one in guessed)
    assert any("no teams" in one for one in guessed)


def test_the_only_labels_are_of_the_first_dimension(tmp_path: Path) -> None:
    (tmp_path / "one.run").write_text("1 Q0 d1 1 1.0 tag\n")
    (tmp_path / "readability.txt").write_text("1 0 d1 1\n1 0 d2 0\n")
    (campaign,) = campaigns(yaml.safe_load(draft(tmp_path)[0])).values()
    assert campaign.labelled == ("topicality",)


def test_names_without_teams() -> None:
    assert team_pattern(["a_1", "b_1"]) is None  # a team each is no team
    assert team_pattern(["a-1", "a-2", "b-1"]) == "^([^-]+)-"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "no runs found"),
        ({"a.run": "1 Q0 d1 1 1.0 tag\n"}, "no labels found"),
        (None, "no such folder"),
    ],
)
def test_a_folder_without_what_it_takes(
    tmp_path: Path, files: dict[str, str] | None, told: str
) -> None:
    folder = tmp_path if files is not None else tmp_path / "nowhere"
    for name, text in (files or {}).items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=told):
        draft(folder)
