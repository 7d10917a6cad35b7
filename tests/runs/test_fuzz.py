"""The C reader on mutated runs under address and undefined-behaviour sanitizers.

A fixed number of mutations from fixed seeds, so the time is bounded and a failure comes again. Each
must end without a complaint, and with the results of the plain reader.
"""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.runs.plain import PlainReader
from pipeline.runs.reader import LIMIT, joined
from tests.runs.driver import KNOWN, ORDERS, SOURCE, Answers
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
BATCHES, RUNS = 8, 2400


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


def surely_read(content: bytes) -> bool:
    """Whether the reader has no reason to decline a run that the plain one reads."""
    long = any(len(word) > 1000 for word in content.split())
    return not long and b"\0" not in content and b"\r#" not in content.replace(b" ", b"")


@pytest.mark.parametrize("batch", range(BATCHES))
def test_mutated_runs(program: Path, batch: int) -> None:
    """The rows, ids and facts of the plain reader, whatever the pieces; else called odd."""
    chance = random.Random(batch)
    commands, runs = [], []
    for _ in range(RUNS // 2):  # up to four runs per reader: ids are kept from one to the next
        limit, order = chance.choice((LIMIT, LIMIT, LIMIT, 3)), chance.randrange(3)
        depth, known = chance.choice((0, 0, 1, 3)), limit > 3 and chance.random() < 0.3
        commands.append(f"new {limit} {order} {depth} {int(known)}\n".encode())
        given = joined(KNOWN) if known else None
        documents = given and (given[0].tobytes(), given[1])
        reader = PlainReader(b"", limit, ORDERS[order], depth, True, True, documents)
        for _ in range(4):
            content = mutated(chance)
            if chance.random() < 0.2:
                content = b" # 1 Q0 a 1 2 t\n" + content
            reader.begin()
            reader.add(content)
            found = reader.end()
            expected = found and (reader.take(), found)
            piece = chance.choice((1, 7, 100, 10_000))
            commands.append(with_content(f"run {piece}", content))
            runs.append((content, expected, None))
            if expected is None:  # an odd run ends the reader here: its ids are not compared
                break
        else:
            commands.append(b"ids\n")
            runs[-1] = (*runs[-1][:2], [reader.topics(), reader.documents()])
    answers = Answers(ask(program, b"".join(commands)))
    readable, declined = 0, False
    for content, expected, ids in runs:
        found = answers.run()
        if found is None:
            assert expected is None or not surely_read(content), content
            declined = expected is not None
        elif not declined:  # numbers follow from what was read before
            assert found == expected, content
            readable += 1
        if ids is not None:
            both = [answers.ids(), answers.ids()]
            assert declined or both == ids, content
        declined &= ids is None and expected is not None
    assert answers.over()
    assert readable > RUNS * 0.1


@pytest.mark.parametrize("known", [0, 1])
@pytest.mark.parametrize("order", range(3))
def test_every_allocation_may_fail(program: Path, order: int, known: int) -> None:
    """A failed start or read leaks nothing, and the reader still works when there is memory."""
    chance = random.Random(order)
    lines = [
        f"{n // 40} Q0 d{chance.randrange(150)} {n} {chance.random()} t\n" for n in range(2400)
    ]
    content = "".join(lines).encode()
    answers = Answers(ask(program, with_content(f"memory {order} 5 {known}", content)))
    assert answers.number() > 30


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
