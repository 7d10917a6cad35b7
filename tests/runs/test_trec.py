"""The run and qrels readers: every quirk seen, against a slow reader, and the exact complaints."""

import gzip
import math
import random
from collections.abc import Callable, Iterator
from decimal import ROUND_FLOOR, Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import InputError
from pipeline.labels.qrels import read_qrels
from pipeline.runs.format import RUN_LINE
from pipeline.runs.reader import Run, RunPolicies, RunReader, joined, run_name
from pipeline.storage.text import read_bytes
from tests.runs import slow_reader
from tests.runs.readers import both, run_reader

ORDERS = ("score32", "score64", "rank")


@pytest.fixture(autouse=True, scope="module")
def _both_readers() -> Iterator[None]:
    """Every file is read by both readers."""
    with pytest.MonkeyPatch.context() as patch:
        both(patch)
        yield


def ranking(
    content: bytes, *, order: str = "score", depth: int = 0, reader: RunReader | None = None
) -> slow_reader.Ranked:
    """What both of the library's readers make of a run, in the words of the slow one."""
    reader = reader or run_reader(order=order, depth=depth)
    run = reader.read_lines(Path("run"), content)
    topics, (starts, text) = reader.topics(), reader.documents()
    lists = {
        topics[topic]: [
            (text[starts[d] : starts[d + 1]].decode(), score)
            for d, score in zip(
                run.rows.document[rows].tolist(), run.rows.score[rows].tolist(), strict=True
            )
        ]
        for topic, rows in run.rows.groups
    }
    assert sum(map(len, lists.values())) == len(run.rows.document)
    summary = run.summary
    return slow_reader.Ranked(
        lists, summary.lines, summary.duplicates, summary.bad_scores, summary.tied,
        summary.top10_differs,
    )  # fmt: skip


def read_file(path: Path, content: bytes, **policies: str) -> Run:
    path.write_bytes(content)
    return RunReader(RunPolicies(**policies)).read(path)  # type: ignore[arg-type]


# ---- quirks ---------------------------------------------------------------------------------

PLAIN = b"1 Q0 a 1 3.5 t\n1 Q0 b 2 2 t\n2 Q0 a 1 1 t\n"
SAME = {"1": [("a", 3.5), ("b", 2.0)], "2": [("a", 1.0)]}
QUIRKS = {
    "plain": (PLAIN, SAME),
    "tabs": (PLAIN.replace(b" ", b"\t"), SAME),
    "several spaces": (PLAIN.replace(b" ", b"   "), SAME),
    "leading spaces": (b"  " + PLAIN.replace(b"\n", b"\n \t "), SAME),
    "trailing spaces": (PLAIN.replace(b"\n", b" \t\n"), SAME),
    "CRLF": (PLAIN.replace(b"\n", b"\r\n"), SAME),
    "mixed line ends": (PLAIN.replace(b"\n", b"\r\n", 1), SAME),
    "no final newline": (PLAIN.rstrip(), SAME),
    "CRLF without the last LF": (PLAIN.replace(b"\n", b"\r\n")[:-1], SAME),
    "byte-order mark": (b"\xef\xbb\xbf" + PLAIN, SAME),
    "line ends of old Macs": (PLAIN.replace(b"\n", b"\r"), SAME),
    "comments": (b"# 1 Q0 x 1 9 t\n" + PLAIN.replace(b"\n", b"\n \t#\n") + b"#", SAME),
    "blank lines": (b"\n\r\n" + PLAIN.replace(b"\n", b"\n \n") + b"\n\n", SAME),
    "gzip": (gzip.compress(PLAIN), SAME),
    "gzip with a byte-order mark": (gzip.compress(b"\xef\xbb\xbf" + PLAIN), SAME),
    "gzip in two members": (gzip.compress(PLAIN[:20]) + gzip.compress(PLAIN[20:]), SAME),
    "gzip with zeros behind": (gzip.compress(PLAIN) + b"\0" * 512, SAME),
    "q0": (PLAIN.replace(b"Q0", b"q0"), SAME),
    "0": (PLAIN.replace(b"Q0", b"0"), SAME),
    "a tag that is not UTF-8": (PLAIN.replace(b"t\n", b"\xff\n"), SAME),
    "interleaved topics": (b"1 Q0 b 2 2 t\n2 Q0 a 1 1 t\n1 Q0 a 1 3.5 t\n", SAME),
    "numbers as ids": (
        b"01 Q0 007 1 2 t\n1 Q0 7 1 2 t\n1.0 Q0 7.0 1 2 t\n1e0 Q0 7e0 1 2 t\n",
        {"01": [("007", 2.0)], "1": [("7", 2.0)], "1.0": [("7.0", 2.0)], "1e0": [("7e0", 2.0)]},
    ),
    "ids of other alphabets": (
        "é Q0 文\u00a0書 1 2 t\n".encode(),  # a no-break space is no separator
        {"é": [("文\u00a0書", 2.0)]},
    ),
    "negative and exponent scores": (
        b"1 Q0 a 1 -2.5e-3 t\n1 Q0 b 2 +1E2 t\n1 Q0 c 3 -1e+2 t\n1 Q0 d 4 .5 t\n1 Q0 e 5 5. t\n",
        {"1": [("b", 100.0), ("e", 5.0), ("d", 0.5), ("a", -0.0025), ("c", -100.0)]},
    ),
    "tied scores, by document id descending as bytes": (
        "1 Q0 d1 1 2 t\n1 Q0 d10 2 2.0 t\n1 Q0 D1 3 2 t\n1 Q0 é 4 2 t\n1 Q0 d 5 2e0 t\n".encode(),
        {"1": [("é", 2.0), ("d10", 2.0), ("d1", 2.0), ("d", 2.0), ("D1", 2.0)]},
    ),
}


