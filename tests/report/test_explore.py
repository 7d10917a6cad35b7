"""Tests of all pairs are on the page while a browser can open it; it says where else they are."""

import pytest

from pipeline.report.sections import explore
from tests.report.made import MEASURES, PLAN, Campaign


def test_too_many_pairs_stay_in_their_files(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = len(PLAN) * (len(PLAN) - 1) // 2 * len(MEASURES)
    for most, left_out in ((every, 0), (every - 1, every)):
        monkeypatch.setattr(explore, "MOST", most)
        shown = explore.explore(campaign.report)
        assert shown
        assert shown.values["left_out"] == left_out
        measures = shown.data["numbers"]["measure"]
        assert [one["pairs"] is None for one in measures] == [bool(left_out)] * len(MEASURES)
        assert all(one["scores"] for one in measures)
