"""The pictures of the report, as `docs/pictures.py` takes them."""

import re

from tests.docs.pages import DOCS

PAGE = DOCS / "explanations" / "report.md"
LARGEST = 60_000  # bytes


def test_the_page_shows_every_picture_and_none_is_large() -> None:
    pictures = {path.stem: path.stat().st_size for path in (DOCS / "pictures").glob("*.png")}
    shown = re.findall(r"!\[[^]]+\]\(\.\./pictures/([\w-]+)\.png\)", PAGE.read_text("utf-8"))
    assert len(shown) > 15
    assert sorted(shown) == sorted(pictures)
    assert max(pictures.values()) <= LARGEST