@pytest.mark.parametrize(("content", "expected"), QUIRKS.values(), ids=QUIRKS)
def test_quirks(tmp_path: Path, content: bytes, expected: dict) -> None:
    run = read_file(tmp_path / "run.gz", content)
    assert run.name == "run"
    text = read_bytes(tmp_path / "run.gz", what="run", line=RUN_LINE, comments=True)
    for order in ORDERS:
        slow = slow_reader.rank(slow_reader.read(content.replace(b"\xff", b"t")), order=order)
        assert ranking(text, order=order) == slow
    assert slow_reader.rank(slow_reader.read(text.replace(b"\xff", b"t")), order="score32").lists \
        == ranking(text).lists == expected  # fmt: skip


RANKS = {
    "from 1": ((1, 2, 3), "abc"),
    "from 0": ((0, 1, 2), "abc"),
    "all 0": ((0, 0, 0), "abc"),
    "gaps": ((5, 100, 7), "acb"),
    "negative": ((-1, -3, -2), "bca"),
    "signed and padded": (("+3", "002", "-0"), "cba"),
    "ties in the file's order": ((2, 1, 1), "bca"),
    "nine digits": ((999999999, -999999999, 0), "bca"),
}


@pytest.mark.parametrize(("ranks", "expected"), RANKS.values(), ids=RANKS)
def test_rank_order_follows_the_rank_column(ranks: tuple, expected: str) -> None:
    lines = [f"1 Q0 {d} {r} {s} t\n" for d, r, s in zip("abc", ranks, (1, 3, 2), strict=True)]
    content = "".join(lines).encode()
    assert "".join(d for d, _ in ranking(content, order="rank").lists["1"]) == expected
    assert "".join(d for d, _ in ranking(content).lists["1"]) == "bca"


def test_scores_equal_as_32_bit_floats_are_ties_only_under_score32() -> None:
    # 1.00000001 and 1.00000002 round to 1 in 32 bits: there the document id decides.
    content = b"1 Q0 a 1 1.00000002 t\n1 Q0 b 2 1.00000001 t\n1 Q0 c 3 1e39 t\n1 Q0 d 4 1e38 t\n"
    small, large = ranking(content, order="score32"), ranking(content, order="score64")
    assert [d for d, _ in small.lists["1"]] == ["c", "d", "b", "a"]
    assert [d for d, _ in large.lists["1"]] == ["c", "d", "a", "b"]
    assert (small.tied, large.tied) == (2, 0)
    assert ranking(content, order="score") == small
    over = b"1 Q0 a 1 2e39 t\n1 Q0 b 2 1e39 t\n"  # both too large for 32 bits: a tie
    assert [d for d, _ in ranking(over, order="score32").lists["1"]] == ["b", "a"]
    assert [d for d, _ in ranking(over, order="score64").lists["1"]] == ["a", "b"]


