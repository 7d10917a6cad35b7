"""Our values are the campaigns' own: every run, every topic, every printed digit."""

from collections.abc import Callable

import pytest

from tests.builders import by_place, score, value
from tests.real.conftest import Real

pytestmark = pytest.mark.real

MEASURES = {
    "P@10": ("trec_eval", "P_10"),
    "AP": ("trec_eval", "map"),
    "nDCG@10": ("trec_eval-graded", "ndcg_cut_10"),
    "nDCG@1000": ("trec_eval-graded", "ndcg_cut_1000"),
    "RR": ("trec_eval", "recip_rank"),
}
COUNTS = {"clef2013": (42, 50), "clef2015": (68, 66)}


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("campaign", COUNTS)
def test_official_values(
    real: Callable[[str], Real], campaign: str, measure: str, record_property: Callable
) -> None:
    data = real(campaign)
    runs, topics = COUNTS[campaign]
    assert (len(data.gains.runs), len(data.gains.topics)) == (runs, topics)
    ours = by_place(data.gains, value(measure, data.gains))
    official = data.official[MEASURES[measure]]
    both = sorted(ours.keys() & official.keys())
    wrong = [(*at, f"{ours[at]:.4f}", official[at]) for at in both
             if f"{ours[at]:.4f}" != official[at]]  # fmt: skip
    print(f"\n{campaign} {measure}: {len(both)} values compared, {len(wrong)} differ")
    record_property("compared", len(both))
    assert wrong == []
    assert len(both) == runs * topics  # none compared is no success


@pytest.mark.slow
@pytest.mark.parametrize("campaign", COUNTS)
def test_bounds_enclose_the_values(real: Callable[[str], Real], campaign: str) -> None:
    data = real(campaign).gains
    for measure in ("P@10", "RR", "nDCG@10", "RBP(p=0.8)", "AP@100"):
        scores = score(measure, data)
        assert (scores.lower <= scores.value + 1e-12).all(), measure
        assert (scores.value <= scores.upper + 1e-12).all(), measure
        assert (scores.lower < scores.upper).any(), measure
