"""Web pages at a planned reading level, from sentence patterns, a topic's words and site looks.

A pattern is a line of `phrases.txt`: `(a|b)` offers a choice, `{signs}` takes a topic's phrase.
There are three registers; the five levels mix them, so that FOG rises from one to the next.

Six looks of web sites (`looks.html.j2`) surround an article with menus, banners, scripts, footers.
Some of it is marked up as what it is (`nav`, `footer`), some hides in plain `div`s and tables, as
on real sites, so a better cleanser has something to gain.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from random import Random

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from pipeline.sources.demo.plan import PAIRS, TOPICS, Page

# Level -> share of sentences in the (plain, middle, dense) register.
LEVELS: Mapping[int, tuple[float, float, float]] = {
    1: (0.9, 0.1, 0.0),
    2: (0.4, 0.6, 0.0),
    3: (0.0, 0.95, 0.05),
    4: (0.0, 0.65, 0.35),
    5: (0.0, 0.2, 0.8),
}
_REGISTERS = ("plain", "middle", "dense")
_BLOCKS = Path(__file__).with_name("phrases.txt").read_text("utf-8").strip().split("\n\n")
_PATTERNS = {
    tuple(head.removeprefix("# ").split(" ")): tuple(patterns)  # by register and section
    for head, *patterns in map(str.splitlines, _BLOCKS)
}


@dataclass(frozen=True)
class ArticleSection:
    """A heading with its paragraphs, and perhaps a list after them."""

    heading: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Article:
    """What a page says, before a site dresses it."""

    title: str
    sections: tuple[ArticleSection, ...]


class Writer:
    """Writes a page's article; draws each pattern and phrase once before any twice."""

    def __init__(self, page: Page, *, random: Random) -> None:
        self._level, self._shares = page.level, LEVELS[page.level]
        self._main = _REGISTERS[max(range(3), key=self._shares.__getitem__)]
        self._random = random
        self._decks: dict[object, list[str]] = {}
        self._words = next(topic.words for topic in TOPICS if topic.key == page.topic)

    def heading(self, kind: str) -> str:
        """A title, or the heading of a section, in the level's main register."""
        return self._filled(self._random.choice(_PATTERNS[self._main, kind]))

    def section(self, name: str, *, paragraphs: int) -> ArticleSection:
        """A section on one aspect of the topic; one of several paragraphs may have a list."""
        heading = self.heading(f"{name}-heading")
        written = tuple(self._paragraph(name) for _ in range(paragraphs))
        if paragraphs == 1 or self._random.random() >= 0.5:
            return ArticleSection(heading, written)
        plain, specialist = PAIRS[name]
        words = self._words[specialist if self._shares[2] > 0.5 else plain]
        return ArticleSection(heading, written, tuple(map(_capital, self._random.sample(words, 3))))

    def _paragraph(self, section: str) -> str:
        sentences = []
        # Plain sentences are short: a plain paragraph has more of them.
        for _ in range(self._random.randint(3, 4) + (self._level < 3)):
            register = self._random.choices(_REGISTERS, self._shares)[0]
            pattern = self._draw((register, section), _PATTERNS[register, section])
            sentences.append(self._filled(pattern))
        return " ".join(sentences)

    def _filled(self, pattern: str) -> str:
        chosen = re.sub(
            r"\(([^()]*\|[^()]*)\)", lambda m: self._random.choice(m[1].split("|")), pattern
        )
        return _capital(re.sub(r"\{(\w+)\}", lambda m: self._slot(m[1]), chosen))

    def _slot(self, slot: str) -> str:
        value = self._words[slot.lower()]
        phrase = value if isinstance(value, str) else self._draw(slot, value)
        return _capital(phrase) if slot[0].isupper() else phrase

    def _draw(self, deck: object, phrases: Sequence[str]) -> str:
        """The next phrase of a shuffled deck; a new deck does not begin with the last phrase."""
        cards = self._decks.get(deck, [])
        if len(cards) < 2:
            last = cards[0] if cards else None
            rest = [phrase for phrase in phrases if phrase != last]
            self._decks[deck] = cards = self._random.sample(rest, len(rest)) + cards
        return cards.pop()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def article(page: Page, *, random: Random) -> Article:
    """The article of a page, mostly on its main aspect, with a section on each of the others."""
    writer = Writer(page, random=random)
    lengths = {"overview": 1, page.main: 2} | dict.fromkeys(page.others, 1)
    sections = [writer.section(name, paragraphs=number) for name, number in lengths.items()]
    return Article(writer.heading("title"), tuple(sections))


@cache
def _looks() -> Template:
    templates = Environment(  # all texts are ours, and escaped one by one
        loader=FileSystemLoader(Path(__file__).parent),
        keep_trailing_newline=True,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    return templates.get_template("looks.html.j2", globals={"escape": escape})


def html(page: Page, *, random: Random) -> bytes:
    """The page's bytes: mostly UTF-8, sometimes with a mark, old boards in windows-1252."""
    text = article(page, random=random)
    old = page.site == "forum" and random.random() < 0.5
    mark = b"\xef\xbb\xbf" if page.site == "blog" and random.random() < 0.2 else b""
    charset = "windows-1252" if old else "utf-8"
    made = _looks().render(article=text, site=page.site, random=random, charset=charset)
    return mark + made.encode(charset)
