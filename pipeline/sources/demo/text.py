"""Web pages at a planned reading level, from sentence patterns, topics' phrases and site layouts.

A pattern is a line of `phrases.txt`: `(a|b)` is a choice, `{signs}` a slot for a topic's phrase.
There are three registers. The five levels mix them, so that FOG rises with the level.

Six layouts of web sites (`looks.html.j2`) surround an article with boilerplate: menus, banners,
scripts, footers. Some of it has semantic markup (`nav`, `footer`), some is in plain `div`s and
tables, as on real sites, so that methods of cleansing differ.
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
    """A heading with its paragraphs, and optionally a list after them."""

    heading: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Article:
    """The content of a page, without the site's boilerplate."""

    title: str
    sections: tuple[ArticleSection, ...]


class Writer:
    """Writes the article of a page; no pattern or phrase repeats before all have been used."""

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
        text = tuple(self._paragraph(name) for _ in range(paragraphs))
        if paragraphs == 1 or self._random.random() >= 0.5:
            return ArticleSection(heading, text)
        plain, specialist = PAIRS[name]
        words = self._words[specialist if self._shares[2] > 0.5 else plain]
        return ArticleSection(heading, text, tuple(map(_capital, self._random.sample(words, 3))))

    def _paragraph(self, section: str) -> str:
        sentences = []
        # Plain sentences are short, so plain paragraphs have more of them.
        for _ in range(self._random.randint(3, 4) + (self._level < 3)):
            register = self._random.choices(_REGISTERS, self._shares)[0]
            pattern = self._draw((register, section), _PATTERNS[register, section])
            sentences.append(self._filled(pattern))
        return " ".join(sentences)

    def _filled(self, pattern: str) -> str:
        choice = self._random.choice
        phrase = re.sub(r"\(([^()]*\|[^()]*)\)", lambda m: choice(m[1].split("|")), pattern)
        return _capital(re.sub(r"\{(\w+)\}", lambda m: self._slot(m[1]), phrase))

    def _slot(self, slot: str) -> str:
        value = self._words[slot.lower()]
        phrase = value if isinstance(value, str) else self._draw(slot, value)
        return _capital(phrase) if slot[0].isupper() else phrase

    def _draw(self, deck: object, phrases: Sequence[str]) -> str:
        """The next phrase of a shuffled deck; a new deck does not start with the last phrase."""
        cards = self._decks.get(deck, [])
        if len(cards) < 2:
            last = cards[0] if cards else None
            rest = [phrase for phrase in phrases if phrase != last]
            self._decks[deck] = cards = self._random.sample(rest, len(rest)) + cards
        return cards.pop()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def article(page: Page, *, random: Random) -> Article:
    """The article of a page: mainly on its main aspect, with a section on each other aspect."""
    writer = Writer(page, random=random)
    lengths = {"overview": 1, page.main: 2} | dict.fromkeys(page.others, 1)
    sections = [writer.section(name, paragraphs=number) for name, number in lengths.items()]
    return Article(writer.heading("title"), tuple(sections))


@cache
def _looks() -> Template:
    templates = Environment(  # no autoescape: the template escapes each text
        loader=FileSystemLoader(Path(__file__).parent),
        keep_trailing_newline=True,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    return templates.get_template("looks.html.j2", globals={"escape": escape})


def html(page: Page, *, random: Random) -> bytes:
    """The bytes of a page: UTF-8, sometimes with a byte-order mark; some forums in Windows-1252."""
    text = article(page, random=random)
    windows = page.site == "forum" and random.random() < 0.5
    mark = b"\xef\xbb\xbf" if page.site == "blog" and random.random() < 0.2 else b""
    charset = "windows-1252" if windows else "utf-8"
    markup = _looks().render(article=text, site=page.site, random=random, charset=charset)
    return mark + markup.encode(charset)
