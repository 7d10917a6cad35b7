"""A picture of a report, as the pages of the docs show it.

    python docs/hooks/picture.py results/mine/report/index.html docs/tutorials/organiser.png

Chromium draws the page (`make browser` installs it).
"""

import argparse
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

parser = argparse.ArgumentParser(description="Write a picture of a report.")
parser.add_argument("report", type=Path)
parser.add_argument("out", type=Path)
parser.add_argument("--width", type=int, default=1200)
parser.add_argument("--top", type=int, default=0, help="pixels to leave out at the top")
parser.add_argument("--height", type=int, default=1000)
arguments = parser.parse_args()

chromium = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))))
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    size = {"width": arguments.width, "height": arguments.height}
    page = browser.new_page(viewport=size, color_scheme="light", reduced_motion="reduce")  # type: ignore[arg-type]
    page.goto(arguments.report.resolve().as_uri())
    clip = {"x": 0, "y": arguments.top, **size}
    page.screenshot(path=arguments.out, full_page=True, clip=clip)  # type: ignore[arg-type]
    browser.close()
with Image.open(arguments.out) as drawn:  # few colours, a third of the size
    drawn.convert("RGB").quantize(96).save(arguments.out, optimize=True)