def test_the_depth_cut_comes_after_duplicates_are_left_out() -> None:
    content = b"1 Q0 a 1 9 t\n1 Q0 a 2 8 t\n1 Q0 b 3 7 t\n1 Q0 c 4 6 t\n2 Q0 a 1 1 t\n"
    found = ranking(content, depth=2)
    assert found.lists == {"1": [("a", 9.0), ("b", 7.0)], "2": [("a", 1.0)]}
    assert (found.lines, found.duplicates) == (5, 1)


BAD = b"1 Q0 a 1 inf t\n1 Q0 b 2 2 t\n1 Q0 c 3 nan t\n1 Q0 d 4 3 t\n1 Q0 e 5 -inf t\n"


def test_bad_scores_last(tmp_path: Path) -> None:
    run = read_file(tmp_path / "r", BAD, bad_scores="last")
    assert run.summary.bad_scores == 3
    assert [d for d, _ in ranking(BAD).lists["1"]] == ["d", "b", "e", "c", "a"]


def test_duplicates_first_keeps_the_best_ranked(tmp_path: Path) -> None:
    content = b"1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n1 Q0 a 3 3 t\n2 Q0 a 1 1 t\n"
    run = read_file(tmp_path / "r", content, duplicates="first")
    assert run.summary.duplicates == 1
    assert ranking(content).lists["1"] == [("a", 3.0), ("b", 2.0)]
    assert ranking(content, order="rank").lists["1"] == [("a", 1.0), ("b", 2.0)]


# ---- messy runs -----------------------------------------------------------------------------

SCORES = (
    "1", "1.0", "1e0", "1.00000001", "1.00000002", "0.1", "0.10000000000000001", ".1", "-0", "0",
    "-3.25", "-1E-2", "+7e1", "123456789012345678901234567890", "16777217", "16777216", "1e-320",
    "0.30000000000000004", "0.3", "9007199254740993", "1.7976931348623157e38",
)  # fmt: skip
LINES = st.tuples(
    st.sampled_from(["1", "01", "q.2", "é", "topic-with-a-long-name"]),
    st.sampled_from(["Q0", "q0", "0"]),
    st.integers(0, 40).map(lambda n: f"doc{n}" if n % 3 else f"{n:09d}-ü-long-document-id"),
    st.integers(-2, 12).map(str),
    st.sampled_from(SCORES),
    st.sampled_from(["t", "run.1"]),
)
BAD_WORDS = ["nan", "NaN", "inf", "Infinity", "-inf", "-nan", "1e999", "-1e999"]


@st.composite
def messy_runs(draw: st.DrawFn, bad: bool = False) -> bytes:
    lines = draw(st.lists(LINES, min_size=1, max_size=60))
    text = draw(st.sampled_from(["", "\ufeff"]))
    seed = draw(st.randoms(use_true_random=False))
    for line in lines:
        fields = list(line)
        if bad and seed.random() < 0.2:
            fields[4] = seed.choice(BAD_WORDS)
        gaps = [seed.choice([" ", "\t", "  ", " \t "]) for _ in fields]
        text += seed.choice(["", "", " ", "\t"])
        text += "".join(f + g for f, g in zip(fields, gaps, strict=True)).rstrip()
        text += seed.choice(["", "", " ", "\t "]) + seed.choice(["\n", "\r\n", "\n\n", "\n \r\n"])
    return (text.rstrip() if draw(st.booleans()) else text).encode()


@settings(max_examples=150, deadline=None)
@given(messy_runs(), st.sampled_from(ORDERS), st.sampled_from([0, 1, 5]))
def test_messy_runs(content: bytes, order: str, depth: int) -> None:
    slow = slow_reader.rank(slow_reader.read(content), order=order, depth=depth)
    assert ranking(content.removeprefix(b"\xef\xbb\xbf"), order=order, depth=depth) == slow


def shown(found: slow_reader.Ranked) -> str:
    return repr(found)  # NaN equals itself as text


@settings(max_examples=80, deadline=None)
@given(messy_runs(bad=True), st.sampled_from(ORDERS))
def test_messy_runs_with_bad_scores(content: bytes, order: str) -> None:
    slow = slow_reader.rank(slow_reader.read(content), order=order)
    assert shown(ranking(content.removeprefix(b"\xef\xbb\xbf"), order=order)) == shown(slow)


