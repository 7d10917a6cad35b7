"""Runs, as participants send them."""

import gzip

from tests.intake.malformed.expected import (
    CUT,
    HUGE,
    WIDE,
    WIDER,
    Case,
    Expected,
    at,
    bad_block,
    comments,
    empty,
    latin,
    long,
    nul,
)

RUN = b"1 Q0 a 1 2 t\n"
KIND = ("run", "topic Q0 document rank score tag")


def fields(line: int, number: int) -> Expected:
    return at(line, f"{number} fields", "6", "'topic Q0 document rank score tag'")


def rank(line: int, value: str) -> Expected:
    return at(line, f"rank '{value}'", "9 digits")


def score(line: int, value: str) -> Expected:
    return at(line, f"score '{value}'")


def infinite(line: int, value: str, number: int = 1) -> Expected:
    return at(line, f"score '{value}'", f": {number})", fix="policies.bad_scores to 'last'")


def twice(line: int, number: int = 1) -> Expected:
    return at(line, "'a'", "'1'", f": {number})", fix="policies.duplicates to 'first'")


RUNS: dict[str, Case] = {
    "empty": (b"", empty(*KIND)),
    "only line ends": (b"\n\n\r\n", empty(*KIND)),
    "only comments": (b"# my run\n#\n", comments(*KIND)),
    "an empty gzip": (gzip.compress(b""), empty(*KIND)),
    "gzip cut short": (gzip.compress(RUN * 99)[:-5], CUT),
    "gzip with a bad block": (bad_block(RUN), CUT),
    "gzip that is none": (b"\x1f\x8b" + RUN, CUT),
    "UTF-16": (RUN.decode().encode("utf-16"), WIDE),
    "UTF-16 without a mark": (RUN.decode().encode("utf-16-be"), WIDE),
    "UTF-32": (RUN.decode().encode("utf-32"), WIDER),
    "a NUL byte": (RUN + b"1 Q0 b\0 2 1 t\n", nul(2, "run")),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", fields(1, 1)),
    "latin-1": (RUN + "1 Q0 café 2 1 t\n".encode("latin-1"), latin(2, "café")),
    "five fields": (RUN + b"1 Q0 b 2 1\n", fields(2, 5)),
    "seven fields": (b"1 Q0 b 2 1 my tag\n", fields(1, 7)),
    "a qrels": (b"1 0 a 1\n", fields(1, 4)),
    "commas": (b"1,Q0,a,1,2,t\n", fields(1, 1)),
    "a web page": (b"<!DOCTYPE html>\n<html>\n", fields(1, 2)),
    "a head": (b"topic document score\n" + RUN, fields(1, 3)),
    "a comment behind": (b"1 Q0 a 1 2 t # best\n", fields(1, 8)),
    "no-break spaces": ("1\u00a0Q0\u00a0a\u00a01\u00a02\u00a0t\n".encode(), fields(1, 1)),
    "a rank that is a word": (b"1 Q0 a first 2 t\n", rank(1, "first")),
    "a rank with a point": (b"1 Q0 a 1.0 2 t\n", rank(1, "1.0")),
    "a rank of 10 digits": (b"1 Q0 a 1234567890 2 t\n", rank(1, "1234567890")),
    "a rank of 5,000 digits": (b"1 Q0 a " + b"1" * 5000 + b" 2 t\n", rank(1, "1" * 60 + "...")),
    "a rank in Arabic digits": ("1 Q0 a \u0661 2 t\n".encode(), rank(1, "\u0661")),
    "score and rank changed places": (b"1 Q0 a 0.5 1 t\n", rank(1, "0.5")),
    "a score that is a word": (RUN + b"1 Q0 b 2 high t\n", score(2, "high")),
    "a score with a comma": (b"1 Q0 a 1 0,5 t\n", score(1, "0,5")),
    "a score in hexadecimal": (b"1 Q0 a 1 0x1p3 t\n", score(1, "0x1p3")),
    "a score with underscores": (b"1 Q0 a 1 1_000 t\n", score(1, "1_000")),
    "a score in Arabic digits": ("1 Q0 a 1 \u0663 t\n".encode(), score(1, "\u0663")),
    "a score with a minus of typographers": ("1 Q0 a 1 \u22121 t\n".encode(), score(1, "\u22121")),
    "a score of a sign": (b"1 Q0 a 1 - t\n", score(1, "-")),
    "a long word for a score": (b"1 Q0 a 1 " + b"x" * 5000 + b" t\n", score(1, "x" * 60 + "...")),
    "nan": (b"1 Q0 a 1 nan t\n", infinite(1, "nan")),
    "-inf twice": (b"1 Q0 a 1 -inf t\n1 Q0 b 2 -inf t\n", infinite(1, "-inf", 2)),
    "a document twice": (RUN * 2, twice(2)),
    "a document three times": (RUN + b"1 Q0 b 2 1 t\n" + RUN * 2, twice(3, 2)),
    "an error after old line ends": (b"1 Q0 a 1 2 t\r1 Q0 b x 1 t\r", rank(2, "x")),
    "an error after a comment": (b"# mine\n1 Q0 b x 1 t\n", rank(2, "x")),
    "a document of a megabyte": (b"1 Q0 " + b"x" * 1_000_000 + b" 1 2 t\n", long(1, "x" * 30)),
    "a topic of a megabyte": (HUGE + b" Q0 a 1 2 t\n", long(1, "9" * 30)),
    "a document of 1,001 bytes": (b"1 Q0 " + b"x" * 1001 + b" 1 2 t\n", long(1, "x" * 30, 1001)),
}
