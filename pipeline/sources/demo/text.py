"""Prose at a planned reading level, from sentence patterns and a topic's words.

A pattern is a line of `phrases.txt`: `(a|b)` offers a choice, `{signs}` takes a topic's phrase.
There are three registers; the five levels mix them, so that FOG rises from one to the next.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random

from pipeline.sources.demo.topics import Topic

# Level -> share of sentences in the (plain, middle, dense) register.
LEVELS: Mapping[int, tuple[float, float, float]] = {
    1: (0.9, 0.1, 0.0),
    2: (0.4, 0.6, 0.0),
    3: (0.0, 0.95, 0.05),
    4: (0.0, 0.65, 0.35),
    5: (0.0, 0.2, 0.8),
}
_REGISTERS = ("plain", "middle", "dense")
_HEADINGS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "overview": (
        ("About {name}", "The short story"),
        ("About {name}", "Overview of {name}"),
        ("Introduction", "Definition and epidemiology"),
    ),
    "signs": (
        ("What you may feel", "Signs to look for"),
        ("Symptoms", "Signs and symptoms"),
        ("Clinical presentation", "Clinical manifestations"),
    ),
    "causes": (
        ("What sets it off", "Why me?"),
        ("Causes and triggers", "Who gets it?"),
        ("Aetiology", "Aetiology and pathogenesis"),
    ),
    "tests": (
        ("At the doctor", "Tests you may have"),
        ("How it is diagnosed", "Tests and results"),
        ("Diagnosis", "Diagnostic evaluation"),
    ),
    "care": (
        ("What helps", "What you can do"),
        ("Treatment", "Treatment and self-care"),
        ("Management", "Therapeutic considerations"),
    ),
    "outlook": (
        ("How it goes on", "Life with it"),
        ("Outlook", "Living with the condition"),
        ("Prognosis", "Complications and prognosis"),
    ),
}
_SLOTS = {
    "signs": ("signs", "symptoms"),
    "causes": ("causes", "factors"),
    "tests": ("tests", "exams"),
    "care": ("cures", "therapies"),
    "outlook": ("harms", "sequelae"),
}
_TITLES = (
    ("{Name}: what to do", "{Name} in plain words", "All about {name}"),
    ("Understanding {name}", "{Name}: a guide for patients", "{Name} explained"),
    ("{Term}: a clinical review", "{Term}", "Contemporary management of {term}"),
)
_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_SLOT = re.compile(r"\{(\w+)\}")


def _load() -> Mapping[tuple[str, str], tuple[str, ...]]:
    listed = Path(__file__).with_name("phrases.txt").read_text("utf-8")
    blocks = (block.splitlines() for block in listed.strip().split("\n\n"))
    return {
        (register, section): tuple(patterns)
        for head, *patterns in blocks
        for register, section in [head.removeprefix("# ").split(" ")]
    }


_PATTERNS = _load()


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
        self._main = max(range(3), key=self._shares.__getitem__)
        self._random = random
        self._decks: dict[object, list[str]] = {}
        self._words = {field.name: getattr(topic, field.name) for field in fields(topic)}

    def title(self) -> str:
        """A title in the level's main register."""
        return self._filled(self._random.choice(_TITLES[self._main]))

    def heading(self, section: str) -> str:
        """A heading for the section, in the level's main register."""
        return self._filled(self._random.choice(_HEADINGS[section][self._main]))

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
        plain, specialist = _SLOTS[section]
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