def test_two_runs_share_the_numbers_of_their_documents() -> None:
    reader = run_reader()
    one = reader.read_lines(Path("1"), b"1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n").rows
    two = reader.read_lines(Path("2"), b"9 Q0 c 1 3 t\n9 Q0 b 2 2 t\n1 Q0 a 1 1 t\n").rows
    assert (one.document.tolist(), two.document.tolist()) == ([0, 1], [2, 1, 0])
    assert (one.group_topic.tolist(), two.group_topic.tolist()) == ([0], [1, 0])
    assert reader.documents()[1] == b"abc"
    assert reader.topics() == ["1", "9"]


def test_only_known_documents_have_numbers(tmp_path: Path) -> None:
    """Their ties and duplicates count all the same."""
    reader = run_reader(documents=joined(["b", "é", "a"]), scores=False, ranks=True)
    content = "1 Q0 a 3 2 t\n1 Q0 x 2 2 t\n1 Q0 é 1 9 t\n1 Q0 x 9 1 t\n2 Q0 y 1 1 u\n".encode()
    (tmp_path / "r").write_bytes(content)
    run = reader.read(tmp_path / "r")
    assert run.rows.document.tolist() == [1, -1, 2, -1]
    assert run.rows.rank.tolist() == [1, 2, 3, 1]
    assert not len(run.rows.score)
    assert (run.summary.duplicates, run.summary.lines, run.last_tag) == (1, 5, "u")


def test_tables_of_ids_grow() -> None:
    chance = random.Random(7)
    lines = [
        f"topic{chance.randrange(6000)} Q0 d{n % 30000:x}{'x' * (n % 19)} {n} {chance.random()} t"
        for n in range(40000)
    ]
    content = "\n".join(lines).encode()
    reader = run_reader()
    slow = slow_reader.rank(slow_reader.read(content), order="score32")
    assert ranking(content, reader=reader) == slow
    assert len(slow.lists) > 5000
    assert ranking(content, reader=reader) == slow  # every id known by now
    known = {line.document for line in slow_reader.read(content)}
    assert len(reader.documents()[0]) - 1 == len(known)


# ---- scores exactly as float() reads them ---------------------------------------------------

HARD = (
    "0.1", "0.2", "0.3", "1e22", "1e23", "8.5e22", "123456789012345e22", "123456789012345e-22",
    "999999999999999", "9999999999999999", "99999999999999999999", "9007199254740992",
    "9007199254740993", "9007199254740995", "9007199254740993.0000000000000000000000000001",
    "1.00000000000000011102230246251565", "1.00000000000000011102230246251566",
    "0.500000000000000166533453693773481063544750213623046875", "2.2250738585072011e-308",
    "2.2250738585072014e-308", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
    "1.7976931348623157e308", "-1.7976931348623158e+308", "0.000000000000000000000000000001",
    "1e-400", "0e999", "-0.0", "00000000000000000000000012.5", "0." + "0" * 80 + "1",
    "3" * 200, "1" * 17, "1" * 18, "1" * 19, "1" * 20, "1." + "7" * 60, "1e0000000000000000001",
    "5e-0022", "1844674407370955161.6", "18446744073709551616", "36893488147419103232e-5",
    "0." + "0" * 20000 + "7e20001", "1" + "0" * 20000 + "e-20000", "1e-99999999999", "0e1000000",
    "6.02214076E+23", "17.25e+0", ".0005", "12.", "+.5", "-5.e-1",
)  # fmt: skip


def parsed(texts: list[str]) -> list[float]:
    content = "".join(f"1 Q0 d{n} {n} {t} t\n" for n, t in enumerate(texts)).encode()
    return run_reader(order="rank").read_lines(Path("run"), content).rows.score.tolist()


def exactly(value: float) -> str:
    return value.hex()


@pytest.mark.parametrize("text", HARD)
def test_score_is_what_float_says(text: str) -> None:
    assert exactly(parsed([text])[0]) == exactly(float(text))


