"""Tables of runs and their teams."""

import gzip

from tests.intake.malformed.expected import (
    CUT,
    HUGE,
    WIDE,
    Case,
    Expected,
    at,
    bad_block,
    empty,
    latin,
    long,
    nul,
)

HEAD = b"run,team\n"
KIND = ("table of teams", "run,team")


def column(number: str, name: str) -> Expected:
    return at(1, f"{number} column '{name}'", fix="run and team")


def fields(line: int, number: int) -> Expected:
    return at(line, f"{number} fields", "2")


def blank(line: int, what: str) -> Expected:
    return at(line, what, "blank")


TEAMS: dict[str, Case] = {
    "empty": (b"", empty(*KIND)),
    "an empty gzip": (gzip.compress(b""), empty(*KIND)),
    "gzip with a bad block": (bad_block(HEAD), CUT),
    "UTF-16": (HEAD.decode().encode("utf-16"), WIDE),
    "latin-1": (HEAD + "r,café\n".encode("latin-1"), latin(2, "r,café")),
    "a NUL byte": (HEAD + b"r,t\0\n", nul(2, "table of teams")),
    "only the head": (
        HEAD, at(None, "no run"),
    ),
    "no head": (b"r,t\n", column("no", "run")),
    "no column of teams": (b"run,group\nr,t\n", column("no", "team")),
    "a column twice": (b"run,team,team\nr,t,u\n", column("2", "team")),
    "semicolons": (b"run;team\nr;t\n", column("no", "run")),
    "a blank line first": (b"\nrun,team\nr,t\n", column("no", "run")),
    "a field too few": (HEAD + b"r\n", fields(2, 1)),
    "a field too many": (HEAD + b"r,t,u\n", fields(2, 3)),
    "tabs after commas": (HEAD + b"r\tt\n", fields(2, 1)),
    "no team": (HEAD + b"a,t\nr,\n", blank(3, "team")),
    "no run": (HEAD + b" ,t\n", blank(2, "run")),
    "a run twice": (
        HEAD + b"r,t\nr.gz,u\n", at(3, "'r'", "line 2"),
    ),
    "an open quote": (
        HEAD + b'"r,t\n', at(2, fix="quotes"),
    ),
    "a quote in the middle": (
        HEAD + b'"r"x,t\n', at(2, fix="quotes"),
    ),
    "a run of a megabyte": (HEAD + HUGE + b",t\n", long(2, "9" * 30)),
    "a column of a megabyte": (HUGE + b",team\nr,t\n", long(1, "9" * 30)),
}  # fmt: skip
