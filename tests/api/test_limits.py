"""Run files of any size, read and scored within a bound of memory that the system holds."""

import sys
from pathlib import Path

import pytest
from isal import igzip

from tests.test_limits import bounded

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="Linux's bound")]

EVALUATE = """
import sys
from pipeline import evaluate
qrels, run, depth = sys.argv[1:]
result = evaluate(qrels, run, ["AP", "nDCG@10", "Bpref"], depth=int(depth))
for name in result.measures:
    ends = (result.overall(name, end=end)[0] for end in ("value", "lower", "upper"))
    print(name, *(f"{value:.6f}" for value in ends))
"""
TREC_EVAL = "from pipeline.command.entry import entry; entry()"


def written(folder: Path, *, topics: int, depth: int, packed: bool = False) -> tuple[str, str]:
    """Judgements and a run that answers every topic alike, with documents of its own."""
    run, qrels = folder / ("run.gz" if packed else "run"), folder / "qrels"
    block = b"".join(
        b"T Q0 clueweb12-T-%05d %d %.3f t\n" % (n, n + 1, depth - n) for n in range(depth)
    )
    labels = b"".join(b"T 0 clueweb12-T-%05d %d\n" % (7 * n, n % 3) for n in range(20))
    opened = igzip.open(run, "wb", compresslevel=0) if packed else run.open("wb")
    with opened as file, qrels.open("wb") as judged:
        for topic in range(topics):
            name = b"%05d" % topic
            file.write(block.replace(b"T", name))
            judged.write(labels.replace(b"T", name))
    return str(qrels), str(run)


def printed(output: str) -> dict[str, list[str]]:
    """The fields of every line by its measure, among lines of progress."""
    return {line.split()[0]: line.split()[1:] for line in output.splitlines() if line.strip()}


def by_hand() -> str:
    """Average precision of one ranking, every topic being alike."""
    relevant = [7 * n + 1 for n in range(20) if n % 3]
    return f"{sum((n + 1) / rank for n, rank in enumerate(relevant)) / len(relevant):.4f}"


def test_twenty_million_lines_in_a_gigabyte(tmp_path: Path) -> None:
    topics, depth = 20_000, 1000
    qrels, run = written(tmp_path, topics=topics, depth=depth)
    assert Path(run).stat().st_size > 850_000_000
    lines = ("-m", "num_ret", "-m", "map", "-m", "ndcg_cut.10")
    done = bounded(
        "-c", TREC_EVAL, "trec_eval", *lines, qrels, run, folder=tmp_path, megabytes=1000
    )
    values = printed(done.stdout)
    assert values["num_ret"][-1] == str(topics * depth)
    assert values["map"][-1] == by_hand()
    done = bounded("-c", EVALUATE, qrels, run, str(depth), folder=tmp_path, megabytes=1000)
    assert f"{float(printed(done.stdout)['AP'][0]):.4f}" == by_hand()


def test_ten_thousand_documents_a_topic_packed_in_two_gigabytes(tmp_path: Path) -> None:
    topics, depth = 1000, 10_000
    qrels, run = written(tmp_path, topics=topics, depth=depth, packed=True)
    done = bounded("-c", EVALUATE, qrels, run, str(depth), folder=tmp_path, megabytes=2000)
    assert f"{float(printed(done.stdout)['AP'][0]):.4f}" == by_hand()
