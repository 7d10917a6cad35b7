"""The two run readers around the reading: which one is taken, and what no input may do to it."""

import os
import random
import shutil
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import pytest

import pipeline
from pipeline.campaign.code import library
from pipeline.errors import InputError
from pipeline.runs import compiled, rankings, trec
from pipeline.runs.compiled import CompiledReader
from pipeline.runs.reader import run_reader
from pipeline.runs.reading import TOO_MANY
from pipeline.storage import c_sources
from tests.runs.readers import Both
from tests.runs.test_trec import HARD

PACKAGE = Path(pipeline.__file__).parent
RUNS = PACKAGE / "runs"
SLOW = (
    "fathom: the compiled run reader is not built, so runs are read about 30 times more slowly; "
    "install a C compiler and run `make setup`\n"
)
HIDDEN = "import sys; sys.modules['pipeline.runs._reader'] = None\n"  # as if it were not built

needs_extension = pytest.mark.skipif(
    compiled.extension() is None, reason="the compiled reader is not built"
)


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
    assert isinstance(run_reader(), CompiledReader)


INGEST = """
from pathlib import Path
from pipeline.runs.ingest import ingest
for _ in range(2):
    ingest(sorted(Path({files!r}).iterdir()), out=Path({out!r}), facts=Path({facts!r}),
           order="score", depth=20, duplicates="first", bad_scores="last")
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
        expected = SLOW if before or compiled.extension() is None else ""
        assert done.stderr == expected  # once, not once a reader
        made[kind] = out.read_bytes(), facts.read_bytes()
    assert made["plain"] == made["best"]
    assert len(rankings.read(tmp_path / "best.parquet", topics=["0", "1"]).runs) == 3


@needs_extension
@pytest.mark.parametrize("edited", ["_reader.c", "native/ids.h"])
def test_an_edited_source_is_never_read_with_a_stale_extension(tmp_path: Path, edited: str) -> None:
    skip = shutil.ignore_patterns("__pycache__")
    copy = shutil.copytree(PACKAGE, tmp_path / "pipeline", ignore=skip)
    code = "from pipeline.runs.reader import run_reader; print(type(run_reader()).__name__)"
    assert python(code, PYTHONPATH=str(tmp_path)).stdout == "CompiledReader\n"
    with (copy / "runs" / edited).open("a") as file:
        file.write("/* one more comment */\n")
    done = python(code, PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"pipeline.errors.InputError: the compiled run reader in {copy / 'runs'} was built from "
        "other C sources than those beside it; run `make setup` to build it again"
    )


def test_an_install_without_sources_is_not_stale(tmp_path: Path) -> None:
    c_sources.refuse_stale("run reader", built_from="anything", folder=tmp_path)
    (tmp_path / "_reader.c").write_text("int x;")
    with pytest.raises(InputError, match="make setup"):
        c_sources.refuse_stale("run reader", built_from="anything", folder=tmp_path)
    c_sources.refuse_stale("run reader", built_from=c_sources.digest(tmp_path), folder=tmp_path)


def test_the_c_sources_count_as_code_of_the_rule_that_reads_runs() -> None:
    behind = library().behind(PACKAGE.parent / "scripts" / "ingest.py")
    sources = set(c_sources.c_sources(RUNS))
    assert {path.name for path in sources} >= {"_reader.c", "ids.h", "run.h"}
    assert sources <= behind


# ---- what it refuses ------------------------------------------------------------------------


def lines_of(*documents: str, topic: str = "1") -> bytes:
    return "".join(f"{topic} Q0 {d} {n} {-n} t\n" for n, d in enumerate(documents)).encode()


def test_more_rows_than_can_be_numbered() -> None:
    reader = Both(limit=3)
    assert not reader.read(lines_of("a", "b", "c"), order="rank", depth=0)[1].error
    _, summary = reader.read(b"\n" + lines_of("a", "b", "c", "a"), order="rank", depth=0)
    assert (summary.error, summary.line) == (TOO_MANY, 5)


def test_more_ids_than_can_be_numbered() -> None:
    reader = Both(limit=2)
    assert not reader.read(lines_of("a", "b"), order="rank", depth=0)[1].error
    _, summary = reader.read(b"\n\n" + lines_of("a", "c"), order="rank", depth=0)
    assert (summary.error, summary.line) == (TOO_MANY, 4)
    topics = Both(limit=2)
    for topic in ("1", "2"):
        assert not topics.read(lines_of("a", topic=topic), order="rank", depth=0)[1].error
    _, summary = topics.read(lines_of("a", topic="3"), order="rank", depth=0)
    assert (summary.error, summary.line) == (TOO_MANY, 1)


def test_the_sentence_for_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trec, "run_reader", lambda: Both(limit=1))
    path = tmp_path / "r"
    path.write_bytes(lines_of("a", "b"))
    reader = trec.RunReader(order="score", depth=0, duplicates="error", bad_scores="error")
    with pytest.raises(InputError) as caught:
        reader.read(path)
    assert str(caught.value) == (
        f"{path}, line 2: more than 2147483647 lines, or ids in all runs that are read together, "
        "cannot be numbered; split the run, or raise runs.batches"
    )


@needs_extension
def test_threads_read_side_by_side_but_not_with_one_reader() -> None:
    content = lines_of(*(f"d{n}" for n in range(400_000)))
    reader = CompiledReader()
    thread = threading.Thread(
        target=reader.read, args=(content,), kwargs={"order": "rank", "depth": 0}
    )
    seen = False
    thread.start()
    while thread.is_alive() and not seen:  # comes here while the other reads: it holds no GIL
        try:
            reader.topics()
        except RuntimeError as error:
            seen = str(error) == "this reader is at work in another thread"
    thread.join()
    assert seen
    assert len(reader.documents()[0]) == 400_001


# ---- numbers in any locale ------------------------------------------------------------------

IN_LOCALE = """
import ctypes, locale
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert locale.localeconv()["decimal_point"] == ","
strtod = ctypes.CDLL(None).strtod
strtod.restype = ctypes.c_double
assert strtod(b"0.5", None) == 0  # the C library stops at the point now
from pipeline.runs.compiled import CompiledReader
from pipeline.storage import c_sources
texts = {texts!r}
content = "".join(f"1 Q0 d{{n}} {{n}} {{t}} t\\n" for n, t in enumerate(texts)).encode()
rows, summary = CompiledReader().read(content, order="rank", depth=0)
assert not summary.error, texts[summary.line - 1]
assert [x.hex() for x in rows.score.tolist()] == [float(t).hex() for t in texts]
_, summary = CompiledReader().read(b"1 Q0 d 1 123456789012345678901,5 t", order="rank", depth=0)
assert summary.error == "score"
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