DIGITS = st.text("0123456789", min_size=1, max_size=22)
SPELLINGS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda x: f"{x:.17g}"),
    st.floats(-1e6, 1e6).map(lambda x: f"{x:.20f}"),
    st.floats(-1e3, 1e3).map(lambda x: f"{x:.6f}"),
    st.builds(
        lambda sign, whole, part, power: f"{sign}{whole}.{part}{power}",
        st.sampled_from(["", "-", "+"]),
        DIGITS,
        DIGITS,
        st.integers(-340, 280).map(lambda n: f"e{n}") | st.just(""),
    ),
    # exactly between two floats, and a hair beside
    st.builds(
        lambda n, power, tail: f"{2 * n + 1}{'.' + tail if tail else ''}e{power}",
        st.integers(2**52, 2**53 - 1),
        st.integers(0, 2),
        st.sampled_from(["", "0", "0000000000000000000001"]),
    ),
)


@settings(max_examples=120, deadline=None)
@given(st.lists(SPELLINGS, min_size=20, max_size=60))
def test_scores_are_what_float_says(texts: list[str]) -> None:
    assert [exactly(x) for x in parsed(texts)] == [exactly(float(t)) for t in texts]


def test_many_digits_next_to_the_halfway_point() -> None:
    """16 to 20 digits of the point between two floats, cut, and one up and down."""
    chance, texts = random.Random(19), []
    for _ in range(4000):
        low = chance.random() * 10.0 ** chance.randrange(-9, 12)
        middle = (Decimal(low) + Decimal(math.nextafter(low, math.inf))) / 2
        for size in range(16, 21):
            step = Decimal(1).scaleb(middle.adjusted() - size + 1)
            cut = middle.quantize(step, ROUND_FLOOR)
            texts += [str(cut - step), f"{cut:f}", f"{cut + step:e}"]
    assert [exactly(x) for x in parsed(texts)] == [exactly(float(t)) for t in texts]


# ---- runs that cannot be read ---------------------------------------------------------------

GOOD = b"1 Q0 a 1 2 t\n"
Expected = tuple[int | None, str]  # line of the problem, and a part of what is the matter
GZIP: Expected = (None, "gzip")
EMPTY: Expected = (None, "empty")
WIDE: Expected = (None, "UTF-16")


def nul(line: int) -> Expected:
    return line, "NUL"


def fields(line: int, count: int) -> Expected:
    return line, f"{count} fields"


def rank_is(value: str) -> Expected:
    return 2, f"rank '{value}'"


def score_is(value: str) -> Expected:
    return 2, f"score '{value}' is not a number"


def infinite(line: int, value: str, lines: int = 1) -> Expected:
    return line, f"score '{value}' is not finite (such lines: {lines})"


def twice(line: int, document: str, topic: str, lines: int = 1) -> Expected:
    return line, f"'{document}' occurs twice in topic '{topic}' (such lines: {lines})"


def with_rank(text: str) -> bytes:
    return GOOD + f"1 Q0 b {text} 1 t\n".encode()


def with_score(text: str) -> bytes:
    return GOOD + f"1 Q0 b 2 {text} t\n".encode()


