"""Published figures: tables, and what trec_eval and ubire print."""

import gzip

from tests.intake.malformed.expected import (
    CUT,
    HUGE,
    WIDE,
    WIDER,
    Case,
    Expected,
    at,
    empty,
    latin,
    long,
    nul,
)

HEAD = b"run\tmeasure\ttopic\tvalue\n"


def no_value(line: int, value: str) -> Expected:
    return at(line, f"'{value}'")


def no_column(name: str) -> Expected:
    return at(1, f"'{name}'", fix="run, tool, measure, topic, value")


def few(line: int, number: int) -> Expected:
    return at(line, f"{number} fields", "4")


PUBLISHED: dict[str, Case] = {
    "0e99999": (HEAD + b"r\tmap\tall\t0e99999\n", no_value(2, "0e99999")),
    "0e999": (HEAD + b"r\tmap\tall\t0e999\n", no_value(2, "0e999")),
    "0e-99999": (HEAD + b"r\tmap\tall\t0e-99999\n", no_value(2, "0e-99999")),
    "5,000 digits": (HEAD + b"r\tmap\tall\t" + b"1" * 5000, no_value(2, "1" * 60 + "...")),
    "an exponent of 5,000 digits": (
        HEAD + b"r\tmap\tall\t1e" + b"1" * 5000, no_value(2, "1e" + "1" * 58 + "..."),
    ),
    "other digits": (HEAD + "r\tmap\tall\t\u0660.\u0665\n".encode(), no_value(2, "\u0660.\u0665")),
    "underscores": (HEAD + b"r\tmap\tall\t1_0\n", no_value(2, "1_0")),
    "UTF-16": (HEAD.decode().encode("utf-16"), WIDE),
    "latin-1": (HEAD + "é\tmap\tall\t1\n".encode("latin-1"), latin(2, "é")),
    "a NUL byte": (HEAD + b"r\tmap\tall\t1\0\n", nul(2, "published result")),
    "gzip cut short": (gzip.compress(HEAD)[:-3], CUT),
    "empty": (b"\n\n", empty("published result", "run tool measure topic value")),
    "only the head": (HEAD, at(None, "no value", fix="audit.published")),
    "no column of runs": (b"measure\ttopic\tvalue\n", no_column("run")),
    "no column of measures": (b"run\ttopic\tvalue\n", no_column("measure")),
    "spaces for tabs": (HEAD.replace(b"\t", b" "), no_column("run")),
    "a field too few": (HEAD + b"r\tmap\tall\n", few(2, 3)),
    "a field too many": (HEAD + b"r\tmap\tall\t1\t2\n", few(2, 5)),
    "a blank line": (HEAD + b"\nr\tmap\tall\t1\n", few(2, 1)),
    "no value": (HEAD + b"r\tmap\tall\t\n", no_value(2, "")),
    "a dash": (HEAD + b"r\tmap\tall\t-\n", no_value(2, "-")),
    "infinite": (HEAD + b"r\tmap\tall\tinf\n", no_value(2, "inf")),
    "a comma for a point": (HEAD + b"r\tmap\tall\t0,5\n", no_value(2, "0,5")),
    "a percentage": (HEAD + b"r\tmap\tall\t50%\n", no_value(2, "50%")),
    "a run of a megabyte": (HEAD + HUGE + b"\tmap\tall\t1\n", long(2, "9" * 30)),
    "a topic of a megabyte": (HEAD + b"r\tmap\t" + HUGE + b"\t1\n", long(2, "9" * 30)),
    "trec_eval: a field too many": (
        b"map all 0.5\nP_10 all 0.5 0.6 0.7\n",
        at(2, "5 fields", fix="measure, topic and value"),
    ),
    "trec_eval: two fields": (
        b"map all 0.5\nP_10 0.5\n",
        at(2, "2 fields", fix="measure, topic and value"),
    ),
    "trec_eval: a word": (b"map all 0.5\nP_10 all high\n", no_value(2, "high")),
    "trec_eval: 0e99999": (b"map all 0.5\nP_10 all 0e99999\n", no_value(2, "0e99999")),
    "trec_eval: only the tag": (
        b"runid all tag\n", at(None, "no value", fix="audit.published"),
    ),
    "ubire: another run": (
        b"RBP(0.8)\t1\tgiven\t0.5\nRBP(0.8)\t1\tother\t0.5\n",
        at(2, "'other'", "'given'"),
    ),
    "UTF-32": (HEAD.decode().encode("utf-32"), WIDER),
    "old Mac": (HEAD.replace(b"\n", b"\r") + b"r\tmap\tall\tx\r", no_value(2, "x")),
}  # fmt: skip
