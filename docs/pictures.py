"""Pictures of a report's sections, for the page that explains them: `make pictures`.

Each `<section>` of the page becomes `<id>.png`: its upper part, as wide as on a small laptop, in
few colours. Pictures of sections that are no longer there are removed.
"""

import io
import shutil
import sys
from pathlib import Path
from typing import Any

from PIL import Image

WIDTH, HEIGHT = 1000, 640  # of the part that is shown, in CSS pixels
MARGIN = 16  # left and right of the section
COLOURS = (64, 48, 32, 24, 16)  # tried in turn until a picture is small enough
LARGEST = 60_000  # bytes
DRAWN = """id => [...document.getElementById(id).querySelectorAll('[data-chart]')]
    .filter(one => one.offsetParent !== null && one.getBoundingClientRect().top < innerHeight)
    .every(one => one.dataset.drawn === document.documentElement.dataset.theme)"""
# What stays in place while a page scrolls would cover the section.
OVERLAYS = "header, nav { display: none !important }"


def take(report: Path, folder: Path) -> list[Path]:
    """Write a picture of each section of the report into the folder."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    found = []
    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        context = browser.new_context(
            offline=True,
            viewport={"width": WIDTH, "height": 2 * HEIGHT},
            color_scheme="light",
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto(report.resolve().as_uri())
        page.add_style_tag(content=OVERLAYS)
        for name in page.locator("section[id]").evaluate_all("all => all.map(one => one.id)"):
            path = folder / f"{name}.png"
            path.write_bytes(small(section(page, name)))
            found.append(path)
        browser.close()
    for old in set(folder.glob("*.png")) - set(found):
        old.unlink()
    return found


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
    found: bytes = page.screenshot(clip=clip)
    return found


def small(picture: bytes) -> bytes:
    """The picture in so few colours that it is small enough, or in the fewest."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    packed = b""
    for colours in COLOURS:
        file = io.BytesIO()
        few = image.quantize(colours, dither=Image.Dither.NONE)
        few.save(file, "PNG", optimize=True)
        packed = file.getvalue()
        if len(packed) <= LARGEST:
            break
    return packed


if __name__ == "__main__":
    for path in take(Path(sys.argv[1]), Path(sys.argv[2])):
        print(f"{path}: {path.stat().st_size:,} bytes")