BAD_RUNS = {
    "a short line": (GOOD + b"1 Q0 b\n" + GOOD, fields(2, 3)),
    "five fields": (b"1 Q0 a 1 2\n", fields(1, 5)),
    "seven fields": (GOOD + b"\n\n1 Q0 b 2 1 my tag\n", fields(4, 7)),
    "many fields": (GOOD + b"x " * 5000, fields(2, 5000)),
    "cut in the last line": (GOOD + b"1 Q0 b 2", fields(2, 4)),
    "one line end of an old Mac": (GOOD.replace(b"\n", b"\r") + GOOD, fields(1, 12)),
    "only comments": (b"# mine\n # yours\n", (None, "comment")),
    "commas": (b"1,Q0,a,1,2,t\n", fields(1, 1)),
    "rank is a fraction": (with_rank("1.0"), rank_is("1.0")),
    "rank is a word": (with_rank("first"), rank_is("first")),
    "rank is a sign": (with_rank("-"), rank_is("-")),
    "rank with an exponent": (with_rank("1e3"), rank_is("1e3")),
    "rank with an underscore": (with_rank("1_0"), rank_is("1_0")),
    "rank of ten digits": (with_rank("4294967296"), rank_is("4294967296")),
    "score and document swapped": (GOOD + b"1 Q0 2 1 b t\n", score_is("b")),
    "score with a comma": (with_score("0,5"), score_is("0,5")),
    "score of two points": (with_score("1.2.3"), score_is("1.2.3")),
    "score is hexadecimal": (with_score("0x1p3"), score_is("0x1p3")),
    "long score is hexadecimal": (with_score("0x" + "1" * 20), score_is("0x" + "1" * 20)),
    "score with an underscore": (with_score("1_000"), score_is("1_000")),
    "long score with an underscore": (with_score("1_" + "0" * 20), score_is("1_" + "0" * 20)),
    "score without exponent": (with_score("1e"), score_is("1e")),
    "score is a point": (with_score("."), score_is(".")),
    "score with a payload": (with_score("nan(1)"), score_is("nan(1)")),
    "score is a dash": (with_score("-"), score_is("-")),
    "score None": (with_score("None"), score_is("None")),
    "score NaN": (with_score("NaN"), infinite(2, "NaN")),
    "score inf": (with_score("inf"), infinite(2, "inf")),
    "score -inf": (with_score("-Infinity"), infinite(2, "-Infinity")),
    "score too large": (with_score("1e400"), infinite(2, "1e400")),
    "score far too large": (with_score("-1e9999999999"), infinite(2, "-1e9999999999")),
    "long exponent without end": (with_score("1e99999x"), score_is("1e99999x")),
    "several bad scores": (b"\n" + BAD, infinite(2, "inf", lines=3)),
    "a duplicate": (GOOD + b"1 Q0 b 2 1 t\n1 Q0 a 3 0 t\n", twice(3, "a", "1")),
    "a duplicate above": (b"1 Q0 a 1 1 t\n1 Q0 a 2 9 t\n", twice(2, "a", "1")),
    "duplicates in two topics": (
        b"2 Q0 a 1 1 t\n1 Q0 a 1 1 t\n1 Q0 a 2 1 t\n2 Q0 a 2 1 t\n", twice(3, "a", "1", 2),
    ),
    "a NUL byte": (GOOD + b"1 Q0 b\0c 2 1 t\n", nul(2)),
    "binary": (b"\x7fELF\x02\x01\x01\0\0\0", nul(1)),
    "a zip file": (b"PK\x03\x04\x14\0\0\0\x08\0", nul(1)),
    "gzip twice": (gzip.compress(gzip.compress(GOOD, mtime=0), mtime=0), nul(1)),
    "UTF-16": (GOOD.decode().encode("utf-16"), WIDE),
    "UTF-16, big end first": (
        b"\xfe\xff" + GOOD.decode().encode("utf-16-be"),
        WIDE,
    ),
    "UTF-16 unmarked": (
        GOOD.decode().encode("utf-16-le"), WIDE,
    ),
    "UTF-32": (GOOD.decode().encode("utf-32"), (None, "UTF-32")),
    "document in Latin-1": (
        GOOD + b"1 Q0 caf\xe9 2 1 t\n",
        (2, "(as Latin-1 it reads 'café')"),
    ),
    "topic in Latin-1": (
        b"\xe9 Q0 a 2 1 t\n",
        (1, "(as Latin-1 it reads 'é')"),
    ),
    "two halves of one character": (
        b"1 Q0 a\xc3 1 2 t\n1 Q0 \xa9b 2 1 t\n",
        (1, "(as Latin-1 it reads 'aÃ')"),
    ),
    "empty": (b"", EMPTY),
    "only blank lines": (b"\n \r\n\t\n", EMPTY),
    "only a byte-order mark": (b"\xef\xbb\xbf", EMPTY),
    "gzip of nothing": (gzip.compress(b""), EMPTY),
    "gzip cut short": (gzip.compress(GOOD * 9)[:-9], GZIP),
    "gzip cut in its head": (b"\x1f\x8b\x08", GZIP),
    "gzip with a wrong checksum": (gzip.compress(GOOD)[:-8] + b"\0" * 8, GZIP),
    "gzip with a wrong body": (gzip.compress(GOOD)[:12] + b"\xff" * 30, GZIP),
    "gzip with rubbish behind": (gzip.compress(GOOD) + b"rubbish", GZIP),
}  # fmt: skip


def refused(path: Path, read: Callable[[Path], object], expected: Expected) -> None:
    """A file has one problem, which says where, what and how to fix it."""
    with pytest.raises(InputError) as caught:
        read(path)
    (problem,) = caught.value.problems
    assert (problem.where, problem.line) == (path, expected[0])
    assert expected[1] in problem.what
    assert problem.fix


