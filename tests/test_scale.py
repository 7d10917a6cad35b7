"""The scale study: what it fits and extrapolates, and that its page shows what was measured."""

from pathlib import Path

import pytest
import yaml

from benchmarks import scale
from benchmarks.generated import Size, campaign, measures, write
from pipeline.campaign import campaigns
from tests.docs.test_pages import DOCS


def row(
    factor: str, value: int, *, cpu: float, rule: str = "evaluate", memory: int = 1
) -> scale.Row:
    return scale.Row(factor=factor, value=value, rule=rule, jobs=2, cpu=cpu, memory=memory)


def test_exponents() -> None:
    values = [10, 100, 1000]
    assert scale.exponent(values, [3, 30, 300]) == pytest.approx(1)
    assert scale.exponent(values, [5 * v**2 for v in values]) == pytest.approx(2)
    assert scale.exponent(values, [7, 7, 7]) == pytest.approx(0)
    assert scale.exponent([1, 2, 4], [1, 2, 2]) == pytest.approx(0.5)  # by hand: (1 x 1 + 0) / 2


def test_the_table_says_how_time_grows_and_where_it_goes() -> None:
    measured = [
        row("runs", 10, cpu=1.0, memory=100), row("runs", 10, cpu=1.0, rule="means", memory=300),
        row("runs", 100, cpu=2.0, memory=900), row("runs", 100, cpu=18.0, rule="means", memory=30),
        row("shards", 1, cpu=4.0),
    ]  # fmt: skip
    lines = scale.growth(measured).splitlines()[2:]
    assert lines == [
        "| runs | 10 | 4 | 2.0 | 300 (means) | means 50%, evaluate 50% |  |  |",
        "|  | 100 | 4 | 20.0 | 900 (evaluate) "
        "| means 90%, evaluate 10% | 1.00 (1.00) | 0.48 (0.48) |",
        "| shards | 1 | 2 | 4.0 | 1 (evaluate) | evaluate 100% |  |  |",
    ]


def test_what_was_not_measured_is_marked() -> None:
    pages = [row("pages", 1000, cpu=10, memory=200), row("pages", 11_000, cpu=110, memory=200)]
    runs = [row("runs", 300, cpu=5, memory=50), row("runs", 1000, cpu=48, memory=500)]
    measured, guessed = scale.sizing([*pages, *runs]).splitlines()[2:]
    assert "| measured | 48 s | 500 MB | 3 s |" in measured
    assert (
        "| extrapolated from 11,000 | 2.8 h | 200 MB | 10.4 min |" in guessed
    )  # 110 + 989,000 / 100
    assert len(scale.sizing(pages[:1]).splitlines()) == 2  # no line goes through one point
    assert "extrapolated from 300 " in scale.sizing([row("runs", 30, cpu=1), runs[0]])


def test_what_is_missing_is_said() -> None:
    every = [row(factor, one, cpu=1) for factor, known in scale.FACTORS.items() for one in known]
    assert scale.missing(every) == ""
    some = [one for one in every if (one.factor, one.value) not in {("runs", 30), ("runs", 1000)}]
    some = [one for one in some if one.factor != "shards"]
    assert scale.missing(some) == "Not measured yet: runs 30 and 1,000; shards 1 and 8."


def test_a_point_measured_again_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "scale.csv"
    scale.keep([row("topics", 50, cpu=1), row("topics", 50, cpu=2, rule="means")], path)
    scale.keep([row("runs", 10, cpu=3)], path)
    scale.keep([row("topics", 50, cpu=9)], path)
    assert scale.read(path) == [row("runs", 10, cpu=3), row("topics", 50, cpu=9)]


def test_the_page_shows_every_factor_that_was_asked_for() -> None:
    measured = scale.read()
    for factor, values in scale.FACTORS.items():
        assert {one.value for one in scale.points(measured, factor)} <= set(values), factor
    page = (DOCS / "scale.md").read_text(encoding="utf-8")
    assert "<!-- made: scale-growth -->" in page
    assert "<!-- made: scale-sizing -->" in page
    base = scale.BASE
    for told in (
        f"{base.runs} runs of {base.depth} documents on {base.topics} topics",
        f"{base.measures} measures, ",
        f"{base.dimensions} dimensions with {base.judged} judged",
    ):
        assert told in " ".join(page.split())


@pytest.mark.parametrize(
    "size", [Size(), Size(measures=300), Size(dimensions=1), Size(dimensions=10), Size(pages=100)]
)
def test_generated_campaigns_are_good_configs(size: Size, tmp_path: Path) -> None:
    made = campaign(size)
    assert len(set(made["measures"])) == size.measures
    assert len(measures(size)) == size.measures
    assert campaigns(
        yaml.safe_load(yaml.safe_dump({"campaigns": {"grown": made}}, sort_keys=False))
    )
    small = Size(runs=3, topics=2, depth=4, judged=6, dimensions=size.dimensions)
    write(tmp_path / "x", small)
    lines = (tmp_path / "x/runs/team0_run0").read_text().splitlines()
    assert len(lines) == 8
    assert len((tmp_path / "x/topicality.qrels").read_text().splitlines()) == 12
