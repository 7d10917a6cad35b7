"""The two run readers around the reading: which one is taken, and what no input may do to it."""

import os
import random
import shutil
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pipeline
from pipeline.errors import InputError
from pipeline.runs import rankings, reader
from pipeline.runs.mappings import rank_mapping
from pipeline.runs.plain import check_lines
from pipeline.runs.reader import RunPolicies
from pipeline.storage import c_sources
from pipeline.workflow.code import Graph
from tests.runs.readers import Both, needs_extension, run_reader
from tests.runs.test_trec import HARD

PACKAGE = Path(pipeline.__file__).parent
RUNS = PACKAGE / "runs"
SLOW = (
    "fathom: the compiled run reader is not built, so runs are read about 30 times more slowly; "
    "install a C compiler and run `make setup`\n"
)
HIDDEN = "import sys; sys.modules['pipeline.runs._reader'] = None\n"  # as if it were not built


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([environment.pop("PYTHONPATH", ""), str(PACKAGE.parent)])
    return subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False,
        env={**os.environ, **environment, "PYTHONPATH": path.strip(os.pathsep)},
    )  # fmt: skip


# ---- which one ------------------------------------------------------------------------------


def test_the_compiled_reader_is_there_where_there_is_a_compiler() -> None:
    header = Path(sysconfig.get_path("include"), "Python.h")
    if shutil.which("cc") is None or not header.is_file():
        pytest.skip("no C compiler")
    assert reader.extension() is not None


INGEST = """
from pathlib import Path
from typing import Any
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies
policies = RunPolicies(depth=20, duplicates="first", bad_scores="last")
for _ in range(2):
    rank(sorted(Path({files!r}).iterdir()), policies=policies, out=Path({out!r}),
         facts=Path({facts!r}))
"""


def test_without_the_extension_the_plain_reader_does_the_same_and_says_so(tmp_path: Path) -> None:
    files = tmp_path / "runs"
    files.mkdir()
    chance = random.Random(3)
    for name in "abc":
        lines = (
            f"{chance.randrange(5)} Q0 d{chance.randrange(60)} {n} {chance.choice((0.5, 1, 7))} t\n"
            for n in range(300)
        )
        (files / name).write_text("".join(lines))
    made = {}
    for kind, before in (("plain", HIDDEN), ("best", "")):
        out, facts = tmp_path / f"{kind}.parquet", tmp_path / f"{kind}.json"
        code = INGEST.format(files=str(files), out=str(out), facts=str(facts))
        done = python(before + code)
        assert done.returncode == 0, done.stderr
        expected = SLOW if before or reader.extension() is None else ""
        assert done.stderr == expected  # once, not once a reader
        made[kind] = out.read_bytes(), facts.read_bytes()
    assert made["plain"] == made["best"]
    assert len(rankings.read(tmp_path / "best.parquet", topics=["0", "1"]).runs) == 3


