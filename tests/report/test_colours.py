"""The colours of the teams can be told apart, also by those who see no green or no red."""

import re
from pathlib import Path

import numpy as np
import pytest
from colorspacious import cspace_convert

from pipeline.report import charts
from pipeline.storage.arrays import Floats

STYLE = Path(charts.__file__).with_name("report.css").read_text("utf-8")
THEMES = dict(zip(("light", "dark"), STYLE.split('[data-theme="dark"]', 1), strict=True))
SIGHT = ("whole", "deuteranomaly", "protanomaly")
NEAR, ALIKE = 12.0, 18.0  # in CAM02-UCS, where about 1 is just seen side by side


def colour(theme: str, name: str) -> list[float]:
    found = re.search(rf"--{name}: #(\w{{6}})", THEMES[theme])
    assert found
    return [int(found[1][at : at + 2], 16) / 255 for at in (0, 2, 4)]


def seen(colours: Floats, sight: str) -> Floats:
    """Where colours lie for somebody, in a space whose distances are what people see."""
    if sight != "whole":
        blind = {"name": "sRGB1+CVD", "cvd_type": sight, "severity": 100}
        colours = np.clip(cspace_convert(colours, blind, "sRGB1"), 0, 1)
    return np.asarray(cspace_convert(colours, "sRGB1", "CAM02-UCS"))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHT)
def test_no_two_teams_look_alike(theme: str, sight: str) -> None:
    colours = np.array([colour(theme, f"team-{number}") for number in range(1, 13)])
    places = seen(colours, sight)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    for one in range(12):
        for other in range(one):
            same_shape = (one - other) % len(charts.look()["range"]["symbol"]) == 0
            assert apart[one, other] > (ALIKE if same_shape else NEAR), (one + 1, other + 1)


@pytest.mark.parametrize("theme", THEMES)
def test_every_team_stands_out_from_the_page(theme: str) -> None:
    def luminance(rgb: list[float]) -> float:  # WCAG 2.2
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    ground = luminance(colour(theme, "ground"))
    for number in range(1, 13):
        mine = luminance(colour(theme, f"team-{number}"))
        assert (max(mine, ground) + 0.05) / (min(mine, ground) + 0.05) >= 3, number


def test_the_test_can_fail() -> None:
    """Red and green of one lightness are far apart, but not for whoever sees no green."""
    pair = np.array([[0.68, 0.38, 0.20], [0.45, 0.50, 0.20]])
    whole, blind = (np.linalg.norm(np.subtract(*seen(pair, sight))) for sight in SIGHT[:2])
    assert whole > NEAR > blind


def test_shapes_and_colours_together_last_for_many_teams() -> None:
    looks = {(number % 12, number % len(charts.look()["range"]["symbol"])) for number in range(60)}
    assert len(looks) == 60
