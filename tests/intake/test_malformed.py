"""Malformed input of every kind: each gets its exact sentence, no traceback, and leaves nothing."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.audit import published
from pipeline.errors import InputError
from pipeline.labels import costs, topics
from pipeline.labels.qrels import read_qrels
from pipeline.runs.ingest import ingest
from pipeline.storage import text as reader
from pipeline.storage.text import natural, number

# In what is expected, FILE stands for the file's path.
Case = tuple[bytes, str]

WIDE = "FILE: the file is in UTF-16; save it as UTF-8"
HUGE = b"9" * 1_000_000


def latin(line: int, word: str) -> str:
    return (
        f"FILE, line {line}: {word.encode('latin-1')!r} is not valid UTF-8 "
        f"(as Latin-1 it reads '{word}'); save the file as UTF-8"
    )


def empty(what: str, line: str) -> str:
    return f"FILE: the file is empty; a {what} has lines of '{line}'"


def nul(line: int, what: str) -> str:
    return f"FILE, line {line}: a NUL byte, so this is not a text file; send the {what} itself"


def long(line: int, start: str, size: int = 1_000_000) -> str:
    return (
        f"FILE, line {line}: an id of {size} characters, '{start}...'; "
        "ids have at most 1000, so correct the line"
    )


CUT = "FILE: the gzip file is damaged or cut short; ask for it again"

COST = b"d1 10\nd2 2.5\n"


def no_cost(line: int, value: str) -> str:
    return f"FILE, line {line}: '{value}' is no cost; it must be a number above 0"


COSTS: dict[str, Case] = {
    "latin-1": ("d1 1\ncafé 2\n".encode("latin-1"), latin(2, "café")),
    "UTF-16": (COST.decode().encode("utf-16"), WIDE),
    "UTF-16 without a mark": (COST.decode().encode("utf-16-be"), WIDE),
    "UTF-32": (COST.decode().encode("utf-32"), "FILE: the file is in UTF-32; save it as UTF-8"),
    "gzip cut short": (gzip.compress(COST)[:-3], CUT),
    "latin-1 in gzip": (gzip.compress("é 2\n".encode("latin-1")), latin(1, "é")),
    "a NUL byte": (b"d1 1\nd2\0 2\n", nul(2, "costs file")),
    "empty": (b"", empty("costs file", "document cost")),
    "one column": (b"d1\n", "FILE, line 1: has 1 columns; write a document and its cost"),
    "three columns": (b"d 1 2\n", "FILE, line 1: has 3 columns; write a document and its cost"),
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
        "FILE, line 2: d1 costs 2 here and 1 above; keep one of them",
    ),
    "after a comment": (b"# words\nd1 x\n", no_cost(2, "x")),
    "old Mac": (b"d1 1\rd2 x\r", no_cost(2, "x")),
}

LABEL = b"1 0 d1 1\n"


def no_label(line: int, value: str) -> str:
    return f"FILE, line {line}: the label '{value}' is not a number; correct it"


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
    "cp1252": (LABEL + "1 0 “d” 1\n".encode("cp1252"), (
        "FILE, line 2: b'\\x93d\\x94' is not valid UTF-8 (as Latin-1 it reads '“d”'); "
        "save the file as UTF-8"
    )),
    "an id of a megabyte": (b"1 0 " + HUGE + b" 1\n", long(1, "9" * 30)),
    "a topic of a megabyte": (HUGE + b" 0 d 1\n", long(1, "9" * 30)),
    "only comments": (
        b"# a\n# b\n",
        "FILE: every line is a comment (#); a qrels has lines of 'topic 0 document label'",
    ),
}  # fmt: skip

HEAD = b"run\tmeasure\ttopic\tvalue\n"


def no_value(line: int, value: str) -> str:
    return f"FILE, line {line}: the value '{value}' is not a number; correct it"


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
    "old Mac": (HEAD.replace(b"\n", b"\r") + b"r\tmap\tall\tx\r", no_value(2, "x")),
}  # fmt: skip

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
    "UTF-16": ("1\ta\n".encode("utf-16"), WIDE),
    "latin-1": ("1\tcafé\n".encode("latin-1"), latin(1, "café")),
    "a NUL byte": (b"1\ta\n2\tb\0\n", nul(2, "topics file")),
    "empty gzip": (gzip.compress(b""), empty("topics file", "id<TAB>query")),
    "an id of a megabyte": (HUGE + b"\tquery\n", long(1, "9" * 30)),
}

READERS: dict[str, tuple[Callable[[Path], object], dict[str, Case]]] = {
    "costs": (costs.read, COSTS),
    "qrels": (read_qrels, QRELS),
    "published": (lambda path: published.read([path]), PUBLISHED),
    "topics": (topics.read, TOPICS),
}
CASES = {
    f"{kind}: {name}": (read, *case)
    for kind, (read, cases) in READERS.items()
    for name, case in cases.items()
}


@pytest.mark.parametrize(("read", "content", "sentence"), CASES.values(), ids=CASES)
def test_sentence(
    tmp_path: Path, read: Callable[[Path], object], content: bytes, sentence: str
) -> None:
    path = tmp_path / "given"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == sentence.replace("FILE", str(path))
    assert list(tmp_path.iterdir()) == [path]


GOOD = {
    "gzip": gzip.compress(COST),
    "CRLF": COST.replace(b"\n", b"\r\n"),
    "old Mac": COST.replace(b"\n", b"\r"),
    "mark": b"\xef\xbb\xbf" + COST,
    "comments": b"#doc cost\n" + COST + b"# end",
}


@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD)
def test_costs_as_they_come(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "costs"
    path.write_bytes(content)
    assert costs.read(path) == {"d1": 10.0, "d2": 2.5}


def test_topics_with_old_line_ends_are_as_many_as_there_are(tmp_path: Path) -> None:
    path = tmp_path / "topics"
    path.write_bytes(b"1\tcold\r2\tflu\r")
    assert topics.read(path) == {"1": "cold", "2": "flu"}


def test_gzip_that_unpacks_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "ALWAYS", 1 << 20)
    path = tmp_path / "bomb.gz"
    path.write_bytes(packed := gzip.compress(b" " * (64 << 20)))
    with pytest.raises(InputError) as error:
        read_qrels(path)
    most = max(1 << 20, 100 * len(packed)) >> 20
    assert str(error.value) == (
        f"{path}: the gzip file of {len(packed)} bytes unpacks to more than {most} MiB; "
        "send the text itself if it is meant"
    )


def test_long_numbers_are_in_their_order() -> None:
    short, long = "t9", "t" + "1" * 5000
    assert sorted([long, short, "t10", "t09"], key=natural) == ["t09", short, "t10", long]


def test_numbers_are_those_of_float() -> None:
    for text in ("0", "-1", "+2.5", ".5", "5.", "1e3", "1E-3", "0.30000000000000004", "1e0299"):
        assert number(text) == float(text)


# ---- runs ------------------------------------------------------------------------------------


def ingested(folder: Path, files: dict[str, bytes]) -> str:
    """What is wrong with a batch of runs; nothing is written."""
    paths = []
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        paths.append(path)
    out = folder / "out"
    out.mkdir()
    with pytest.raises(InputError) as error:
        ingest(
            paths, out=out / "0.parquet", facts=out / "0.json",
            order="score", depth=1000, duplicates="error", bad_scores="error",
        )  # fmt: skip
    assert not list(out.iterdir())
    return str(error.value).replace(f"{folder}/", "")


RUN = b"1 Q0 a 1 2 t\n"


def test_all_bad_runs_of_a_batch_are_named(tmp_path: Path) -> None:
    files = {
        "r1": RUN * 2,
        "r2": RUN,
        "r3": b"1 Q0 a\n",
        "r4": RUN.decode().encode("utf-16"),
        "r5": b"1 Q0 a 1 nan t\n",
        "r6": b"",
    }
    assert ingested(tmp_path, files).split("\n") == [
        "r1, line 2: document 'a' is there twice in topic '1' (such lines: 1); remove it, "
        "or set policies.duplicates to 'first'",
        "r3, line 1: 3 fields where a run line has 6 ('topic Q0 document rank score tag'); "
        "correct the line",
        "r4: the file is in UTF-16; save it as UTF-8",
        "r5, line 1: the score 'nan' is not finite (such lines: 1); correct it, "
        "or set policies.bad_scores to 'last'",
        "r6: the file is empty; a run has lines of 'topic Q0 document rank score tag'",
    ]


def test_two_runs_of_one_name_are_not_mixed(tmp_path: Path) -> None:
    files = {"a/run.gz": RUN, "b/run": b"1 Q0 b 1 2 t\n", "b/other": RUN}
    assert ingested(tmp_path, files) == (
        "a/run.gz and b/run both give the run name 'run'; "
        "rename one of them or take it out of runs.files"
    )


@pytest.mark.parametrize(
    ("line", "start"),
    [(b"1 Q0 " + b"x" * 1_000_000 + b" 1 2 t\n", "x" * 30), (HUGE + b" Q0 a 1 2 t\n", "9" * 30)],
    ids=["document", "topic"],
)
def test_an_id_of_a_megabyte(tmp_path: Path, line: bytes, start: str) -> None:
    told = ingested(tmp_path, {"r1": RUN, "r2": RUN + b"#\n" + line})
    assert told == long(3, start).replace("FILE", "r2")
