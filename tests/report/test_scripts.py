"""The chart bundle: made once for each version, and never taken from a file that is not whole."""

from pathlib import Path

import pytest
import vl_convert

from pipeline.report import markup


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """How often the bundler was asked; the cache is an empty folder."""
    asked: list[str] = []

    def bundle(snippet: str) -> str:
        asked.append(snippet)
        return f"/* bundle */ {snippet}\n"

    monkeypatch.setenv("FATHOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(vl_convert, "javascript_bundle", bundle)
    return asked


def vega() -> str:
    """As a new process gets it."""
    markup.vega.cache_clear()
    try:
        return markup.vega()
    finally:
        markup.vega.cache_clear()


def test_it_is_bundled_once(bundled: list[str], tmp_path: Path) -> None:
    assert vega() == vega() == "/* bundle */ window.vegaEmbed = vegaEmbed;\n"
    assert len(bundled) == 1
    (kept,) = (tmp_path / "cache/vega").iterdir()
    for spoilt in (kept.read_bytes()[:-1], b"", b"\xff", b"alert(1)\n" + kept.read_bytes()):
        kept.write_bytes(spoilt)
        assert vega() == "/* bundle */ window.vegaEmbed = vegaEmbed;\n"
    assert len(bundled) == 5


def test_another_version_is_bundled_anew(
    bundled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    vega()
    monkeypatch.setattr(markup, "version", lambda _: "99")
    vega()
    assert len(bundled) == 2


def test_a_cache_that_cannot_be_used_is_no_harm(
    bundled: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FATHOM_CACHE", str(tmp_path / "file"))
    monkeypatch.setenv("FATHOM_MIRROR", str(tmp_path / "nowhere"))  # which is no matter of pages
    assert vega() == vega()
    assert len(bundled) == 2


def test_which_columns_hold_numbers() -> None:
    rows = [
        {"a": "1", "b": "x", "c": ""},
        {"a": "", "b": "2", "c": ""},
        {"a": "nan", "b": "", "c": ""},
    ]
    assert markup.numeric(rows, ["a", "b", "c"]) == [True, False, True]
    assert markup.numeric([], ["a"]) == [True]
