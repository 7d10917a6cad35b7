"""Relevance strings: each list as its labels read."""

from pathlib import Path

import pytest

from pipeline.config.scale import Scale
from pipeline.gains.relevance_strings import of, relstrings
from tests.builders import GRADED, Judged, campaign, ranked, run_text

WIDE = Scale(-2, 100, "low", 40, None, (77,))
RUNS = {
    "r": run_text({"q1": ranked("a b x c d"), "q2": ranked("x y")}),
    "s": run_text({"q1": ranked("x a")}),
}
JUDGED = {
    "topicality": Judged({"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"z": 1}}, GRADED),
    "ease": Judged({"q1": {"a": 9, "b": 10, "c": -1, "d": 77, "x": 7.9}}, WIDE),
}
HEAD = "run\ttopic\tdimension\trelstring\n"


@pytest.mark.parametrize(
    ("depth", "unjudged", "expected"),
    [
        (10, "zero", {"r q1": ("20-1-", "9>7<-"), "r q2": ("--", "--"), "s q1": ("-2", "79"),
                      "s q2": ("", "")}),
        (3, "zero", {"r q1": ("20-", "9>7"), "r q2": ("--", "--"), "s q1": ("-2", "79"),
                     "s q2": ("", "")}),
        # lists without what topicality does not know
        (10, "condensed", {"r q1": ("201", "9><"), "r q2": ("", ""), "s q1": ("2", "9"),
                           "s q2": ("", "")}),
    ],
)  # fmt: skip
def test_relstrings(
    tmp_path: Path, depth: int, unjudged: str, expected: dict[str, tuple[str, str]]
) -> None:
    small = campaign(tmp_path, RUNS, JUDGED)
    out = tmp_path / "made" / "relstrings.tsv"
    relstrings(small.gains, out=out, depth=depth, unjudged=unjudged)
    lines = [
        "\t".join([*place.split(), dimension, string])
        for place, strings in expected.items()
        for dimension, string in zip(("topicality", "ease"), strings, strict=True)
    ]
    assert out.read_text(encoding="utf-8") == HEAD + "\n".join(lines) + "\n"


def test_a_string_has_the_relevance_a_measure_sees(tmp_path: Path) -> None:
    data = campaign(tmp_path, RUNS, JUDGED).read()
    gains = data.view({"topicality": "label"}).gain
    for row, string in enumerate(of(data.dimensions["topicality"], depth=10)):
        assert [float(c.replace("-", "0")) for c in string] == gains[row, : len(string)].tolist()
