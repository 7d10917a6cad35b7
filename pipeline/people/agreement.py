"""How often a measure agrees with people, and whether another measure agrees more.

On a pair of runs between which people saw a difference, a measure agrees if it ranks the same run
higher. A pair that the measure ties counts half, as by chance; a pair that people tied is left out
and counted separately. Intervals and tests resample topics, because the preferences on one topic
concern the same few rankings. (Sanderson, Paramita, Clough & Kanoulas,
SIGIR 2010; Sakai & Zeng, TOIS 2021; ratings: Zhang, Mao, Liu, Xie, Zhang & Ma, SIGIR 2020.)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.people.reading import PreferencePairs
from pipeline.statistics.correlation.bootstrap import draws, round_means
from pipeline.statistics.correlation.statistic import Statistic, SystemRankings
from pipeline.statistics.significance.pairwise import Differences, differences, holm, permutation
from pipeline.storage.arrays import Floats, Ints


@dataclass(frozen=True)
class ByTopic:
    """A statistic of every measure as a ratio of sums over the topics with data."""

    gained: Floats  # [measure, topic]
    weight: Floats  # [topic]

    @property
    def figure(self) -> Floats:
        """[measure]: over all topics."""
        return np.asarray(self.gained.sum(axis=1) / self.weight.sum())

    def resample(self, *, samples: int, seed: int) -> Floats:
        """[sample, measure]: the statistic over topics drawn with replacement (Efron 1979)."""
        share = draws(len(self.weight), samples=samples, seed=seed)
        return (share @ self.gained.T) / (share @ self.weight)[:, None]


@dataclass(frozen=True)
class Verdicts:
    """The agreement of measures with people on pairs of runs: 1 the same, -1 opposite, 0 a tie."""

    outcome: Ints  # [measure, pair], of the pairs between which people saw a difference
    topic: Ints  # [pair]
    tied_pairs: int  # that people tied
    tied_too: Ints  # [measure]: of those, how many the measure ties

    @property
    def credit(self) -> Floats:
        """[measure, pair]: 1 for agreeing, 1/2 for a tie, 0."""
        return (self.outcome + 1) / 2

    @property
    def by_topic(self) -> ByTopic:
        """The share of pairs on which each measure agrees."""
        topics, place = np.unique(self.topic, return_inverse=True)
        gained = [np.bincount(place, row, minlength=len(topics)) for row in self.credit]
        return ByTopic(np.array(gained), np.bincount(place).astype(float))


def verdicts(values: Sequence[Floats], pairs: PreferencePairs) -> Verdicts:
    """The verdicts of measures, each a matrix [run, topic] of scores, on the pairs."""
    scores = np.stack(values)  # [measure, run, topic]
    gap = scores[:, pairs.first, pairs.topic] - scores[:, pairs.second, pairs.topic]
    outcomes = np.sign(round_means(gap)).astype(np.int64)
    decided = pairs.sign != 0
    return Verdicts(
        outcome=outcomes[:, decided] * pairs.sign[decided],
        topic=pairs.topic[decided],
        tied_pairs=int((~decided).sum()),
        tied_too=(outcomes[:, ~decided] == 0).sum(axis=1),
    )


def correlations(values: Sequence[Floats], ratings: Floats, *, statistic: Statistic) -> ByTopic:
    """The mean over topics of a correlation between ratings and scores of the rated runs.

    Topics whose ratings are all equal are left out. A measure that ties all rated runs of a topic
    has a correlation of 0 there.
    """
    rows = []
    for topic in range(ratings.shape[1]):
        rated = ~np.isnan(ratings[:, topic])
        topic_ratings = ratings[rated, topic]
        if len(topic_ratings) and topic_ratings.min() < topic_ratings.max():
            scores = [round_means(matrix[rated, topic]) for matrix in values]
            rankings = SystemRankings(np.stack([topic_ratings, *scores]))
            rows.append(statistic.between(rankings)[0, 1:])
    gained = np.nan_to_num(np.array(rows).T)
    return ByTopic(gained, np.ones(gained.shape[1]))


def wilson(agreed: Floats, pairs: int, *, confidence: float) -> tuple[Floats, Floats]:
    """Wilson's interval of a share, assuming independent pairs (Wilson 1927).

    Own code because pairs can count half, which scipy rejects.
    """
    from scipy.special import ndtri

    z = float(ndtri((1 + confidence) / 2))
    share = agreed / pairs
    middle = (share + z * z / (2 * pairs)) / (1 + z * z / pairs)
    half = z * np.sqrt(share * (1 - share) / pairs + (z / (2 * pairs)) ** 2) / (1 + z * z / pairs)
    return middle - half, middle + half


def compare(
    figures: ByTopic, *, samples: int, confidence: float, seed: int
) -> tuple[Differences, dict[str, Floats]]:
    """The pairs of measures and, by column, their differences with intervals and tests.

    Intervals are bootstrap intervals over topics. The paired permutation test exchanges the values
    of the two measures on a topic (Fisher 1935); p is two-sided, and p_holm is corrected for all
    pairs of measures.
    """
    pairs = differences(figures.gained)
    resampled = figures.resample(samples=samples, seed=seed)
    gaps = resampled[:, pairs.first] - resampled[:, pairs.second]
    tail = (1 - confidence) / 2
    lower, upper = np.quantile(gaps, [tail, 1 - tail], axis=0)
    p = permutation(figures.gained, pairs, flips=samples, seed=seed)
    difference = figures.figure[pairs.first] - figures.figure[pairs.second]
    columns = {"difference": difference, "lower": lower, "upper": upper, "p": p, "p_holm": holm(p)}
    return pairs, columns
