"""Prose at a planned reading level, from sentence patterns and a topic's words.

A pattern is a line of `phrases.txt`: `(a|b)` offers a choice, `{signs}` takes a topic's phrase.
There are three registers; the five levels mix them, so that FOG rises from one to the next.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from pipeline.sources.demo.plan import PAIRS, Topic

# Level -> share of sentences in the (plain, middle, dense) register.
LEVELS: Mapping[int, tuple[float, float, float]] = {
    1: (0.9, 0.1, 0.0),
    2: (0.4, 0.6, 0.0),
    3: (0.0, 0.95, 0.05),
    4: (0.0, 0.65, 0.35),
    5: (0.0, 0.2, 0.8),
}
_REGISTERS = ("plain", "middle", "dense")
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")


_BLOCKS = Path(__file__).with_name("phrases.txt").read_text("utf-8").strip().split("\n\n")
_PATTERNS = {
    tuple(head.removeprefix("# ").split(" ")): tuple(patterns)  # by register and section
    for head, *patterns in map(str.splitlines, _BLOCKS)
}


@dataclass(frozen=True)
class Section:
    """A heading with its paragraphs, and perhaps a list after them."""

    heading: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Article:
    """What a page says, before a site dresses it."""

    title: str
    sections: tuple[Section, ...]


class Writer:
    """Writes about one topic at one level; draws each pattern and phrase once before any twice."""

    def __init__(self, topic: Topic, *, level: int, random: Random) -> None:
        self._shares = LEVELS[level]
        self._main = _REGISTERS[max(range(3), key=self._shares.__getitem__)]
        self._random = random
        self._decks: dict[object, list[str]] = {}
        self._words = topic.words

    def title(self) -> str:
        """A title in the level's main register."""
        return self._filled(self._random.choice(_PATTERNS[self._main, "title"]))

    def heading(self, section: str) -> str:
        """A heading for the section, in the level's main register."""
        return self._filled(self._random.choice(_PATTERNS[self._main, f"{section}-heading"]))

    def paragraph(self, section: str, *, sentences: int) -> str:
        """Some sentences on one section of the topic."""
        return " ".join(self.sentence(section) for _ in range(sentences))

    def sentence(self, section: str) -> str:
        """One sentence on one section of the topic."""
        register = self._random.choices(_REGISTERS, self._shares)[0]
        pattern = self._draw((register, section), _PATTERNS[register, section])
        return self._filled(pattern)

    def items(self, section: str, *, count: int) -> tuple[str, ...]:
        """A list of the topic's own phrases on one section."""
        plain, specialist = PAIRS[section]
        slot = specialist if self._shares[2] > 0.5 else plain
        return tuple(_capital(item) for item in self._random.sample(self._words[slot], count))

    def _filled(self, pattern: str) -> str:
        chosen = _CHOICE.sub(lambda m: self._random.choice(m[1].split("|")), pattern)
        return _capital(_SLOT.sub(lambda m: self._slot(m[1]), chosen))

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


def article(
    topic: Topic, *, level: int, main: str, others: Sequence[str], random: Random
) -> Article:
    """An article on the topic, mostly on its aspect `main`, with a section on each of `others`."""
    writer = Writer(topic, level=level, random=random)

    def section(name: str, paragraphs: int) -> Section:
        # Plain sentences are short: a plain paragraph has more of them.
        return Section(
            writer.heading(name),
            tuple(
                writer.paragraph(name, sentences=random.randint(3, 4) + (level < 3))
                for _ in range(paragraphs)
            ),
            writer.items(name, count=3) if paragraphs > 1 and random.random() < 0.5 else (),
        )

    sections = [section("overview", 1), section(main, 2), *(section(name, 1) for name in others)]
    return Article(writer.title(), tuple(sections))
