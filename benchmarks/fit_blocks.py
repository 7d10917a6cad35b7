"""`make fit-blocks`: the weights of the block method, fitted to hand-marked pages, and their worth.

A block of a page is text or boilerplate by whether most of its words are in the hand-marked text,
in order. A logistic regression is fitted with the sign of every weight fixed, so that each can be
explained. Every page weighs the same, and within it a block by its words; the shortest still
count, since a scrap that is kept adds a sentence. Weights are rounded to one decimal. Leaving out
a tenth of the sites at a time estimates what they are worth on other sites.
"""

import argparse
import json
import random
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from urllib.parse import urlparse

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.pages import PAGES, read, truths
from pipeline.pages.cleanse import METHODS, clean, decode
from pipeline.pages.cleanse.methods.blocks import FEW
from pipeline.pages.cleanse.scoring import (
    KEEP_ABOVE,
    WEIGHTS,
    Weight,
    build_scorer,
    extension,
    hints,
    weights,
)
from pipeline.pages.readability.counting import count
from pipeline.pages.readability.indices.formulas import fog

FOLDS, SEEDS = 10, (0, 1, 2)
RIDGE = 1.0  # the penalty on squared weights
PAGE_WEIGHT = 20.0
ENOUGH = 20  # words beyond which a longer block weighs no more; also what every block weighs
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Example:
    """A page: its blocks' features and words, which of them are text, and what comes of it."""

    name: str
    site: str
    features: Array
    words: Array
    is_text: Array
    texts: Sequence[str]
    marked: str
    otherwise: str  # what `main` makes of it, where hardly anything is kept

    def kept(self, given: Array) -> NDArray[np.bool_]:
        return self.features @ given > KEEP_ABOVE

    def text(self, given: Array) -> str:
        kept = self.kept(given)
        if self.words[kept].sum() < FEW:
            return self.otherwise
        return "\n".join(text for text, keep in zip(self.texts, kept, strict=True) if keep)

    def difference(self, given: Array) -> float:
        """|FOG of what is kept - FOG of the hand-marked text|."""
        return abs(fog(count(self.text(given))) - fog(count(self.marked)))


def shares(texts: Sequence[str], marked: str) -> list[float]:
    """The share of each block's words that are in the hand-marked text, in its order."""
    words = [(word, n) for n, text in enumerate(texts) for word in text.lower().split()]
    found = [0] * len(texts)
    matcher = SequenceMatcher(None, [w for w, _ in words], marked.lower().split(), autojunk=False)
    for at, _, size in matcher.get_matching_blocks():
        for _, n in words[at : at + size]:
            found[n] += 1
    return [n / max(1, len(text.split())) for n, text in zip(found, texts, strict=True)]


def examples() -> list[Example]:
    """The English articles of ../shared/data/pages."""
    pages = read("articles")
    given = json.loads((PAGES / "articles-ground-truth.json").read_text("utf-8"))
    made = build_scorer(weights())
    found = []
    for name, marked in truths().items():
        blocks = made.describe(decode(pages[name]).encode())
        texts = [block["text"] for block in blocks]
        found.append(
            Example(
                name=name,
                site=urlparse(given[name]["url"]).netloc.removeprefix("www."),
                features=np.array([np.frombuffer(block["features"]) for block in blocks]),
                words=np.array([block["words"] for block in blocks], float),
                is_text=np.array(shares(texts, marked)) >= 0.5,
                texts=texts,
                marked=marked,
                otherwise=clean(pages[name], method="main")[0],
            )
        )
    return found