def read_run(path: Path) -> object:
    return RunReader(RunPolicies()).read(path)


@pytest.mark.parametrize(("content", "expected"), BAD_RUNS.values(), ids=BAD_RUNS)
def test_bad_run(tmp_path: Path, content: bytes, expected: Expected) -> None:
    path = tmp_path / "bad.run"
    path.write_bytes(content)
    refused(path, read_run, expected)


@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_file_that_is_none(tmp_path: Path, read: Callable[[Path], object]) -> None:
    refused(tmp_path / "gone", read, (None, "No such file or directory"))
    refused(tmp_path, read, (None, "Is a directory"))


# ---- qrels ----------------------------------------------------------------------------------

LABELS = b"1 0 a 2\n1 0 b 0\n01 Q0 a 1\n"
QRELS_QUIRKS = {
    "plain": LABELS,
    "tabs and spaces": b"  " + LABELS.replace(b" ", b" \t "),
    "CRLF": LABELS.replace(b"\n", b"\r\n"),
    "no final newline": LABELS.rstrip(),
    "byte-order mark": b"\xef\xbb\xbf" + LABELS,
    "gzip": gzip.compress(LABELS),
    "blank lines": LABELS.replace(b"\n", b"\n\n"),
    "other spellings": b"1 0 a 2.0\n1 0 b -0\n01 0 a +1e0\n",
}


@pytest.mark.parametrize("content", QRELS_QUIRKS.values(), ids=QRELS_QUIRKS)
def test_qrels_quirks(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "q"
    path.write_bytes(content)
    qrels = read_qrels(path)
    assert (qrels.topic, qrels.document) == (["1", "1", "01"], ["a", "b", "a"])
    assert qrels.label.tolist() == [2, 0, 1]
    assert qrels.line == ([1, 3, 5] if b"\n\n" in content else [1, 2, 3])


FINE = b"1 0 a 1\n"


def label_is(value: str) -> Expected:
    return 2, f"label '{value}'"


BAD_QRELS = {
    "three fields": (FINE + b"1 b 1\n", fields(2, 3)),
    "five fields": (FINE + b"\n1 0 b 1 x\n", fields(3, 5)),
    "a run": (GOOD, fields(1, 6)),
    "label is a word": (FINE + b"1 0 b relevant\n", label_is("relevant")),
    "label NaN": (FINE + b"1 0 b nan\n", label_is("nan")),
    "label infinite": (FINE + b"1 0 b -inf\n", label_is("-inf")),
    "label hexadecimal": (FINE + b"1 0 b 0x1\n", label_is("0x1")),
    "label with an underscore": (FINE + b"1 0 b 1_0\n", label_is("1_0")),
    "label with a comma": (FINE + b"1 0 b 0,5\n", label_is("0,5")),
    "a NUL byte": (FINE + b"1 0 b\0 1\n", nul(2)),
    "UTF-16": (FINE.decode().encode("utf-16"), WIDE),
    "Latin-1": (FINE + b"1 0 \xe9 1\n", (2, "(as Latin-1 it reads 'é')")),
    "empty": (b"", EMPTY),
    "only blank lines": (b" \n\n", EMPTY),
    "gzip cut short": (gzip.compress(FINE)[:-4], GZIP),
}  # fmt: skip


@pytest.mark.parametrize(("content", "expected"), BAD_QRELS.values(), ids=BAD_QRELS)
def test_bad_qrels(tmp_path: Path, content: bytes, expected: Expected) -> None:
    path = tmp_path / "bad.qrels"
    path.write_bytes(content)
    refused(path, read_qrels, expected)


def test_a_run_is_called_what_its_file_is_called() -> None:
    names = [run_name(Path("x") / name) for name in ("A_1.dat.gz", "A_1.dat", "gz")]
    assert names == ["A_1.dat", "A_1.dat", "gz"]


def test_the_tag_of_the_first_line_is_kept(tmp_path: Path) -> None:
    run = read_file(tmp_path / "r", b"\n1 Q0 a 1 2 me\n1 Q0 b 2 1 you\n")
    assert (run.tag, run.summary.lines) == ("me", 2)
    assert math.isclose(np.sum(run.rows.score), 3)
