"""The plan of the demo campaign: its 24 health topics and the properties of its pages.

Texts, labels and runs follow from this plan plus noise, so a test can check whether the evaluation
recovers the planned order of systems.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

PAGES = 1500
# Aspects of a topic that a page can cover; a query asks for one of them.
ASPECTS = ("signs", "causes", "tests", "care", "outlook")
# Fields of topics.txt, each with a plain and a specialist phrase.
PAIRS = {
    **{"name": ("name", "term"), "part": ("part", "organ"), "what": ("what", "process")},
    **{"signs": ("signs", "symptoms"), "causes": ("causes", "factors")},
    **{"tests": ("tests", "exams"), "care": ("cures", "therapies")},
    "outlook": ("harms", "sequelae"),
}


@dataclass(frozen=True, kw_only=True)
class DemoTopic:
    """A topic: the aspect its query asks for, and phrases for each slot of a sentence pattern.

    All phrases exist twice, plain and specialist, so that the same fact can be written at any
    reading level. They are noun phrases that fit after "such as" or before a modal verb.
    """

    key: str
    query: str
    aspect: str
    words: Mapping[str, str | tuple[str, ...]]


def _parse(block: str) -> DemoTopic:
    """Parse a block of `field: plain; plain | specialist; specialist` lines."""
    fields = dict(line.split(": ", 1) for line in block.splitlines())
    words: dict[str, str | tuple[str, ...]] = {"expert": fields["expert"]}
    for field, slots in PAIRS.items():
        for slot, text in zip(slots, fields[field].split(" | "), strict=True):
            words[slot] = tuple(text.split("; ")) if field in ASPECTS else text
    return DemoTopic(key=fields["key"], query=fields["query"], aspect=fields["aspect"], words=words)


_LISTED = Path(__file__).with_name("topics.txt").read_text("utf-8").strip()
TOPICS = tuple(_parse(block) for block in _LISTED.split("\n\n"))


# For each kind of web site its trustworthiness (0-100) and the share of pages at each level.
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
    """A planned page; `level` 1 is the easiest to read, `trust` is from 0 to 100."""

    document: str
    topic: str
    site: str
    level: int
    trust: float
    main: str
    others: tuple[str, ...]


def topic_id(number: int) -> str:
    """The topic id in runs and labels, from the topic's position in `TOPICS`."""
    return f"demo-{number + 1:02d}"


def planned_pages(*, seed: int) -> tuple[Page, ...]:
    """All pages of the campaign with this seed, in order of their ids."""
    random = Random(f"{seed}/plan")
    numbers = random.sample(range(10_000), PAGES)  # an id reveals nothing but the topic
    pages = []
    for position, number in enumerate(numbers):
        topic = TOPICS[position % len(TOPICS)]
        site, (trust, levels) = random.choice(list(SITES.items()))
        # The aspect the query asks for is rarer than the others, as on the web.
        weights = [0.6 if aspect == topic.aspect else 1.0 for aspect in ASPECTS]
        main = random.choices(ASPECTS, weights)[0]
        rest = [aspect for aspect in ASPECTS if aspect != main]
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
    """2, 1 or 0: the page is mainly, partly or not about what topic `number` asks for."""
    topic = TOPICS[number]
    if page.topic != topic.key:
        return 0
    return 2 if page.main == topic.aspect else int(topic.aspect in page.others)
