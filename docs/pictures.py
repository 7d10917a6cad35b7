"""Pictures of reports, for the docs: `make pictures`.

    python docs/pictures.py results/demo/report/index.html docs/pictures       # each section
    python docs/pictures.py results/mine/report/index.html page.png --top 900  # a part of the page

Each `<section>` becomes `<id>.png`: its upper part, as wide as on a small laptop, in few colours.
Pictures of sections that are no longer there are removed.
"""

import argparse
import io
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

WIDE = 1200  # a part of a page
WIDTH, HEIGHT = 1000, 640  # of the part that is shown, in CSS pixels
MARGIN = 16  # left and right of the section
COLOURS = (64, 48, 32, 24, 16)  # tried in turn until a picture is small enough
LARGEST = 60_000  # bytes
DRAWN = """id => [...document.getElementById(id).querySelectorAll('[data-chart]')]
    .filter(one => one.offsetParent !== null && one.getBoundingClientRect().top < innerHeight)
    .every(one => one.dataset.drawn === document.documentElement.dataset.theme)"""
# What stays in place while a page scrolls would cover the section.
OVERLAYS = "header, nav { display: none !important }"


@contextmanager
def opened(report: Path, *, width: int, height: int) -> Iterator[Any]:
    """The report in a browser without a network."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        context = browser.new_context(
            offline=True,
            viewport={"width": width, "height": height},
            color_scheme="light",
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto(report.resolve().as_uri())
        yield page
        browser.close()


def sections(report: Path, folder: Path) -> list[Path]:
    """Write a picture of each section of the report into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = []
    with opened(report, width=WIDTH, height=2 * HEIGHT) as page:
        page.add_style_tag(content=OVERLAYS)
        for name in page.locator("section[id]").evaluate_all("all => all.map(one => one.id)"):
            path = folder / f"{name}.png"
            path.write_bytes(small(section(page, name)))
            pictures.append(path)
    for old in set(folder.glob("*.png")) - set(pictures):
        old.unlink()
    return pictures


def part(report: Path, out: Path, *, top: int, height: int) -> list[Path]:
    """Write a picture of a part of the page, as wide as on a desk."""
    with opened(report, width=WIDE, height=top + height) as page:
        clip = {"x": 0, "y": top, "width": WIDE, "height": height}
        out.write_bytes(small(page.screenshot(full_page=True, clip=clip), largest=2 * LARGEST))
    return [out]


def section(page: Any, name: str) -> bytes:
    """The upper part of one section, with its charts drawn."""
    page.evaluate("id => document.getElementById(id).scrollIntoView()", name)
    page.wait_for_function(DRAWN, arg=name)
    box = page.locator(f"section#{name}").bounding_box()
    left = min(MARGIN, box["x"])
    clip = {
        **box,
        "x": box["x"] - left,
        "width": box["width"] + 2 * left,
        "height": min(box["height"], HEIGHT),
    }
    picture: bytes = page.screenshot(clip=clip)
    return picture


def small(picture: bytes, *, largest: int = LARGEST) -> bytes:
    """The picture in so few colours that it is small enough, or in the fewest."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    packed = b""
    for colours in COLOURS:
        file = io.BytesIO()
        few = image.quantize(colours, dither=Image.Dither.NONE)
        few.save(file, "PNG", optimize=True)
        packed = file.getvalue()
        if len(packed) <= largest:
            break
    return packed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Take pictures of a report.")
    parser.add_argument("report", type=Path)
    parser.add_argument("out", type=Path, help="a folder, or a .png file for a part of the page")
    parser.add_argument("--top", type=int, default=0, help="pixels to leave out at the top")
    parser.add_argument("--height", type=int, default=1000)
    given = parser.parse_args()
    if given.out.suffix == ".png":
        paths = part(given.report, given.out, top=given.top, height=given.height)
    else:
        paths = sections(given.report, given.out)
    for path in paths:
        print(f"{path}: {path.stat().st_size:,} bytes")
