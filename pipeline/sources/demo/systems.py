"""The demo's participants: 14 systems with planned strengths, and the runs they hand in.

The story they tell: `harbour_expert` finds what is on topic best of all, in the words of
specialists. `lagoon_plain` finds a little less, but what people can read: it wins as soon as
understandability counts. `reef_trusted` prefers sites that deserve trust, `delta_easy` looks for
nothing but easy pages and shows that this alone is not enough.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from pipeline.sources.demo.plan import Page, planned_relevance, topic_id
from pipeline.sources.demo.topics import TOPICS

DEPTH = 100
_STRANGERS = 120  # pages on other topics that a query brings up at all
# Relevance 0-2 as a system perceives it, before its strength multiplies it.
_SIGNAL = (0.0, 0.7, 1.0)


@dataclass(frozen=True)
class System:
    """A system: how strongly it goes for topic, plain language and trust; a quirk of its files."""

    team: str
    system: str
    topical: float
    plain: float = 0.0
    trust: float = 0.0
    quirk: str = ""

    @property
    def name(self) -> str:
        """The run's name: team_system."""
        return f"{self.team}_{self.system}"


SYSTEMS = (
    System("harbour", "bm25", 0.9, quirk="rank0"),
    System("harbour", "rm3", 1.1, -0.1, quirk="exponent"),
    System("harbour", "neural", 1.5, -0.2),
    System("harbour", "expert", 2.6, -0.7, 0.2),
    System("lagoon", "bm25", 0.8, quirk="ties"),
    System("lagoon", "fusion", 1.4, 0.1),
    System("lagoon", "plain", 1.7, 0.9, 0.1),
    System("reef", "bm25", 0.9),
    System("reef", "dense", 1.3, -0.4, quirk="gzip"),
    System("reef", "filter", 1.0, 0.3, quirk="lacks"),
    System("reef", "trusted", 1.2, -0.1, 1.2),
    System("delta", "tfidf", 0.4, quirk="crlf"),
    System("delta", "lm", 0.7, -0.1, quirk="tabs"),
    System("delta", "easy", 0.2, 1.6, quirk="unsorted"),
)

TOPICAL_WINNER = "harbour_expert"
UNDERSTANDABILITY_WINNER = "lagoon_plain"
TRUST_WINNER = "reef_trusted"

Ranking = Sequence[tuple[float, Page]]


def rankings(system: System, *, pages: Sequence[Page], seed: int) -> Mapping[int, Ranking]:
    """For each topic's position, what the system ranks (score, page), best first."""
    return {
        number: _ranking(system, number=number, pages=pages, seed=seed)
        for number in range(len(TOPICS))
        if not (system.quirk == "lacks" and number == 16)
    }


def _ranking(system: System, *, number: int, pages: Sequence[Page], seed: int) -> Ranking:
    own = Random(f"{seed}/run/{system.name}/{number}")
    # Systems of one team share code, and so their mistakes; all share the topic's difficulty.
    team = Random(f"{seed}/team/{system.team}/{number}")
    everyone = Random(f"{seed}/topic/{number}")
    ease = everyone.uniform(0.7, 1.2)
    key = TOPICS[number].key
    matching = [page for page in pages if page.topic == key]
    strangers = everyone.sample([page for page in pages if page.topic != key], _STRANGERS)
    scored = []
    for page in matching + strangers:
        noise = 0.6 * team.gauss(0, 1) + 0.8 * own.gauss(0, 1)
        score = (
            (0.0 if page.topic == key else -2.5)
            + system.topical * ease * _SIGNAL[planned_relevance(page, number=number)]
            + system.plain * (3 - page.level) / 2
            + system.trust * (page.trust - 60) / 30
            + noise
        )
        scored.append((score, page))
    scored.sort(key=lambda entry: (-entry[0], entry[1].document))
    return scored[:DEPTH]


def run_file(system: System, ranked: Mapping[int, Ranking]) -> tuple[str, bytes]:
    """File name and content of the run, with the habits participants really have."""
    lines = [line for number in _order(system, ranked) for line in _lines(system, number, ranked)]
    end = "\r\n" if system.quirk == "crlf" else "\n"
    content = end.join(lines)
    if system.quirk != "unsorted":  # which also forgets the final line end
        content += end
    if system.quirk == "gzip":
        import gzip

        return f"{system.name}.gz", gzip.compress(content.encode(), mtime=0)
    return system.name, content.encode()


def _order(system: System, ranked: Mapping[int, Ranking]) -> Sequence[int]:
    return sorted(ranked, reverse=system.quirk == "unsorted")


def _lines(system: System, number: int, ranked: Mapping[int, Ranking]) -> Iterator[str]:
    gap = "\t" if system.quirk == "tabs" else " "
    first = 0 if system.quirk == "rank0" else 1
    for rank, (score, page) in enumerate(ranked[number], start=first):
        fields = (
            topic_id(number),
            "q0" if system.team == "delta" else "Q0",
            page.document,
            str(rank),
            _written(score, system.quirk),
            system.name,
        )
        yield gap.join(fields)


def _written(score: float, quirk: str) -> str:
    if quirk == "ties":
        return f"{score + 12:.1f}"
    if quirk == "exponent":
        return f"{score + 12:.6e}"
    if quirk == "tabs":  # a log probability
        return f"{score - 12:.6f}"
    return f"{score + 12:.6f}"