@needs_extension
@pytest.mark.parametrize("edited", ["_reader.c", "native/ids.h"])
def test_an_edited_source_is_never_read_with_a_stale_extension(tmp_path: Path, edited: str) -> None:
    skip = shutil.ignore_patterns("__pycache__")
    copy = shutil.copytree(PACKAGE, tmp_path / "pipeline", ignore=skip)
    code = "from pipeline.runs.reader import extension; print(extension().__name__)"
    assert python(code, PYTHONPATH=str(tmp_path)).stdout == "pipeline.runs._reader\n"
    with (copy / "runs" / edited).open("a") as file:
        file.write("/* one more comment */\n")
    done = python(code, PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert str(copy / "runs") in done.stderr.splitlines()[-1]
    assert "make setup" in done.stderr.splitlines()[-1]


def test_an_install_without_sources_is_not_stale(tmp_path: Path) -> None:
    c_sources.refuse_stale("run reader", built_from="anything", folder=tmp_path)
    (tmp_path / "_reader.c").write_text("int x;")
    with pytest.raises(InputError, match="make setup"):
        c_sources.refuse_stale("run reader", built_from="anything", folder=tmp_path)
    c_sources.refuse_stale("run reader", built_from=c_sources.digest(tmp_path), folder=tmp_path)


def test_the_c_sources_count_as_code_of_the_rule_that_reads_runs() -> None:
    behind = Graph().behind(PACKAGE.parent / "scripts" / "rank.py")
    sources = set(c_sources.c_sources(RUNS))
    assert {path.name for path in sources} >= {"_reader.c", "ids.h", "run.h"}
    assert sources <= behind


# ---- what it refuses ------------------------------------------------------------------------


def lines_of(*documents: str, topic: str = "1") -> bytes:
    return "".join(f"{topic} Q0 {d} {n} {-n} t\n" for n, d in enumerate(documents)).encode()


@pytest.mark.parametrize(
    ("limit", "runs"),
    [
        (3, [lines_of("a", "b", "c"), lines_of("a", "b", "c", "a")]),  # lines
        (2, [lines_of("a", "b"), lines_of("a", "c")]),  # documents
        (2, [lines_of("a"), lines_of("a", topic="2"), lines_of("a", topic="3")]),
    ],
)
def test_more_than_can_be_numbered(
    monkeypatch: pytest.MonkeyPatch, limit: int, runs: list[bytes]
) -> None:
    monkeypatch.setattr(reader, "extension", lambda: SimpleNamespace(Reader=Both))
    monkeypatch.setattr(reader, "LIMIT", limit)
    full = run_reader(order="rank")
    for content in runs[:-1]:
        full.read_lines(Path("run"), content)
    with pytest.raises(InputError) as caught:
        full.read_lines(Path("run"), runs[-1])
    assert "lines in the run" in caught.value.problems[0].what


def test_the_first_fault_is_raised_those_of_lines_first() -> None:
    lines = [b"1 Q0 d 1 1 t", b"1 Q0 d 2 0 t", b"1 Q0 b 2 nan t", b"1 Q0 c", b"1 Q0 a 1 x t"]
    strict = {"duplicates": "error", "bad_scores": "error"}
    cases = [(lines, strict, 4), (lines[:3], strict, 3), (lines[:2], strict, 2)]
    for some, policies, line in [*cases, (lines[:3], {**strict, "bad_scores": "last"}, 2)]:
        with pytest.raises(InputError) as caught:
            check_lines(Path("r"), b"\n".join(some), strict=RunPolicies(**policies).strict)
        assert [problem.line for problem in caught.value.problems] == [line]
    assert check_lines(Path("r"), b"\n".join(lines[:3]), strict={}) == "t"


@needs_extension
def test_threads_read_side_by_side_but_not_with_one_reader() -> None:
    content = lines_of(*(f"d{n}" for n in range(400_000)))
    one = reader.extension().Reader(b"k" * 16, 2**31 - 1, "rank", 0, False, False, None)
    one.begin()
    thread = threading.Thread(target=one.add, args=(content,))
    met = False
    thread.start()
    while thread.is_alive() and not met:  # comes here while the other reads: it holds no GIL
        try:
            one.topics()
        except RuntimeError as error:
            met = str(error) == "this reader is at work in another thread"
    thread.join()
    assert met
    assert one.end()[4]["lines"] == 400_000


@needs_extension
@pytest.mark.parametrize(
    "given",
    [
        (b"short", 9, "rank", 0, False, False, None),
        (b"k" * 16, 9, "other", 0, False, False, None),
        (b"k" * 16, 9, "rank", 0, False, False, (np.array([0, 2]).tobytes(), b"a")),
        (b"k" * 16, 9, "rank", 0, False, False, (np.array([0, 2, 1]).tobytes(), b"ab")),
        (b"k" * 16, 9, "rank", 0, False, False, (np.array([0, 1, 2]).tobytes(), b"aa")),
        (b"k" * 16, 9, "rank", 0, False, False, (b"", b"")),
    ],
)
def test_the_extension_refuses_what_does_not_fit(given: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match=r"key|order|documents"):
        reader.extension().Reader(*given)


# ---- mappings -------------------------------------------------------------------------------

TOPICS = ["0", "3", "none", "4"]


def mapped(run: dict[str, dict[str, float]], *, order: str = "score", depth: int = 0) -> Any:
    numbers = {"d1": 0, "d3": 1, "é": 2, "日本": 3}
    policies = RunPolicies(order=order, depth=depth, bad_scores="last")
    return rank_mapping(
        run, topics=TOPICS, numbers=numbers, policies=policies, scores=True, name="run"
    )


@needs_extension
@pytest.mark.parametrize("order", ["score", "score64"])
def test_mappings_in_c_and_in_python_are_ranked_alike(
    monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    chance = random.Random(3)
    names = [f"d{n}" for n in range(60)] + ["é", "z", "日本"]
    scores = [1.0, 1.00000001, -2.5, 7, 1e-40, float("nan"), float("-inf")]
    run = {str(t): {d: chance.choice(scores) for d in names if chance.random() < 0.8}
           for t in range(5)}  # fmt: skip
    fast = [mapped(run, order=order, depth=depth) for depth in (0, 7)]
    monkeypatch.setattr("pipeline.runs.mappings.extension", lambda: None)
    for one, depth in zip(fast, (0, 7), strict=True):
        two = mapped(run, order=order, depth=depth)
        for here, there in zip(one, two, strict=True):
            np.testing.assert_array_equal(here, there)
    assert set(fast[0][0].ravel().tolist()) == {-2, -1, 0, 1, 2, 3}


HOSTILE = """
from pipeline.runs.mappings import rank_mapping
from pipeline.runs.reader import RunPolicies
from pipeline.errors import InputError

class Score:
    def __init__(self, act): self.act = act
    def __float__(self):
        self.act()
        return 1.0

def swap(ranking):  # the size stays as it is
    def act():
        ranking.pop(next(iter(ranking)))
        ranking["new" + str(len(made))] = 2.0
        made.append([b"x" * 64 for _ in range(500)])
    return act

made = []
for size in (1, 2, 50):
    for kind in ("swap", "drop the topic", "grow", "clear"):
        run = {"1": {}}
        ranking = run["1"]
        act = {"swap": swap(ranking), "drop the topic": lambda: run.pop("1", None),
               "grow": lambda: ranking.update({str(len(ranking)): 1.0}),
               "clear": ranking.clear}[kind]
        for n in range(size):
            ranking["document-%d" % n] = Score(act)
        try:
            rank_mapping(run, topics=["1"], numbers={"document-1": 0}, policies=RunPolicies(),
                         scores=True, name="run")
        except InputError as error:
            assert "changed" in str(error), error
print("done")
"""


def test_a_score_that_changes_the_mapping_does_no_harm() -> None:
    """Its `__float__` removes the document that is read, under the debug allocator."""
    done = python(HOSTILE, PYTHONMALLOC="debug")
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    if reader.extension() is None:
        pytest.skip("the compiled reader is not built")


# ---- numbers in any locale ------------------------------------------------------------------

IN_LOCALE = """
import ctypes, locale
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert locale.localeconv()["decimal_point"] == ","
strtod = ctypes.CDLL(None).strtod
strtod.restype = ctypes.c_double
assert strtod(b"0.5", None) == 0  # the C library stops at the point now
from pathlib import Path
from typing import Any
from pipeline.runs.reader import RunPolicies, RunReader, extension
assert extension()
texts = {texts!r}
content = "".join(f"1 Q0 d{{n}} {{n}} {{t}} t\\n" for n, t in enumerate(texts)).encode()
reader = RunReader(RunPolicies(order="rank", depth=0))
rows = reader.read_lines(Path("run"), content).rows
assert [x.hex() for x in rows.score.tolist()] == [float(t).hex() for t in texts]
reader._reader.begin()
assert not reader._reader.add(b"1 Q0 d 1 123456789012345678901,5 t\\n")
"""


@needs_extension
def test_scores_are_the_same_where_numbers_have_a_comma(tmp_path: Path) -> None:
    if shutil.which("localedef") is None:
        pytest.skip("no localedef to make a locale with")
    subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", str(tmp_path / "de_DE.UTF-8")],
        capture_output=True, check=False,
    )  # fmt: skip
    if not (tmp_path / "de_DE.UTF-8" / "LC_NUMERIC").is_file():
        pytest.skip("localedef has no sources of a locale with a decimal comma")
    texts = [text for text in HARD if len(text) < 300]
    done = python(IN_LOCALE.format(texts=texts), LOCPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
