"""The C reader on mutated runs under address and undefined-behaviour sanitizers.

A fixed number of mutations from fixed seeds, so the time is bounded and a failure comes again. Each
must end without a complaint, and with the results of the plain reader.
"""

import os
import random
import subprocess
import sys
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from pipeline.runs.plain import PlainReader
from pipeline.runs.reading import LIMIT, TOO_MANY
from pipeline.storage.text import COMMENT
from tests.runs.driver import ORDERS, SOURCE, Answers, Straight, level
from tests.runs.readers import same_rows
from tests.runs.test_trec import BAD_RUNS, BAD_WORDS, HARD, QUIRKS, SCORES
from tests.sanitizers import ask, built, with_content

pytestmark = pytest.mark.slow

SHORTEST = b"".join(b"1 0 %c 1 1 t\n" % letter for letter in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ" * 2)
MESSY = [
    "".join(
        f"{n % topics} Q0 d{n * 7 % documents} {n % 13} {n * 31 % 17 / 3} t\n" for n in range(lines)
    ).encode()
    for topics, documents, lines in ((1, 90, 90), (1, 20, 70), (3, 40, 100), (30, 9, 40))
]
# Lines of no byte too many show whether the reader has the memory it needs.
GOOD = [*(content for content, _ in QUIRKS.values()), *MESSY, SHORTEST]
BAD = [content for content, _ in BAD_RUNS.values() if len(content) < 2000]
SEEDS = [seed for seed in [*GOOD * 4, *BAD] if seed[:2] != b"\x1f\x8b"]
TOKENS = [
    *(text.encode() for text in (*HARD, *SCORES, *BAD_WORDS) if len(text) < 300),
    *(bytes([byte]) for byte in b"\0\n\r\t\v\f +-._eEx(0\xff\xc3"),
    b"\n\n", b" \n", b"1 Q0 a 1 2 t\n", b"2 Q0 b -7 nan t\n", b"doc" * 40, b"0" * 25, b"1e",
    b"0x1p3", b"999999999", b"1000000000", b"-0", b"Q0 ", "文".encode(), b"1_0", b"infinity",
    b"nan(2)",
]  # fmt: skip
BATCHES, RUNS = 12, 2400


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(SOURCE, tmp_path_factory.mktemp("fuzz"))


def mutated(chance: random.Random) -> bytes:
    content = bytearray(chance.choice(SEEDS))
    for _ in range(chance.choice((0, 1, 1, 1, 2, 2, 5))):
        a, b = sorted(chance.randint(0, len(content)) for _ in range(2))
        kind = chance.randrange(9)
        if kind == 0 and content:
            content[min(a, len(content) - 1)] = chance.randrange(256)
        elif kind == 1:
            content[a:a] = chance.choice(TOKENS)
        elif kind == 2:
            del content[a : min(b, a + 12)]
        elif kind == 3:
            content[a:a] = content[a:b] * chance.choice((1, 1, 2, 5))
        elif kind == 4:
            content[a:b] = chance.choice(SEEDS)
        else:  # a field, a line or two lines changed places: still a run more often than not
            lines = [line.split(b" ") for line in bytes(content).split(b"\n")]
            one, two = chance.choice(lines), chance.choice(lines)
            if kind < 7:
                at = chance.randrange(len(one))
                one[at] = chance.choice(TOKENS) if chance.random() < 0.5 else two[at % len(two)]
            else:
                lines.insert(chance.randrange(len(lines)), list(two))
            content = bytearray(b"\n".join(b" ".join(line) for line in lines))
    return bytes(content[:6000])


@pytest.mark.parametrize("batch", range(BATCHES))
def test_mutated_runs(program: Path, batch: int) -> None:
    chance = random.Random(batch)
    commands, runs = [], []
    for _ in range(RUNS // 4):  # four runs a reader: ids are kept from one to the next
        limit = chance.choice((LIMIT, LIMIT, LIMIT, 3))
        commands.append(f"new {limit}\n".encode())
        reader = PlainReader(limit=limit)
        full = False
        for _ in range(4):
            content, order = mutated(chance), chance.randrange(3)
            depth = chance.choice((0, 0, 1, 3))
            expected = reader.read(content, order=ORDERS[order], depth=depth)
            full |= expected[1].error == TOO_MANY
            if full:  # a reader that is full has no further use
                expected = (expected[0], None)
            commands.append(with_content(f"run {order} {depth}", content))
            runs.append((content, expected, None))
        commands.append(b"ids\n")
        ids = [(starts.tolist(), text) for starts, text in (reader.topics(), reader.documents())]
        runs[-1] = (*runs[-1][:2], ids if not full else [])
    answers = Answers(ask(program, b"".join(commands)))
    readable = 0
    for content, (rows, summary), ids in runs:
        found, said = answers.run()
        if summary is not None:
            assert said == summary, content
            assert same_rows(found, rows), content
            readable += not said.error
        if ids is not None:
            both = [answers.ids(), answers.ids()]
            assert not ids or both == ids, content
    assert answers.over()
    assert RUNS * 0.2 < readable < RUNS * 0.8  # neither all good nor all bad


def plainly(content: bytes, *, order: str, depth: int) -> tuple[Straight | None, bool]:
    """What the plain reader makes of a run, and whether it must be read straight, too."""
    kept = COMMENT.sub(b"", content)
    reader = PlainReader()
    rows, summary = reader.read(kept, order=order, depth=depth)
    if summary.error:
        return None, False
    topics, documents = (
        [text[a:b].decode("latin-1") for a, b in pairwise(starts.tolist())]
        for starts, text in (reader.topics(), reader.documents())
    )
    lists = {}
    start = 0
    for number, size in zip(rows.group_topic.tolist(), rows.group_size.tolist(), strict=True):
        part = slice(start, start + size)
        start += size
        if (topic := topics[number]) in ("0", "1", "2"):
            names = [documents[at] for at in rows.document[part]]
            both = [[level(name, topic, d) for name in names] for d in range(2)]
            lists[topic] = (both, rows.score[part].tolist())
    fields = [line.split() for line in kept.split(b"\n") if line.split()]
    seen = [topic for topic, _ in groupby(line[0] for line in fields)]
    tag = fields[-1][-1] if fields else b""
    found = Straight(lists, summary.lines, summary.bad_scores, summary.duplicates, tag)
    long = any(len(word) > 1000 for line in fields for word in line)
    odd = len(set(seen)) < len(seen) or not content.isascii() or b"\0" in content or long
    return found, not odd and b"\r#" not in content.replace(b" ", b"")


@pytest.mark.parametrize("batch", range(4))
def test_mutated_runs_read_straight(program: Path, batch: int) -> None:
    """The same levels as the plain reader's ranking has, whatever the pieces; else called odd."""
    chance = random.Random(100 + batch)
    commands, runs = [], []
    for _ in range(RUNS):
        content, order = mutated(chance), chance.randrange(3)
        if chance.random() < 0.2:
            content = b" # 1 Q0 a 1 2 t\n" + content
        depth, piece = chance.choice((0, 0, 1, 3)), chance.choice((1, 7, 100, 10_000))
        commands.append(with_content(f"levels {order} {depth} {piece}", content))
        runs.append((content, *plainly(content, order=ORDERS[order], depth=depth)))
    answers = Answers(ask(program, b"".join(commands)))
    straight = 0
    for content, expected, sure in runs:
        found = answers.levels()
        if found is None:
            assert not sure, content
        else:
            assert repr(found) == repr(expected), content  # NaN is written alike
            straight += bool(found.lists)
    assert answers.over()
    assert straight > RUNS * 0.1


@pytest.mark.parametrize("batch", range(4))
def test_mutated_runs_in_pieces(program: Path, batch: int) -> None:
    """The rows, ids and oddities of the plain reader, whatever the pieces; else called odd.

    Ids are kept from one run to the next, also from an odd one that is then read whole.
    """
    chance = random.Random(200 + batch)
    commands, runs = [], []
    for _ in range(RUNS // 4):
        commands.append(b"new 2147483647\n")
        reader = PlainReader()
        for _ in range(4):
            content, order = mutated(chance), chance.randrange(3)
            if chance.random() < 0.2:
                content = b" # 1 Q0 a 1 2 t\n" + content
            depth, piece = chance.choice((0, 0, 1, 3)), chance.choice((1, 7, 100, 10_000))
            kept, comments = COMMENT.subn(b"", content)
            rows, summary = reader.read(kept, order=ORDERS[order], depth=depth)
            _, sure = plainly(content, order=ORDERS[order], depth=depth)
            commands.append(with_content(f"stream {order} {depth} {piece}", content))
            commands.append(with_content(f"run {order} {depth}", kept))
            macs = b"\r" in content and b"\n" not in content
            runs.append((content, rows, summary, comments, sure and not macs))
        commands.append(b"ids\n")
        runs.append([(starts.tolist(), text) for starts, text in
                     (reader.topics(), reader.documents())])  # fmt: skip
    answers = Answers(ask(program, b"".join(commands)))
    streamed = 0
    for run in runs:
        if isinstance(run, list):
            assert [answers.ids(), answers.ids()] == run
            continue
        content, rows, summary, comments, sure = run
        found, (again, _) = answers.stream(), answers.run()
        assert same_rows(again, rows), content
        if found is None:
            assert not sure, content
            continue
        mine, numbers, first, last = found
        assert not summary.error, content
        assert same_rows(mine, rows), content
        assert numbers == (
            summary.line, summary.lines, summary.rows, summary.topics, summary.duplicates,
            summary.bad_scores, summary.tied, summary.top10_differs, summary.bad_score_line,
            summary.duplicate_line, comments,
        ), content  # fmt: skip
        words = COMMENT.sub(b"", content).split()
        assert last == (words[-1] if words else b"")
        kept = COMMENT.sub(b"", content)
        assert first == kept[summary.tag_at : summary.tag_at + summary.tag_size]
        streamed += bool(len(mine.document))
    assert answers.over()
    assert streamed > RUNS * 0.1


@pytest.mark.parametrize("order", range(3))
def test_every_allocation_of_a_stream_may_fail(program: Path, order: int) -> None:
    chance = random.Random(order)
    lines = [
        f"{n // 40} Q0 d{chance.randrange(150)} {n} {chance.random()} t\n" for n in range(2400)
    ]
    content = "".join(lines).encode()
    answers = Answers(ask(program, with_content(f"thirsty {order} 5", content)))
    assert answers.number() > 30


@pytest.mark.parametrize("order", range(3))
def test_every_allocation_of_levels_may_fail(program: Path, order: int) -> None:
    chance = random.Random(order)
    lines = [
        f"{n // 40} Q0 d{chance.randrange(150)} {n} {chance.random()} t\n" for n in range(2400)
    ]
    content = "".join(lines).encode()
    answers = Answers(ask(program, with_content(f"starved {order} 5", content)))
    assert answers.number() > 30


@pytest.mark.parametrize("order", range(3))
def test_every_allocation_may_fail(program: Path, order: int) -> None:
    """A failed start or read leaks nothing, and the reader still works when there is memory."""
    chance = random.Random(order)
    lines = [
        f"t{chance.randrange(90)} Q0 d{chance.randrange(150)} {n} {chance.random()} t\n"
        for n in range(400)
    ]
    content = "".join(lines).encode()
    answers = Answers(ask(program, with_content(f"memory {order} 5", content)))
    assert answers.number() > 40


def python_key(seed: int) -> bytes:
    """The key of CPython's hash that PYTHONHASHSEED makes (`lcg_urandom` in its sources)."""
    key = bytearray()
    while len(key) < 16:
        seed = (seed * 214013 + 2531011) % 2**32
        key.append(seed >> 16 & 255)
    return bytes(key)


def test_ids_are_hashed_with_siphash(program: Path) -> None:
    """As CPython hashes bytes: SipHash-1-3, under the key that PYTHONHASHSEED makes."""
    if sys.hash_info.algorithm != "siphash13" or sys.byteorder != "little":
        pytest.skip("this Python hashes otherwise")
    texts = [bytes(range(1, size + 1)) for size in range(1, 40)]
    command = [sys.executable, "-c", f"print([hash(text) for text in {texts}])"]
    said = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": "42"}, capture_output=True, check=True
    ).stdout.decode()
    key = python_key(42)
    answers = Answers(ask(program, b"".join(with_content("hash", key + text) for text in texts)))
    assert str([answers.number() for _ in texts]) == said.strip()