def fit(given: Sequence[Example], signs: Sequence[str]) -> Array:
    """The weights, each of its sign, to one decimal."""
    features = np.vstack([one.features for one in given])
    is_text = np.concatenate([one.is_text for one in given]).astype(float)
    each = [np.minimum(one.words, ENOUGH) + ENOUGH for one in given]
    weight = PAGE_WEIGHT * np.concatenate([w / w.sum() for w in each])

    def loss(b: Array) -> tuple[float, Array]:
        score = features @ b
        penalty = b * np.array([0.0, *[RIDGE] * (len(b) - 1)])
        chance = 1 / (1 + np.exp(-score))
        total = weight @ (np.logaddexp(0, score) - is_text * score) + penalty @ b / 2
        return float(total), features.T @ (weight * (chance - is_text)) + penalty

    bounds = [{"+": (0, None), "-": (None, 0), "any": (None, None)}[sign] for sign in signs]
    found = minimize(loss, np.zeros(len(signs)), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.round(found.x, 1) + 0.0  # no negative zero


def held_out(given: Sequence[Example], signs: Sequence[str], seed: int) -> dict[str, float]:
    """The difference of each page by weights from other sites' pages."""
    sites = sorted({one.site for one in given})
    random.Random(seed).shuffle(sites)
    found = {}
    for fold in range(FOLDS):
        out = set(sites[fold::FOLDS])
        fitted = fit([one for one in given if one.site not in out], signs)
        found |= {one.name: one.difference(fitted) for one in given if one.site in out}
    return found


def told(differences: Iterable[float]) -> str:
    every = np.array(list(differences))
    return (
        f"{every.mean():6.3f}{np.median(every):8.2f}{(every <= 0.5).mean():8.0%}{every.max():8.2f}"
    )


def found_words(text: str, marked: str) -> tuple[float, float]:
    """Precision and recall of the words of a text against the hand-marked ones, in order."""
    ours, theirs = text.lower().split(), marked.lower().split()
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    hits = sum(size for _, _, size in matcher.get_matching_blocks())
    return hits / max(1, len(ours)), hits / max(1, len(theirs))


def forum_prose() -> tuple[int, int]:
    """Lines of over 20 words on the health-forum pages, and how many of them are kept."""
    kept = prose = 0
    for page in read("health-forum").values():
        every = {
            line for line in clean(page, method="naive")[0].split("\n") if len(line.split()) > 20
        }
        kept += len(every & set(clean(page, method="blocks")[0].split("\n")))
        prose += len(every)
    return prose, kept


def accuracy(given: Sequence[Example], signs: Sequence[str]) -> None:
    """Print how near each method comes to the hand-marked text."""
    pages = read("articles")
    print(f"\n|FOG - FOG of the hand-marked text|, {len(given)} English articles")
    print(f"  {'method':<28}{'mean':>6}{'median':>8}{'<= .5':>8}{'most':>8}  precision  recall")
    for method in METHODS:
        texts = [clean(pages[one.name], method=method)[0] for one in given]
        differences = [
            abs(fog(count(text)) - fog(count(one.marked)))
            for text, one in zip(texts, given, strict=True)
        ]
        pairs = [found_words(t, one.marked) for t, one in zip(texts, given, strict=True)]
        precision, recall = (statistics.mean(side) for side in zip(*pairs, strict=True))
        print(f"  {method:<28}{told(differences)}{precision:11.3f}{recall:8.3f}")
    every = [held_out(given, signs, seed) for seed in SEEDS]
    means = [statistics.mean(found[one.name] for found in every) for one in given]
    print(f"  {'blocks, sites left out':<28}{told(means)}")
    prose, kept = forum_prose()
    print(f"\n40 health-forum pages: {kept} of {prose} long lines kept, {kept / prose:.0%}")


def write(table: Sequence[Weight], meanings: Mapping[str, str]) -> None:
    """The readable table, anew."""
    head = [
        "# What each feature of a block adds to its score; a block with a score over zero is kept.",
        "# Written by `make fit-blocks`; the sign is fixed by hand, the weight fitted.",
        "# What has a * is 0 for a scrap of text, and where a name speaks against the block.",
        "#",
        "# feature        sign  weight  it says of a block",
    ]
    rows = [
        f"{row.name:<16} {row.sign:<4} {row.weight:6.1f}  {meanings[row.name]}" for row in table
    ]
    WEIGHTS.write_text("\n".join([*head, *rows, ""]), encoding="utf-8", newline="\n")


def main() -> None:
    """Fit, print, and perhaps write."""
    given = argparse.ArgumentParser(prog="python -m benchmarks.fit_blocks", description=__doc__)
    given.add_argument("--write", action="store_true", help=f"write {WEIGHTS.name}")
    chosen = given.parse_args()
    module = extension()
    if module is None or not PAGES.is_dir():
        given.error("needs the compiled block method and the real data in ../shared/data")
    before = weights()
    signs = [row.sign for row in before]
    data = examples()
    after = fit(data, signs)
    table = [row._replace(weight=float(w)) for row, w in zip(before, after, strict=True)]
    meanings = dict(module.FEATURES) | {
        group: f"an element around it is called {words[0]}, {words[1]} or the like"
        for group, words in hints().items()
    }
    for row in table:
        print(f"  {row.name:<16}{row.weight:6.1f}  {meanings[row.name]}")
    if chosen.write:
        write(table, meanings)
    accuracy(data, signs)


if __name__ == "__main__":
    main()
