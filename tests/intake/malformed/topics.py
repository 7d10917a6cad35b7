"""Topics files: lines, TREC's SGML and XML."""

import gzip

from tests.intake.malformed.expected import (
    CUT,
    HUGE,
    WIDE,
    Case,
    Expected,
    at,
    empty,
    latin,
    long,
    nul,
)

NO_TOPIC = at(None, "no topic", fix="<top>, <topic> or <query>, or id<TAB>query")


def twice(line: int, topic: str, first: int) -> Expected:
    return at(line, f"'{topic}'", f"line {first}")


def no_topic(line: int, text: str) -> Expected:
    return at(line, f"'{text}'", fix="tab")


TOPICS: dict[str, Case] = {
    "one CR among line feeds": (
        b"1\ta\r2\tb\n3\tc\n",
        at(1, "CR", fix="CRLF"),
    ),
    "100,000 open comments": (
        b"<topics>\n" + b"<!--" * 100_000,
        at(2, "<!--", fix="-->"),
    ),
    "a comment that opens at the end": (
        b"<topics>\n<topic><id>1</id><title>a</title></topic>\n</topics><!--",
        at(3, "<!--", fix="-->"),
    ),
    "an id twice": (b"1\ta\n2\tb\n1\tc\n", twice(3, "1", 1)),
    "an id twice in XML": (
        b"<topic><id>1</id><title>a</title></topic>\n<topic><id>1</id><title>b</title></topic>",
        twice(2, "1", 1),
    ),
    "no tab": (b"1\ta\n2 b\n", no_topic(2, "2 b")),
    "an id without a query": (b"1\t\n", no_topic(1, "1")),
    "a query without an id": (b"\tcold\n", no_topic(1, "cold")),
    "a query of spaces": (b"1\t  \n", no_topic(1, "1")),
    "commas": (b"1,cold\n", no_topic(1, "1,cold")),
    "only comments": (b"# none\n", NO_TOPIC),
    "tags of something else": (b"<pages><page>a</page></pages>", NO_TOPIC),
    "a web page": (b"<!DOCTYPE html><html><body>Sorry</body></html>", NO_TOPIC),
    "a topic not closed": (
        b"<top>\n<num>1\n<title>a\n",
        at(1, "<top>", fix="</top>"),
    ),
    "the second topic not closed": (
        b"<topic><id>1</id><title>a</title></topic>\n<topic><id>2</id>",
        at(2, "<topic>", fix="</topic>"),
    ),
    "a topic that swallows the next": (
        b"<topic><id>1</id><title>a</title>\n<topic><id>2</id><title>b</title></topic>",
        at(1, "<topic>", fix="</topic>"),
    ),
    "no id": (
        b"<topic><title>a</title></topic>",
        at(1, "<topic>", "id", fix="<num> or <id>"),
    ),
    "an empty id": (
        b"<topic><id> </id><title>a</title></topic>",
        at(1, "<topic>", "id", fix="<num> or <id>"),
    ),
    "no query": (
        b"<topic>\n<id>7</id></topic>",
        at(1, "'7'", "query", fix="topics.query"),
    ),
    "an id of a megabyte in XML": (
        b"<topic><id>" + HUGE + b"</id><title>a</title></topic>",
        long(1, "9" * 30),
    ),
    "UTF-16 XML": ("<topic>".encode("utf-16-le"), WIDE),
    "gzip cut short": (gzip.compress(b"1\ta\n")[:-3], CUT),
    "UTF-16": ("1\ta\n".encode("utf-16"), WIDE),
    "latin-1": ("1\tcafé\n".encode("latin-1"), latin(1, "café")),
    "a NUL byte": (b"1\ta\n2\tb\0\n", nul(2, "topics file")),
    "empty gzip": (gzip.compress(b""), empty("topics file", "id<TAB>query")),
    "an id of a megabyte": (HUGE + b"\tquery\n", long(1, "9" * 30)),
}
