"""One finished campaign and its page for all tests of the report."""

import pytest
from bs4 import BeautifulSoup

from tests.report.made import Campaign, make


@pytest.fixture(scope="session")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return make(tmp_path_factory.mktemp("campaign") / "demo")


@pytest.fixture(scope="session")
def html(campaign: Campaign) -> str:
    return campaign.page()


@pytest.fixture(scope="session")
def soup(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "html.parser")
