"""The plan of a demo campaign: its 24 health topics, and which page says what.

Everything else (prose, labels, runs) follows from this plan plus noise, so a test can ask whether
the planned order comes out at the other end.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

PAGES = 1500
# What a page can be about; a query asks for one of them.
ASPECTS = ("signs", "causes", "tests", "care", "outlook")
# Phrases of topics.txt, in the words of a neighbour and of a specialist.
PAIRS = {
    **{"name": ("name", "term"), "part": ("part", "organ"), "what": ("what", "process")},
    **{"signs": ("signs", "symptoms"), "causes": ("causes", "factors")},
    **{"tests": ("tests", "exams"), "care": ("cures", "therapies")},
    "outlook": ("harms", "sequelae"),
}


@dataclass(frozen=True, kw_only=True)
class DemoTopic:
    """One topic: what its query asks for, and words for each slot of a sentence pattern.

    Every topic has its words twice, plain and specialist, so that the same fact can be written at
    any reading level. Phrases are noun phrases that fit after "such as" or before a modal verb.
    """

    key: str
    query: str
    aspect: str
    words: Mapping[str, str | tuple[str, ...]]


def _parse(block: str) -> DemoTopic:
    """A topic from its block of `field: phrase; phrase` lines; the plain/specialist pair by `|`."""
    fields = dict(line.split(": ", 1) for line in block.splitlines())
    words: dict[str, str | tuple[str, ...]] = {"expert": fields["expert"]}
    for field, slots in PAIRS.items():
        for slot, text in zip(slots, fields[field].split(" | "), strict=True):
            words[slot] = tuple(text.split("; ")) if field in ASPECTS else text
    return DemoTopic(key=fields["key"], query=fields["query"], aspect=fields["aspect"], words=words)


_LISTED = Path(__file__).with_name("topics.txt").read_text("utf-8").strip()
TOPICS = tuple(_parse(block) for block in _LISTED.split("\n\n"))


# Of each kind of web site how far it deserves trust (0-100), and how often it writes each level.
SITES: Mapping[str, tuple[float, tuple[float, ...]]] = {
    "leaflet": (88, (0.40, 0.35, 0.20, 0.05, 0.00)),
    "hospital": (80, (0.10, 0.30, 0.35, 0.20, 0.05)),
    "journal": (90, (0.00, 0.00, 0.05, 0.35, 0.60)),
    "encyclopaedia": (66, (0.00, 0.10, 0.30, 0.35, 0.25)),
    "blog": (36, (0.25, 0.30, 0.25, 0.15, 0.05)),
    "forum": (20, (0.45, 0.35, 0.15, 0.05, 0.00)),
}


@dataclass(frozen=True)
class Page:
    """One planned page; `level` 1 is the plainest, `trust` runs from 0 to 100."""

    document: str
    topic: str
    site: str
    level: int
    trust: float
    main: str
    others: tuple[str, ...]


def topic_id(number: int) -> str:
    """The id under which runs and labels know the topic with this position in `TOPICS`."""
    return f"demo-{number + 1:02d}"


def planned_pages(*, seed: int) -> tuple[Page, ...]:
    """All pages of the campaign with this seed, in order of their ids."""
    random = Random(f"{seed}/plan")
    numbers = random.sample(range(10_000), PAGES)  # so that an id tells nothing but the topic
    pages = []
    for position, number in enumerate(numbers):
        topic = TOPICS[position % len(TOPICS)]
        site, (trust, levels) = random.choice(list(SITES.items()))
        # What the query asks for is rarer than the rest, as it is on the web.
        main = random.choices(ASPECTS, [0.6 if it == topic.aspect else 1.0 for it in ASPECTS])[0]
        rest = [it for it in ASPECTS if it != main]
        pages.append(
            Page(
                document=f"health-{topic.key}-{number:04d}",
                topic=topic.key,
                site=site,
                level=random.choices(range(1, 6), levels)[0],
                trust=min(100.0, max(0.0, random.gauss(trust, 6))),
                main=main,
                others=tuple(random.sample(rest, random.choice((0, 1, 1, 2)))),
            )
        )
    return tuple(sorted(pages, key=lambda page: page.document))


def planned_relevance(page: Page, *, number: int) -> int:
    """0-2: whether the page is mainly, partly or not on what topic `number` asks."""
    topic = TOPICS[number]
    if page.topic != topic.key:
        return 0
    return 2 if page.main == topic.aspect else int(topic.aspect in page.others)
