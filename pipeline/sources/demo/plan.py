"""The plan of a demo campaign: which page says what, how hard it reads, how far to trust it.

Everything else (prose, labels, runs) follows from this plan plus noise, so a test can ask whether
the planned order comes out at the other end.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from pipeline.sources.demo.topics import ASPECTS, TOPICS

PAGES = 1500


@dataclass(frozen=True)
class Site:
    """A kind of web site: how far it deserves trust (0-100), and how often it writes each level."""

    trust: float
    levels: tuple[float, float, float, float, float]


SITES: Mapping[str, Site] = {
    "leaflet": Site(88, (0.40, 0.35, 0.20, 0.05, 0.00)),
    "hospital": Site(80, (0.10, 0.30, 0.35, 0.20, 0.05)),
    "journal": Site(90, (0.00, 0.00, 0.05, 0.35, 0.60)),
    "encyclopaedia": Site(66, (0.00, 0.10, 0.30, 0.35, 0.25)),
    "blog": Site(36, (0.25, 0.30, 0.25, 0.15, 0.05)),
    "forum": Site(20, (0.45, 0.35, 0.15, 0.05, 0.00)),
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
        name = random.choice(list(SITES))
        site = SITES[name]
        # What the query asks for is rarer than the rest, as it is on the web.
        main = random.choices(ASPECTS, [0.6 if it == topic.aspect else 1.0 for it in ASPECTS])[0]
        rest = [it for it in ASPECTS if it != main]
        pages.append(
            Page(
                document=f"health-{topic.key}-{number:04d}",
                topic=topic.key,
                site=name,
                level=random.choices(range(1, 6), site.levels)[0],
                trust=min(100.0, max(0.0, random.gauss(site.trust, 6))),
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
