"""Tests of all pairs are on the page while a browser can open it; it says where else they are."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pipeline.report.sections import explore
from tests.report.test_report import MEASURES, PLAN, make


def numbers(page: str) -> dict[str, Any]:
    block = re.findall(r'<script type="application/json" id="numbers">(.+?)</script>', page)[0]
    found: dict[str, Any] = json.loads(block)
    return found


def test_too_many_pairs_stay_in_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = make(tmp_path)
    every = len(PLAN) * (len(PLAN) - 1) // 2 * len(MEASURES)
    monkeypatch.setattr(explore, "MOST", every)
    whole = campaign.write(charts=False).read_text()
    assert "too large to open" not in whole
    assert all(one["pairs"] for one in numbers(whole)["measure"])
    monkeypatch.setattr(explore, "MOST", every - 1)
    less = campaign.write(charts=False).read_text()
    assert f"The {every:,} tests of two runs would make this page too large to open" in less
    assert [one["pairs"] for one in numbers(less)["measure"]] == [None] * len(MEASURES)
    assert all(one["scores"] for one in numbers(less)["measure"])
