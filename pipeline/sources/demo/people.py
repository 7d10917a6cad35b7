"""The demo's users: what they prefer and how satisfied they are, from the plan and not from labels.

A user reads on with probability 0.8, and gains from a page on topic as much as a layman follows of
it: what uRBPgr(p=0.8) models, so it should be the measure that agrees with them best. They see the
pages themselves, not what assessors say of them, and differ a little from each other.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

from pipeline.sources.demo.plan import planned_relevance, topic_id
from pipeline.sources.demo.systems import SYSTEMS, Ranking
from pipeline.sources.demo.topics import TOPICS

READS_ON = 0.8
FOLLOWED = {1: 1.0, 2: 0.85, 3: 0.6, 4: 0.3, 5: 0.05}  # by a layman, of a page of each level
PAIRS = 30  # of systems that are compared on a topic
RATED = 8  # systems that are rated on a topic
_MOOD = 0.05  # spread of what two users gain from the same list
_ALIKE = 0.05  # lists whose gains differ by less are a tie
_ENOUGH = 0.6  # gained by a list that nobody could be happier with


def gained(ranking: Ranking, *, number: int) -> float:
    """What a user gains from a list on topic `number`, between 0 and 1."""
    return (1 - READS_ON) * sum(
        READS_ON**place * FOLLOWED[page.level]
        for place, (_, page) in enumerate(ranking)
        if planned_relevance(page, number=number)
    )


def people_files(runs: Sequence[Mapping[int, Ranking]], *, seed: int) -> Mapping[str, str]:
    """Kind of answer -> its file; `runs` are those of SYSTEMS, in their order."""
    worth = [
        [gained(run.get(number, ()), number=number) for run in runs]
        for number in range(len(TOPICS))
    ]
    return {"preferences": _preferences(worth, seed), "satisfaction": _ratings(worth, seed)}


def _preferences(worth: Sequence[Sequence[float]], seed: int) -> str:
    random = Random(f"{seed}/preferences")
    lines = []
    for number, gains in enumerate(worth):
        for a, b in random.sample(list(combinations(range(len(gains)), 2)), PAIRS):
            first, second = random.sample((a, b), 2)
            gap = gains[first] - gains[second] + random.gauss(0, _MOOD)
            best = "tie" if abs(gap) < _ALIKE else SYSTEMS[first if gap > 0 else second].name
            names = SYSTEMS[first].name, SYSTEMS[second].name
            lines.append(f"{topic_id(number)} {names[0]} {names[1]} {best}\n")
    return "".join(lines)


def _ratings(worth: Sequence[Sequence[float]], seed: int) -> str:
    """On a scale from 1 to 5."""
    random = Random(f"{seed}/satisfaction")
    lines = []
    for number, gains in enumerate(worth):
        for system in sorted(random.sample(range(len(gains)), RATED)):
            felt = (gains[system] + random.gauss(0, _MOOD)) / _ENOUGH
            rating = round(1 + 4 * min(1.0, max(0.0, felt)))
            lines.append(f"{topic_id(number)} {SYSTEMS[system].name} {rating}\n")
    return "".join(lines)
