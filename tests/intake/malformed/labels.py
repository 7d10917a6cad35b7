"""Label files: their form, and labels that the scale from 0 to 2 does not have."""

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
    long,
    nul,
)

LABEL = b"1 0 d1 1\n"


def no_label(line: int, value: str) -> Expected:
    return at(line, "label", f"'{value}'")


KIND = ("qrels", "topic 0 document label")


def fields(line: int, number: int, *, fix: str = "") -> Expected:
    return at(line, f"{number} fields", "4", "'topic 0 document label'", fix=fix)


def outside(line: int, label: str) -> Expected:
    return at(line, f"label {label}", "0 to 2", fix="cannot_judge")


def twice(line: int, label: str, first: str) -> Expected:
    return at(line, "'d1'", "'1'", f"label {label}", first, "line 1", fix="conflict")


QRELS: dict[str, Case] = {
    "Arabic digits": (LABEL + "1 0 d2 \u0661\n".encode(), no_label(2, "\u0661")),
    "Devanagari digits": (LABEL + "1 0 d2 १\n".encode(), no_label(2, "१")),
    "superscript": (LABEL + "1 0 d2 ²\n".encode(), no_label(2, "²")),
    "5,000 digits": (LABEL + b"1 0 d2 " + b"1" * 5000, no_label(2, "1" * 60 + "...")),
    "an exponent of 5,000 digits": (
        b"1 0 d 0e" + b"1" * 5000, no_label(1, "0e" + "1" * 58 + "..."),
    ),
    "hexadecimal": (b"1 0 d 0x1\n", no_label(1, "0x1")),
    "UTF-16": (LABEL.decode().encode("utf-16"), WIDE),
    "UTF-16 without a mark": (LABEL.decode().encode("utf-16-le"), WIDE),
    "cp1252": (
        LABEL + "1 0 “d” 1\n".encode("cp1252"), at(2, r"b'\x93d\x94'", "'“d”'", fix="UTF-8"),
    ),
    "an id of a megabyte": (b"1 0 " + HUGE + b" 1\n", long(1, "9" * 30)),
    "a topic of a megabyte": (HUGE + b" 0 d 1\n", long(1, "9" * 30)),
    "only comments": (b"# a\n# b\n", comments(*KIND)),
    "empty": (b"", empty(*KIND)),
    "only spaces": (b" \n\t\n", empty(*KIND)),
    "an empty gzip": (gzip.compress(b""), empty(*KIND)),
    "gzip cut short": (gzip.compress(LABEL)[:-9], CUT),
    "gzip with other bytes": (gzip.compress(LABEL)[:12] + b"?" * 20, CUT),
    "gzip with a bad block": (bad_block(LABEL), CUT),
    "UTF-32": (LABEL.decode().encode("utf-32"), WIDER),
    "a NUL byte": (LABEL + b"1 0 d\0 1\n", nul(2, "qrels")),
    "three fields": (LABEL + b"1 d 1\n", fields(2, 3)),
    "five fields": (b"1 0 d 1 x\n", fields(1, 5)),
    "a document with a space": (b"1 0 my page 1\n", fields(1, 5)),
    "a run": (
        b"1 Q0 d 1 0.5 tag\n",
        fields(1, 6, fix="run"),
    ),
    "commas": (b"1,0,d,1\n", fields(1, 1)),
    "a comment behind the label": (b"1 0 d 1 # sure\n", fields(1, 6)),
    "no-break spaces": ("1\u00a00\u00a0d\u00a01\n".encode(), fields(1, 1)),
    "a line after CRLF": (b"1 0 d 1\r\n1 0 e x\r\n", no_label(2, "x")),
    "old Mac": (b"1 0 d 1\r1 0 e x\r", no_label(2, "x")),
    "a mark in the middle": (LABEL + b"1 0 d \xef\xbb\xbf1\n", no_label(2, "\ufeff1")),
    "a word": (b"1 0 d relevant\n", no_label(1, "relevant")),
    "a dash": (b"1 0 d -\n", no_label(1, "-")),
    "nothing but a sign": (b"1 0 d +\n", no_label(1, "+")),
    "a minus of typographers": ("1 0 d \u22121\n".encode(), no_label(1, "\u22121")),
    "infinite": (b"1 0 d inf\n", no_label(1, "inf")),
    "not a number": (b"1 0 d NaN\n", no_label(1, "NaN")),
    "too large for a number": (b"1 0 d 1e400\n", no_label(1, "1e400")),
    "a comma for a point": (b"1 0 d 0,5\n", no_label(1, "0,5")),
    "an id of 1,001 bytes": (b"1 0 " + b"d" * 1001 + b" 1\n", long(1, "d" * 30, 1001)),
}  # fmt: skip

LABELS: dict[str, Case] = {
    "above the scale": (LABEL + b"1 0 d2 3\n", outside(2, "3")),
    "below the scale": (b"1 0 d1 -1\n", outside(1, "-1")),
    "far above": (b"1 0 d1 1e299\n", outside(1, "1e+299")),
    "just above": (b"1 0 d1 2.5\n", outside(1, "2.5")),
    "two labels": (LABEL + b"1 0 d1 2\n", twice(2, "2", "1")),
    "two labels, one of them none": (b"1 0 d1 0\n2 0 d1 1\n1 0 d1 1\n", twice(3, "1", "0")),
}
