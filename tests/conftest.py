"""What several tests share: where the real campaign data is, if it is there at all."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The real campaign data beside the project; a test that asks for it skips without it."""
    if not DATA.is_dir():
        pytest.skip("no real campaign data in ../shared/data")
    return DATA
