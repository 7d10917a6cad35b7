"""What several tests share: where the real campaign data is, and what may be skipped in CI."""

import os
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import pytest

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
SLOW = ("slow", "workflow", "browser")  # what `make fast` leaves out

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


@pytest.fixture(scope="session")
def data() -> Path:
    """The real campaign data beside the project; a test that asks for it skips without it."""
    if not DATA.is_dir():
        pytest.skip("no real campaign data in ../shared/data")
    return DATA


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow files first, so that no process begins one when the others have ended."""
    slow = {item.path for item in items if any(map(item.get_closest_marker, SLOW))}
    items.sort(key=lambda item: item.path not in slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return refused((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return refused((yield))


def refused(report: Report) -> Report:
    """In CI a skipped test is a failed one, unless it is for want of the real campaign data.

    Those may not be passed on, so not every machine has them; all else `.ci/run` installs.
    """
    if os.environ.get("CI") != "true" or not report.skipped or hasattr(report, "wasxfail"):
        return report
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if "../shared/data" not in reason:
        report.outcome = "failed"
        report.longrepr = f"{reason.removeprefix('Skipped: ')}; in CI every test must run."
    return report
