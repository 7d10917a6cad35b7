"""A generated collection of 100,000 pages, half of it WARC, half `.dat`, through the shards.

The same with 10,000 pages first: memory must not grow with the collection. Beside it, what other
extractors do on one core with pages of it, text alone, without reading them or counting anything.
"""

import csv
import gzip
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import yaml

from benchmarks.timing import show

ROOT = Path(__file__).resolve().parents[1]
SHARDS = 4
BOX = 2_500  # pages in one file


def pages() -> Iterator[bytes]:
    """The demo's first pages, over and over: what differs from page to page does not matter."""
    from pipeline.sources.demo.plan import planned_pages
    from pipeline.sources.demo.text import html

    plans = planned_pages(seed=4)[:1000]
    return cycle([html(page, random=Random(page.document)) for page in plans])


def write(folder: Path, number: int) -> int:
    """Write the collection; the bytes of its pages."""
    folder.mkdir()
    every = enumerate(islice(pages(), number))
    size = 0
    for box in range(number // BOX):
        as_warc = box % 2 == 0
        path = folder / (f"{box:04d}.warc.gz" if as_warc else f"{box:04d}.dat")
        with path.open("wb") as file:
            for n, page in islice(every, BOX):
                size += len(page)
                file.write(_warc(n, page) if as_warc else _dat(n, page))
    return size


def _warc(n: int, page: bytes) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: big-{n:07d}\r\n"
        f"WARC-Record-ID: <urn:uuid:{n}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", compresslevel=1)


def _dat(n: int, page: bytes) -> bytes:
    head = f"#UID:big-{n:07d}\n#DATE:201204\n#URL:http://example.org/{n}\n#CONTENT:\n"
    return head.encode() + page.rstrip() + b"\n#EOR\n"


def campaign(folder: Path, number: int) -> float:
    """Write, run and report one collection; the seconds it took."""
    size = write(folder / "pages", number)
    (folder / "run").write_text("1 Q0 big-0000000 1 1 run\n")
    (folder / "qrels").write_text("1 0 big-0000000 1\n")
    dimensions = {
        "topicality": {"labels": "qrels", "scale": [0, 1], "threshold": 1},
        "simulated": {"estimate": {"threshold": 15}},
    }
    big = {
        "runs": {"files": "run"},
        "pages": {"files": ["pages/*"], "shards": SHARDS},
        "dimensions": dimensions,
        "measures": ["RBP(p=0.8)"],
    }
    (folder / "config.yaml").write_text(yaml.safe_dump({"campaigns": {"big": big}}))
    begin, used = time.perf_counter(), _processor_time()
    subprocess.run(
        [
            *(sys.executable, "-m", "snakemake", "--cores", "all", "--quiet", "all"),
            *("--snakefile", str(ROOT / "Snakefile"), "--configfile", "config.yaml"),
            *("--", "results/big/readability.parquet"),
        ],
        cwd=folder,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
    )
    seconds, used = time.perf_counter() - begin, _processor_time() - used
    rows = pq.ParquetFile(folder / "results/big/readability.parquet").metadata.num_rows
    print(
        f"  {rows:7,} pages, {size / 1e6:5.0f} MB: {seconds:6.1f} s on {os.cpu_count()} cores,"
        f" {rows / seconds:6,.0f} pages/s; on one core, by all the processor time, the workflow's"
        f" own included: {rows / used:6,.0f} pages/s; peak memory of a job, where it was sampled:"
    )
    for rule in ("cleanse", "readability"):
        print(f"    {rule:<14}{peak(folder / 'results/big/benchmarks', rule):6.0f} MB")
    assert rows == number
    return seconds


def peak(folder: Path, rule: str) -> float:
    """The largest resident memory of a rule's jobs, workers included.

    Snakemake samples it: twice a second for 15 seconds, then twice a minute. A job of a second is
    mostly seen before it has loaded anything.
    """
    found = []
    for path in (*folder.glob(f"{rule}.tsv"), *folder.glob(f"{rule}/*.tsv")):
        with path.open(newline="") as file:
            found.append(float(next(csv.DictReader(file, delimiter="\t"))["max_rss"]))
    return max(found)


def _processor_time() -> float:
    """The seconds of all processes that were started here and have ended, to the last."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def extractors(number: int) -> None:
    """Pages a second on one core: ours from bytes to FOG, and what others take for the text."""
    import trafilatura
    from resiliparse.extract.html2text import extract_plain_text

    from pipeline.pages.cleanse import clean
    from pipeline.pages.readability.counting import count
    from pipeline.pages.readability.indices.formulas import fog

    def ours(page: bytes) -> object:
        return fog(count(clean(page, language="en")[0]))

    def resiliparse(page: bytes) -> object:
        text = page.decode("utf-8", errors="replace")  # not all of them are in UTF-8
        return extract_plain_text(text, main_content=True)

    each: dict[str, Callable[[bytes], object]] = {
        "Fathom, bytes to FOG": ours,
        "Fathom, text alone": clean,
        "resiliparse, main content": resiliparse,
        "trafilatura, fast": lambda page: trafilatura.extract(page, fast=True),
    }
    some = list(islice(pages(), number))
    for one in each.values():
        one(some[0])  # imports and dictionaries, once
    print(f"  on one core, {number:,} of these pages:")
    for name, one in each.items():
        begin = time.process_time()
        for page in some:
            one(page)
        print(f"    {name:<28}{number / (time.process_time() - begin):8,.0f} pages/s")


def main(*, quick: bool = False) -> None:
    """Print throughput and peak memory at 10,000 and at 100,000 pages."""
    print(f"\ncollection: WARC and .dat in {SHARDS} shards")
    sizes = (BOX, 2 * BOX) if quick else (10_000, 100_000)
    each: dict[str, list[float]] = {}
    for number in sizes:
        with tempfile.TemporaryDirectory(prefix=".bench-", dir=ROOT) as name:
            seconds = campaign(Path(name), number)
        each[f"of {number:,}"] = [seconds / number * 10_000]
    show("collection: seconds for 10,000 pages", each, base=f"of {sizes[0]:,}")
    extractors(100 if quick else 1000)


if __name__ == "__main__":
    main()
