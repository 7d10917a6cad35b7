"""The demo's simulated people: participants' runs, assessors' labels, and users' feedback.

The 14 systems have planned strengths. `harbour_expert` is the best on topicality, but its pages are
hard to read. `lagoon_plain` is slightly worse on topicality, but its pages are easy to read: it
wins as soon as understandability counts. `reef_trusted` prefers trustworthy sites. `delta_easy`
only prefers easy pages, and shows that this alone is not enough.

Assessors judge pooled documents, with noise. A user continues with probability 0.8 and gains from a
relevant page as much as a layperson understands of it. This is the model of uRBPgr(p=0.8), so that
measure should agree with the users best. Users' gains come from the pages, not from the labels, and
vary a little between users.
"""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from pipeline.sources.demo.plan import TOPICS, Page, planned_relevance, topic_id

DEPTH = 100
_STRANGERS = 120  # pages on other topics that are candidates for a query
POOL_DEPTH = 12
_STRAY = 6  # randomly pooled pages from deeper ranks
CONTINUATION = 0.8  # probability to continue to the next rank
UNDERSTOOD = {1: 1.0, 2: 0.85, 3: 0.6, 4: 0.3, 5: 0.05}  # by a layperson, of a page of each level
PAIRS = 30  # pairs of systems that are compared per topic
RATED = 8  # systems that are rated per topic
_NOISE = 0.05  # standard deviation of users' gains from the same ranking
_TIE = 0.05  # rankings whose gains differ by less are a tie
_FULL = 0.6  # gain that gets the highest rating
# Scores of relevance 0-2 before they are multiplied by the strength of a system.
_SIGNAL = (0.0, 0.7, 1.0)


@dataclass(frozen=True)
class System:
    """A system: its weights of topicality, plain language and trust, and a quirk of its files."""

    team: str
    system: str
    topical: float
    plain: float = 0.0
    trust: float = 0.0
    quirk: str = ""

    @property
    def name(self) -> str:
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

Ranking = Sequence[tuple[float, Page]]


def rankings(system: System, *, pages: Sequence[Page], seed: int) -> Mapping[int, Ranking]:
    """The ranking (score, page) of a system for each topic, by position in `TOPICS`."""
    return {
        number: _ranking(system, number=number, pages=pages, seed=seed)
        for number in range(len(TOPICS))
        if not (system.quirk == "lacks" and number == 16)
    }


def _ranking(system: System, *, number: int, pages: Sequence[Page], seed: int) -> Ranking:
    noise_of_run = Random(f"{seed}/run/{system.name}/{number}")
    # Systems of a team share part of their noise; all systems share the topic's difficulty.
    team = Random(f"{seed}/team/{system.team}/{number}")
    shared = Random(f"{seed}/topic/{number}")
    ease = shared.uniform(0.7, 1.2)
    key = TOPICS[number].key
    matching = [page for page in pages if page.topic == key]
    strangers = shared.sample([page for page in pages if page.topic != key], _STRANGERS)
    scored = []
    for page in matching + strangers:
        score = (
            (0.0 if page.topic == key else -2.5)
            + system.topical * ease * _SIGNAL[planned_relevance(page, number=number)]
            + system.plain * (3 - page.level) / 2
            + system.trust * (page.trust - 60) / 30
            + (0.6 * team.gauss(0, 1) + 0.8 * noise_of_run.gauss(0, 1))
        )
        scored.append((score, page))
    scored.sort(key=lambda entry: (-entry[0], entry[1].document))
    return scored[:DEPTH]


def run_file(system: System, ranked: Mapping[int, Ranking]) -> tuple[str, bytes]:
    """File name and content of a run; quirks are deviations from the format seen in practice."""
    topics = sorted(ranked, reverse=system.quirk == "unsorted")
    lines = [line for number in topics for line in _lines(system, number, ranked)]
    end = "\r\n" if system.quirk == "crlf" else "\n"
    content = end.join(lines)
    if system.quirk != "unsorted":  # which also lacks the final line end
        content += end
    if system.quirk == "gzip":
        return f"runs/{system.name}.gz", gzip.compress(content.encode(), mtime=0)
    return f"runs/{system.name}", content.encode()


