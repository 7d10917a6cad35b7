"""How often a measure agrees with people, and whether another agrees more.

Of the pairs of runs that people could tell apart, a measure agrees where it puts the same run
above. A pair it ties counts half, as a coin would; a pair people tied is left out, since there is
nothing to agree with, and counted. Topics are what intervals draw and what tests exchange: the
preferences of one topic are about the same few lists. (Sanderson, Paramita, Clough & Kanoulas,
SIGIR 2010; Sakai & Zeng, TOIS 2021; ratings: Zhang, Mao, Liu, Xie, Zhang & Ma, SIGIR 2020.)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.people.reading import Pairs
from pipeline.statistics.correlation.bootstrap import draws, round_means
from pipeline.statistics.correlation.statistic import Statistic, SystemRankings
from pipeline.statistics.significance.pairwise import Differences, differences, holm, permutation
from pipeline.storage.arrays import Floats, Ints


@dataclass(frozen=True)
class ByTopic:
    """A figure of every measure as a ratio of sums over topics, the topics that have any."""

    gained: Floats  # [measure, topic]
    weight: Floats  # [topic]

    @property
    def figure(self) -> Floats:
        """[measure]: over all topics."""
        return np.asarray(self.gained.sum(axis=1) / self.weight.sum())

    def drawn(self, *, samples: int, seed: int) -> Floats:
        """[sample, measure]: the figure over topics drawn with replacement (Efron 1979)."""
        share = draws(len(self.weight), samples=samples, seed=seed)
        return (share @ self.gained.T) / (share @ self.weight)[:, None]


@dataclass(frozen=True)
class Verdicts:
    """What measures say of pairs of runs: 1 as people, -1 the opposite, 0 a tie."""

    said: Ints  # [measure, pair], of the pairs people could tell apart
    topic: Ints  # [pair]
    tied_pairs: int  # that people tied
    tied_too: Ints  # [measure]: of those, how many the measure ties

    @property
    def credit(self) -> Floats:
        """[measure, pair]: 1 for agreeing, 1/2 for a tie, 0."""
        return (self.said + 1) / 2

    @property
    def by_topic(self) -> ByTopic:
        """Pairs a measure agrees on, of those there are."""
        topics, place = np.unique(self.topic, return_inverse=True)
        gained = [np.bincount(place, row, minlength=len(topics)) for row in self.credit]
        return ByTopic(np.array(gained), np.bincount(place).astype(float))


def verdicts(values: Sequence[Floats], pairs: Pairs) -> Verdicts:
    """What each measure, a matrix of runs by topics, says of the pairs."""
    gap = [one[pairs.first, pairs.topic] - one[pairs.second, pairs.topic] for one in values]
    said = np.sign(round_means(np.array(gap))).astype(np.int64)
    decided = pairs.sign != 0
    return Verdicts(
        said=said[:, decided] * pairs.sign[decided],
        topic=pairs.topic[decided],
        tied_pairs=int((~decided).sum()),
        tied_too=(said[:, ~decided] == 0).sum(axis=1),
    )


def correlations(values: Sequence[Floats], ratings: Floats, *, statistic: Statistic) -> ByTopic:
    """The mean over topics of a correlation between ratings and scores of the rated runs.

    Topics whose ratings are all the same have no order to agree with and are left out; a measure
    that ties all rated runs has told nothing there, which is 0.
    """
    rows = []
    for topic in range(ratings.shape[1]):
        rated = ~np.isnan(ratings[:, topic])
        given = ratings[rated, topic]
        if len(given) and given.min() < given.max():
            scores = [round_means(one[rated, topic]) for one in values]
            rows.append(statistic.between(SystemRankings(np.stack([given, *scores])))[0, 1:])
    gained = np.nan_to_num(np.array(rows).T)
    return ByTopic(gained, np.ones(gained.shape[1]))


def wilson(agreed: Floats, pairs: int, *, confidence: float) -> tuple[Floats, Floats]:
    """Wilson's interval of a share, had each pair been asked on its own (Wilson 1927).

    Our own since half an agreement counts, which scipy's takes for an error.
    """
    from scipy.special import ndtri

    z = float(ndtri((1 + confidence) / 2))
    share = agreed / pairs
    middle = (share + z * z / (2 * pairs)) / (1 + z * z / pairs)
    half = z * np.sqrt(share * (1 - share) / pairs + (z / (2 * pairs)) ** 2) / (1 + z * z / pairs)
    return middle - half, middle + half


def compare(
    found: ByTopic, *, samples: int, confidence: float, seed: int
) -> tuple[Differences, dict[str, Floats]]:
    """Every two measures, and by column: how far the figure of the first is above the second's.

    With the interval of the difference, the topics drawn, and a paired permutation test: if two
    measures agree with people equally well, what they gained on a topic could as well be
    exchanged (Fisher 1935); p is two-sided, and corrected by Holm for all pairs of measures.
    """
    pairs = differences(found.gained)
    drawn = found.drawn(samples=samples, seed=seed)
    gaps = drawn[:, pairs.first] - drawn[:, pairs.second]
    tail = (1 - confidence) / 2
    lower, upper = np.quantile(gaps, [tail, 1 - tail], axis=0)
    p = permutation(found.gained, pairs, flips=samples, seed=seed)
    difference = found.figure[pairs.first] - found.figure[pairs.second]
    columns = {"difference": difference, "lower": lower, "upper": upper, "p": p, "p_holm": holm(p)}
    return pairs, columns
