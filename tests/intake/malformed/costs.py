"""Costs files: document and cost."""

import gzip

from tests.intake.malformed.expected import (
    CUT,
    WIDE,
    WIDER,
    Case,
    Expected,
    at,
    comments,
    empty,
    latin,
    long,
    nul,
)

COST = b"d1 10\nd2 2.5\n"


def no_cost(line: int, value: str) -> Expected:
    return at(line, f"'{value}'", fix="above 0")


COSTS: dict[str, Case] = {
    "latin-1": ("d1 1\ncafé 2\n".encode("latin-1"), latin(2, "café")),
    "UTF-16": (COST.decode().encode("utf-16"), WIDE),
    "UTF-16 without a mark": (COST.decode().encode("utf-16-be"), WIDE),
    "UTF-32": (COST.decode().encode("utf-32"), WIDER),
    "gzip cut short": (gzip.compress(COST)[:-3], CUT),
    "latin-1 in gzip": (gzip.compress("é 2\n".encode("latin-1")), latin(1, "é")),
    "a NUL byte": (b"d1 1\nd2\0 2\n", nul(2, "costs file")),
    "empty": (b"", empty("costs file", "document cost")),
    "one column": (b"d1\n", at(1, "1 columns")),
    "three columns": (b"d 1 2\n", at(1, "3 columns")),
    "a word": (b"d1 dear\n", no_cost(1, "dear")),
    "zero": (b"d1 0\n", no_cost(1, "0")),
    "negative": (b"d1 -1\n", no_cost(1, "-1")),
    "infinite": (b"d1 inf\n", no_cost(1, "inf")),
    "not a number": (b"d1 nan\n", no_cost(1, "nan")),
    "underscores": (b"d1 1_000\n", no_cost(1, "1_000")),
    "Arabic digits": ("d1 \u0663\n".encode(), no_cost(1, "\u0663")),
    "full-width digits": ("d1 \uff13\n".encode(), no_cost(1, "\uff13")),
    "5,000 digits": (b"d1 " + b"9" * 5000, no_cost(1, "9" * 60 + "...")),
    "an exponent of 5,000 digits": (b"d1 1e" + b"9" * 5000, no_cost(1, "1e" + "9" * 58 + "...")),
    "0e99999": (b"d1 0e99999", no_cost(1, "0e99999")),
    "comma": (b"d1 1,5", no_cost(1, "1,5")),
    "an id of a megabyte": (b"x" * 1_000_000 + b" 1\n", long(1, "x" * 30)),
    "two costs": (
        b"d1 1\r\nd1 2\r\n",
        at(2, "d1", "2", "1"),
    ),
    "only comments": (b"# a\n", comments("costs file", "document cost")),
    "only line ends": (b"\n\r\n", empty("costs file", "document cost")),
    "an empty gzip": (gzip.compress(b""), empty("costs file", "document cost")),
    "gzip that is none": (b"\x1f\x8bhello", CUT),
    "hexadecimal": (b"d1 0x10", no_cost(1, "0x10")),
    "a sign alone": (b"d1 +", no_cost(1, "+")),
    "two points": (b"d1 1.2.3", no_cost(1, "1.2.3")),
    "a unit": (b"d1 10s", no_cost(1, "10s")),
    "an id of 1,001 characters": (b"x" * 1001 + b" 1\n", long(1, "x" * 30, 1001)),
    "after a comment": (b"# words\nd1 x\n", no_cost(2, "x")),
    "old Mac": (b"d1 1\rd2 x\r", no_cost(2, "x")),
}