def _lines(system: System, number: int, ranked: Mapping[int, Ranking]) -> Iterator[str]:
    quirk = system.quirk
    gap = "\t" if quirk == "tabs" else " "
    places = {"ties": ".1f", "exponent": ".6e"}.get(quirk, ".6f")
    shift = -12 if quirk == "tabs" else 12  # below 0: a log probability
    mark = "q0" if system.team == "delta" else "Q0"
    for rank, (score, page) in enumerate(ranked[number], start=0 if quirk == "rank0" else 1):
        text = format(score + shift, places)
        yield gap.join((topic_id(number), mark, page.document, str(rank), text, system.name))


def pooled(runs: Sequence[Mapping[int, Ranking]], *, number: int, seed: int) -> tuple[Page, ...]:
    """The pages that assessors judge for a topic: the top of every run, and a few from below."""
    ranked = [run.get(number, ()) for run in runs]
    pool = {page.document: page for run in ranked for _, page in run[:POOL_DEPTH]}
    below = {page.document: page for run in ranked for _, page in run[POOL_DEPTH:50]}
    rest = sorted(below.keys() - pool.keys())
    stray = Random(f"{seed}/pool/{number}").sample(rest, min(_STRAY, len(rest)))
    return tuple(page for _, page in sorted((pool | {name: below[name] for name in stray}).items()))


def _topicality(page: Page, number: int, random: Random) -> int:
    level = planned_relevance(page, number=number)
    if random.random() < 0.92:
        return level
    return min(2, max(0, level + random.choice((-1, 1))))


def _understandability(page: Page, _: int, random: Random) -> int:
    """0-3, where 3 is easiest: the label falls by 0.75 per level."""
    return min(3, max(0, round(3 - 0.75 * (page.level - 1) + random.gauss(0, 0.4))))


def _trustworthiness(page: Page, _: int, random: Random) -> int:
    """0-100, in steps of five, because assessors do not distinguish 71 from 72."""
    return min(100, max(0, 5 * round((page.trust + random.gauss(0, 8)) / 5)))


_ASSESSORS = {
    "topicality": _topicality,
    "understandability": _understandability,
    "trustworthiness": _trustworthiness,
}


def label_files(runs: Sequence[Mapping[int, Ranking]], *, seed: int) -> dict[str, bytes]:
    """The qrels of each dimension, by file name."""
    pools = [pooled(runs, number=number, seed=seed) for number in range(len(TOPICS))]
    files = {}
    for dimension, judge in _ASSESSORS.items():
        random = Random(f"{seed}/labels/{dimension}")
        files[f"labels/{dimension}.qrels"] = "".join(
            f"{topic_id(number)} 0 {page.document} {judge(page, number, random)}\n"
            for number, pool in enumerate(pools)
            for page in pool
        ).encode()
    return files


def gained(ranking: Ranking, *, number: int) -> float:
    """The gain of a user from a ranking on topic `number`, between 0 and 1."""
    return (1 - CONTINUATION) * sum(
        CONTINUATION**place * UNDERSTOOD[page.level]
        for place, (_, page) in enumerate(ranking)
        if planned_relevance(page, number=number)
    )


def people_files(runs: Sequence[Mapping[int, Ranking]], *, seed: int) -> dict[str, bytes]:
    """Preferences and ratings (1 to 5), by file name; `runs` are those of SYSTEMS, in order."""
    preferences, satisfaction = Random(f"{seed}/preferences"), Random(f"{seed}/satisfaction")
    preferred, rated = [], []
    for number in range(len(TOPICS)):
        gains = [gained(run.get(number, ()), number=number) for run in runs]
        for pair in preferences.sample(list(combinations(range(len(gains)), 2)), PAIRS):
            first, second = preferences.sample(pair, 2)
            gap = gains[first] - gains[second] + preferences.gauss(0, _NOISE)
            best = "tie" if abs(gap) < _TIE else SYSTEMS[first if gap > 0 else second].name
            names = f"{SYSTEMS[first].name} {SYSTEMS[second].name}"
            preferred.append(f"{topic_id(number)} {names} {best}\n")
        for system in sorted(satisfaction.sample(range(len(gains)), RATED)):
            share = (gains[system] + satisfaction.gauss(0, _NOISE)) / _FULL
            rating = round(1 + 4 * min(1.0, max(0.0, share)))
            rated.append(f"{topic_id(number)} {SYSTEMS[system].name} {rating}\n")
    files = {"people/preferences.txt": preferred, "people/satisfaction.txt": rated}
    return {name: "".join(lines).encode() for name, lines in files.items()}
