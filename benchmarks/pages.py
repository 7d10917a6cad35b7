"""Pages on one core: from bytes to FOG beside the literature's way, and how near to the truth.

The floor is resiliparse (lexbor) parsing the pages and doing nothing with them. Accuracy is the
mean absolute difference to FOG of the hand-marked text, by the same counter. Time is the
processors', workers' included: on one core the same as by the clock, but for what others do there.
"""

import gzip
import json
import os
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from benchmarks.timing import DATA, interleaved, processor_time, rounds_of, show

PAGES = DATA / "pages"
# Articles of the benchmark that are not in English: Portuguese, Russian, Indonesian, German, ...
FOREIGN = (
    "11ea381a", "c4a3637c", "7837c9d6", "21486419", "23aaecd1", "57b4dafd", "ba07d1e6", "f105de6e",
)  # fmt: skip
FLOOR, PEER = "parse only (resiliparse)", "BeautifulSoup(html.parser) + textstat"
OURS = "Fathom, blocks (default)"
WORKER = "Fathom, blocks, by a killable worker, with its start"
LONG = "the same for ten times the pages, a tenth of it"
TIMES = 10


def read(folder: str) -> dict[str, bytes]:
    files = sorted((PAGES / folder).glob("*.html.gz"))
    return {
        path.name.removesuffix(".html.gz"): gzip.decompress(path.read_bytes()) for path in files
    }


def truths() -> dict[str, str]:
    """The hand-marked text of the English articles."""
    given = json.loads((PAGES / "articles-ground-truth.json").read_text("utf-8"))
    return {
        name: entry["articleBody"] for name, entry in given.items() if not name.startswith(FOREIGN)
    }


def differences(method: str, *, sentence_ends: bool = True) -> dict[str, float]:
    """|FOG of the cleansed page - FOG of the hand-marked text| of each English article."""
    from pipeline.pages.cleanse import clean
    from pipeline.pages.readability.counting import count
    from pipeline.pages.readability.indices.formulas import fog

    pages = read("articles")
    return {
        name: abs(
            fog(count(clean(pages[name], method=method, sentence_ends=sentence_ends)[0]))
            - fog(count(text))
        )
        for name, text in truths().items()
    }


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and its workers on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def enumerated(pages: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """Pages with numbers for names."""
    return ((str(number), page) for number, page in enumerate(pages))


def contenders(pages: list[bytes]) -> dict[str, Callable[[], object]]:
    import textstat
    from bs4 import BeautifulSoup
    from resiliparse.parse.html import HTMLTree

    from pipeline.pages.cleanse import clean
    from pipeline.pages.cleanse.workers import map_pages
    from pipeline.pages.readability.counting import count
    from pipeline.pages.readability.indices.formulas import fog
    from pipeline.pages.step import Task

    def literature() -> None:
        for page in pages:
            textstat.gunning_fog(BeautifulSoup(page, "html.parser").get_text())

    def ours(method: str) -> None:
        for page in pages:
            fog(count(clean(page, method=method)[0]))

    def guarded() -> None:
        """As a campaign does it: cleansed, its language asked for and counted by the worker."""
        for _ in map_pages(Task(language="en"), enumerated(pages)):
            pass

    return {
        FLOOR: lambda: [HTMLTree.parse_from_bytes(page) for page in pages],
        OURS: lambda: ours("blocks"),
        WORKER: guarded,
        "Fathom, main": lambda: ours("main"),
        "Fathom, article": lambda: ours("article"),
        "Fathom, naive": lambda: ours("naive"),
        PEER: literature,
    }


def main(*, quick: bool = False) -> None:
    """Print ratios and accuracy."""
    if not PAGES.is_dir():
        print("pages: needs the real data in ../shared/data; skipped")
        return
    pages = [*read("articles").values(), *read("health-forum").values()]
    with suppress(AttributeError), one_core():  # not every system can
        made = contenders(pages)
        for name in (FLOOR, OURS, "Fathom, main", "Fathom, article"):
            made[name]()  # imports and dictionaries, once
        many = contenders(pages * TIMES)
        every = {**made, LONG: many[WORKER]}
        seconds = interleaved(every, rounds=rounds_of(quick), clock=processor_time)
    seconds[LONG] = [each / TIMES for each in seconds[LONG]]
    size = sum(map(len, pages)) / 1e6
    show(
        f"pages: {len(pages)} of them, {size:.0f} MB, bytes to FOG on one core", seconds, base=FLOOR
    )
    ours = seconds[OURS]
    against = statistics.median(a / b for a, b in zip(seconds[PEER], ours, strict=True))
    print(f"  default: {against:.1f} times {PEER}; of the parse-only floor:")
    for name in (OURS, WORKER, LONG):
        share = statistics.median(a / b for a, b in zip(seconds[FLOOR], seconds[name], strict=True))
        print(f"    {share:5.2f}  {name}")
    print("\npages: mean absolute difference to FOG of the hand-marked text")
    for method in ("blocks", "main", "article", "naive"):
        for ends in (True, False):
            found = differences(method, sentence_ends=ends)
            kind = "block ends end sentences" if ends else "only punctuation ends sentences"
            print(f"  {method:<8}{kind:<34}{statistics.mean(found.values()):6.2f}  ({len(found)})")


if __name__ == "__main__":
    main()
