"""`python -m pipeline.pages.cleanse page.html --show`: what a person sees who asks why."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from pipeline.pages.cleanse import clean
from tests.pages.layouts import LAYOUTS

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
PAGE, *_ = LAYOUTS["news"]
HOSTILE = (
    "<p>A block that says <b>&lt;script&gt;alert(1)&lt;/script&gt;</b> to its reader.</p>"
    + "<p>"
    + "x" * 300
)


def told(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pipeline.pages.cleanse", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    """The picture that the command opened, in a browser that only writes down what it is given."""
    (tmp_path / "news.html").write_text(PAGE.replace("</body>", f"{HOSTILE}</body>") + HOSTILE)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/opened.txt\n')
    browser.chmod(0o755)
    done = told("news.html", "--show", cwd=tmp_path, BROWSER=str(browser), TMPDIR=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    (address,) = (tmp_path / "opened.txt").read_text().splitlines()
    picture = Path(url2pathname(urlsplit(address).path))
    assert done.stdout.split()[-1] == str(picture)
    return picture


def test_the_picture_is_opened_and_has_every_block(opened: Path) -> None:
    drawn = opened.read_text("utf-8")
    text, reason = clean(PAGE.encode())
    assert reason == ""
    for line in text.split("\n"):
        assert line in drawn
    assert "photographed by our staff" in drawn  # a caption, which is dropped
    assert "<script>alert" not in drawn


@pytest.mark.browser
@pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed; `make browser` installs it"
)
@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (1300, "dark"), (420, "light")])
def test_a_reader_tells_what_was_kept(opened: Path, width: int, scheme: Any) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        tab = browser.new_page(
            viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
        )
        complaints: list[str] = []
        tab.on("console", lambda said: complaints.append(said.text))
        tab.on("dialog", lambda dialog: complaints.append(dialog.message))
        tab.goto(opened.as_uri())
        kept = tab.locator(".kept").all_text_contents()
        dropped = tab.locator(".block:not(.kept)").all_text_contents()
        wide = tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        browser.close()
    assert complaints == []
    assert wide
    assert any("Asthma makes the airways narrow" in block for block in kept)
    assert any("photographed by our staff" in block for block in dropped)
    assert (ground == "rgb(22, 22, 22)") == (scheme == "dark")


def test_what_cannot_be_shown_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "paper.html").write_bytes(b"%PDF-1.4 and more")
    for name, word in {"paper.html": "binary", "none.html": "none.html"}.items():
        done = told(name, "--show", cwd=tmp_path, BROWSER="false")
        assert done.returncode != 0
        assert done.stdout == ""
        assert done.stderr.startswith("fathom: ")
        assert word in done.stderr
        assert done.stderr.count("\n") == 1
    done = told("paper.html", "--show", "--method", "main", cwd=tmp_path)
    assert done.returncode != 0
    assert "need the method blocks" in done.stderr


def test_the_picture_goes_to_a_file_and_the_text_to_the_screen(tmp_path: Path) -> None:
    (tmp_path / "news.html").write_text(PAGE)
    done = told("news.html", "--out", "blocks.html", cwd=tmp_path, BROWSER="false")
    assert (done.returncode, done.stdout.split()[-1]) == (0, "blocks.html")
    assert "Blocks of news.html" in (tmp_path / "blocks.html").read_text("utf-8")
    done = told("news.html", cwd=tmp_path)
    assert done.stdout == clean(PAGE.encode())[0] + "\n"
