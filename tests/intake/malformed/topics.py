"""Topics files: lines, TREC's SGML and XML."""

import gzip

from tests.intake.malformed.sentences import CUT, HUGE, WIDE, Case, empty, latin, long, nul

NO_TOPIC = "FILE: no topic found; use <top>, <topic> or <query>, or id<TAB>query"


def twice(line: int, topic: str, first: int) -> str:
    return f"FILE, line {line}: topic '{topic}' is already in line {first}; remove one"


def no_topic(line: int, text: str) -> str:
    return f"FILE, line {line}: '{text}' is not a topic; write the topic id, a tab and the query"


TOPICS: dict[str, Case] = {
    "one CR among line feeds": (
        b"1\ta\r2\tb\n3\tc\n",
        "FILE, line 1: a carriage return (CR) inside the line; "
        "end every line in the same way, with LF or CRLF",
    ),
    "100,000 open comments": (
        b"<topics>\n" + b"<!--" * 100_000,
        "FILE, line 2: this <!-- is not closed; add --> where it ends",
    ),
    "a comment that opens at the end": (
        b"<topics>\n<topic><id>1</id><title>a</title></topic>\n</topics><!--",
        "FILE, line 3: this <!-- is not closed; add --> where it ends",
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
        "FILE, line 1: this <top> is not closed; add </top> where it ends",
    ),
    "the second topic not closed": (
        b"<topic><id>1</id><title>a</title></topic>\n<topic><id>2</id>",
        "FILE, line 2: this <topic> is not closed; add </topic> where it ends",
    ),
    "a topic that swallows the next": (
        b"<topic><id>1</id><title>a</title>\n<topic><id>2</id><title>b</title></topic>",
        "FILE, line 1: this <topic> is not closed; add </topic> where it ends",
    ),
    "no id": (
        b"<topic><title>a</title></topic>",
        "FILE, line 1: this <topic> has no topic id; add <num> or <id>",
    ),
    "an empty id": (
        b"<topic><id> </id><title>a</title></topic>",
        "FILE, line 1: this <topic> has no topic id; add <num> or <id>",
    ),
    "no query": (
        b"<topic>\n<id>7</id></topic>",
        "FILE, line 1: topic '7' has no query; add <title> or <query>, "
        "or name its element with topics.query",
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
