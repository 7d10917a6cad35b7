"""Who counts what: our counter beside others, on hand-marked text, as docs/counting.md has it.

`python -m benchmarks.counters` prints the table; `--write` puts it into the page. It needs the
pages of ../shared/data and the peers (`make peers`).
"""

import argparse
import re
import statistics
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from benchmarks.pages import PAGES, truths
from pipeline.pages.readability.counting import Counts, count
from pipeline.pages.readability.index import ENGINES
from pipeline.pages.readability.indices.formulas import fog

PAGE = Path(__file__).resolve().parents[1] / "docs/counting.md"
MARKS = ("<!-- counters -->\n", "<!-- end of counters -->\n")
HEAD = "| counter | words | sentences | complex words | FOG: mean difference | median | tau-b |\n"
Counter = Callable[[str], tuple[Counts, float]]


def counters() -> dict[str, Counter]:
    """Each available counter: counts and FOG of a text; ours comes first."""
    found: dict[str, Counter] = {"`fathom`": lambda text: ((made := count(text)), fog(made))}
    for name in ("textstat", "textstat_counts"):
        found[f"`{name}`"] = _engine(name)
    for kind, split in _splitters().items():
        found[f"py-readability-metrics, {kind}"] = _metrics(split)
    return found


def _engine(name: str) -> Counter:
    def counted(text: str) -> tuple[Counts, float]:
        counts, indices = ENGINES[name](text)
        return counts, indices["fog"]

    return counted


def _splitters() -> dict[str, Callable[[str], list[str]]]:
    """NLTK's sentence splitter, untrained, and as trained where its data is installed.

    NLTK fetches the data by itself from no package; the wheel of llama-index-core has a copy.
    """
    import nltk
    from nltk.tokenize import sent_tokenize
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    found: dict[str, Callable[[str], list[str]]] = {}
    package = find_spec("llama_index")
    for place in package.submodule_search_locations or () if package else ():
        nltk.data.path.append(str(Path(place, "core/_static/nltk_cache")))
    try:
        sent_tokenize("Is it there?")
        found["Punkt as trained"] = sent_tokenize
    except LookupError:
        pass
    found["Punkt untrained"] = PunktSentenceTokenizer().tokenize
    return found


def _metrics(split: Callable[[str], list[str]]) -> Counter:
    """Its analyzer, asked directly: its front refuses texts under 100 words."""
    from readability.text.analyzer import Analyzer

    class Splitting(Analyzer):  # type: ignore[misc]
        def _tokenize_sentences(self, text: str) -> list[str]:
            return split(text)

    def counted(text: str) -> tuple[Counts, float]:
        made = Splitting().analyze(text)
        counts = Counts(
            words=made.num_words,
            sentences=made.num_sentences,
            syllables=made.num_syllables,
            complex_words=made.num_gunning_complex,
            characters=made.num_letters,
            difficult_words=made.num_dale_chall_complex,
        )
        return counts, fog(counts)  # its formula is the same

    return counted


def rows(texts: Mapping[str, str]) -> dict[str, str]:
    """A row of the table for each counter."""
    from scipy.stats import kendalltau

    made = {name: [one(text) for text in texts.values()] for name, one in counters().items()}
    ours, *_ = made.values()
    total = Counts(*map(sum, zip(*(counts for counts, _ in ours), strict=True)))
    found = {}
    for name, theirs in made.items():
        share = [
            sum(getattr(counts, kind) for counts, _ in theirs) / getattr(total, kind)
            for kind in ("words", "sentences", "complex_words")
        ]
        a, b = ([value for _, value in one] for one in (ours, theirs))
        apart = [abs(x - y) for x, y in zip(a, b, strict=True)]
        cells = [
            *(f"{one:.2f}" for one in share),
            f"{statistics.mean(apart):.2f}",
            f"{statistics.median(apart):.2f}",
            f"{kendalltau(a, b).statistic:.2f}",
        ]
        found[name] = f"| {name} | {' | '.join(cells)} |\n"
    return found


def table(made: Mapping[str, str]) -> str:
    """The whole table."""
    return HEAD + "| --- " * HEAD.count(" |") + "|\n" + "".join(made.values())


def main() -> None:
    """Print or write the table."""
    given = argparse.ArgumentParser(prog="python -m benchmarks.counters", description=__doc__)
    given.add_argument("--write", action="store_true", help="put it into docs/counting.md")
    chosen = given.parse_args()
    if not PAGES.is_dir():
        print("counters: needs the real data in ../shared/data; skipped")
        return
    made = table(rows(truths()))
    print(made, end="")
    if chosen.write:
        begin, end = MARKS
        text = PAGE.read_text("utf-8")
        new = re.sub(f"{begin}.*{end}", lambda _: begin + made + end, text, flags=re.DOTALL)
        PAGE.write_text(new, "utf-8")


if __name__ == "__main__":
    main()
