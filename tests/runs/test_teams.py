"""Whose run it is: from the name, from the path, from a table; no team is no mistake."""

import gzip
from pathlib import Path

import pytest

from pipeline.config.runs import Teams
from pipeline.errors import InputError
from pipeline.runs.teams import read_table, read_teams, teams_of, write_teams
from tests.campaign.test_campaign import changed, check


def test_from_the_name() -> None:
    given = Teams(name="^([^_]+)_")
    runs = dict.fromkeys(["ecnu_EN_1.txt", "x", "baseline:a_b", "_"])
    assert teams_of(runs, given=given) == {
        "ecnu_EN_1.txt": "ecnu", "x": "", "baseline:a_b": "", "_": "",
    }  # fmt: skip
    assert teams_of({"x": "a/x"}, given=None) == {"x": ""}


def test_from_the_path() -> None:
    given = Teams(path="([^/]+)/IRTask1/")
    files = {
        "run1": "results/c/sources/clef/runs/CUNI/IRTask1/run1",
        "run2": "runs/IMS UNIPD/IRTask1/run2.gz",
        "run3": "runs/run3",
        "fused": None,
    }
    assert list(teams_of(files, given=given).values()) == ["CUNI", "IMS UNIPD", "", ""]


TABLES = {
    "commas": b"run,team\na,X\nb.dat,\"Y, of Z\"\n",
    "tabs and more columns": b"no\tTeam\tRun\n1\tX\ta\n2\tY, of Z\tb.dat\n",
    "line ends, spaces, gz": b"\xef\xbb\xbfrun , team\r\n a , X \r\nb.dat.gz,\"Y, of Z\"\r\n\r\n",
    "gzip": gzip.compress(b"run,team\na,X\nb.dat,\"Y, of Z\""),
}  # fmt: skip


@pytest.mark.parametrize("form", TABLES)
def test_from_a_table(tmp_path: Path, form: str) -> None:
    path = tmp_path / "teams"
    path.write_bytes(TABLES[form])
    given = Teams(table="teams")
    found = teams_of({"a": "x/a", "b.dat": None, "c": "x/c"}, given=given, table=path)
    assert found == {"a": "X", "b.dat": "Y, of Z", "c": ""}


BAD = {
    b"": ": the file is empty; a table of teams has lines of 'run,team'",
    b"run;team\na;b\n": ", line 1: no column 'run'; name the columns run and team",
    b"run,team,run\n": ", line 1: 2 column 'run'; name the columns run and team",
    b"run,team\n": ": the table has no runs",
    b"run,team\na\n": ", line 2: 1 fields where the first line names 2; correct the line",
    b"run,team\na,X\n\na,Y\n": ", line 4: run 'a' is already in line 2; remove one",
    b"run,team\na.gz,X\na,X\n": ", line 3: run 'a' is already in line 2; remove one",
    b"run,team\na, \n": ", line 2: the team is blank; fill it in or remove the line",
    b"run,team\n,X\n": ", line 2: the run is blank; fill it in or remove the line",
    b'run,team\na,"X\n': ", line 2: unexpected end of data; correct the quotes",
    "run,team\na,é\n".encode("latin-1"): "is not valid UTF-8 (as Latin-1 it reads 'a,é')",
    "run,team\na,b\n".encode("utf-16"): ": the file is in UTF-16; save it as UTF-8",
    b"run,team\na,\0\n": ", line 2: a NUL byte, so this is not a text file",
}


@pytest.mark.parametrize("content", BAD, ids=[str(n) for n in range(len(BAD))])
def test_tables_that_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "teams.csv"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_table(path)
    assert str(error.value).startswith(str(path))
    assert BAD[content] in str(error.value)


def test_what_the_steps_read(tmp_path: Path) -> None:
    teams = {"b": "Y, of Z", "a": "", "c\u00e9": '"x"'}
    write_teams(teams, out=tmp_path / "teams.csv")
    assert read_teams(tmp_path / "teams.csv") == teams


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("'^(a)'", Teams(name="^(a)")),
        ("{name: '^(a)'}", Teams(name="^(a)")),
        ("{path: '([^/]+)/x/'}", Teams(path="([^/]+)/x/")),
        ('{table: "@demo/teams.csv"}', Teams(table="@demo/teams.csv")),
        ("{name: '^(a)', none: '^own_'}", Teams(name="^(a)", none="^own_")),
        ("null", None),
    ],
)
def test_in_a_config(given: str, expected: Teams | None) -> None:
    assert check(changed(("runs/team", given)))["c"].runs.team == expected


@pytest.mark.parametrize(
    ("given", "where", "named"),
    [
        ("{}", "", "name, path, table"),
        ("{name: '(a)', path: '(b)'}", "", "name and path"),
        ("{path: 'b'}", ".path", "'b'"),
        ("{path: '(b'}", ".path", "'(b'"),
        ("{none: 'b'}", "", "name, path, table"),
        ("{name: '(a)', none: '(b'}", ".none", "'(b'"),
        ("{table: 't*.csv'}", ".table", "'t*.csv'"),
        ("{table: '@no/t.csv'}", ".table", "'no'"),
        ("{tabel: t}", ".tabel", "'table'"),
        ("3", "", "number 3"),
    ],
)
def test_configs_that_are_refused(given: str, where: str, named: str) -> None:
    with pytest.raises(InputError) as error:
        check(changed(("runs/team", given)))
    (problem,) = error.value.problems
    assert problem.where == f"campaigns.c.runs.team{where}"
    assert named in problem.what + problem.fix
