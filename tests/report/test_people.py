"""The report on people: each sentence true of its tables, and absent where it would not be."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from pipeline.people.step import COMPARISONS, MEASURES
from pipeline.report.markup import environment
from pipeline.report.report import Report
from pipeline.report.section import contents
from pipeline.report.sections import people
from pipeline.report.sections.people import LEVEL, chart, facts
from pipeline.storage import sheets
from tests.report.made import section, small, words

MEASURE = dict.fromkeys(MEASURES, "0") | {
    "people": "preferences", "topics": "24", "pairs": "577", "dimensions": "t", "tau_b": "",
    "confidence": "0.9", "lower": "0.8", "upper": "0.95",
}  # fmt: skip
PAIR = dict.fromkeys(COMPARISONS, "0") | {"people": "preferences", "statistic": "agreement"}


def measures(**agreement: float) -> list[dict[str, str]]:
    return [{**MEASURE, "measure": name, "agreement": str(v)} for name, v in agreement.items()]


def pairs(*rows: tuple[str, str, float]) -> list[dict[str, str]]:
    return [{**PAIR, "measure_a": a, "measure_b": b, "p_holm": str(p)} for a, b, p in rows]


def told(rows: Sequence[dict[str, str]], compared: Sequence[dict[str, str]]) -> list[str]:
    """What the page says of them."""
    template = environment(Path(people.__file__).parent).get_template("people.html.j2")
    said = template.make_module({"level": LEVEL, "percent": "", "parts_of": []}).findings
    html = str(said(facts(rows, compared, contrast=("x", "y")), "preferences"))
    lines = BeautifulSoup(html, "html.parser").select("li")
    return [
        " ".join(line.get_text().split()).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        for line in lines
    ]


def test_the_best_and_what_is_not_told_apart_from_it() -> None:
    rows = measures(x=0.9, y=0.85, z=0.5)
    compared = pairs(("x", "y", 0.05), ("x", "z", 0.049), ("y", "z", 0.2))
    first, second, third = told(rows, compared)
    assert first == (
        "x agrees most with people's preferences: on 90.0 % of 577 pairs of runs (80.0 to 95.0), "
        "over 24 topics."
    )
    assert all(fact in second for fact in ("Not significantly", "Holm", "at least 0.05", ": y."))
    assert third.startswith("x agrees on 0.0 %, y on 0.0 %: a difference of 0.0 percentage points")
    apart = pairs(("x", "y", 0.04), ("z", "x", 0.01), ("y", "z", 0.2))
    assert all(fact in told(rows, apart)[1] for fact in ("Every other", "Holm", "below 0.05"))


def test_two_that_agree_equally_are_both_the_best() -> None:
    first, *rest = told(measures(x=0.9, y=0.9), pairs(("x", "y", 1)))
    assert first.startswith("x and y agree most with people's preferences")
    assert len(rest) == 1  # the contrast; which of the two is near the other says nothing


def test_the_contrast_only_where_both_are_measured() -> None:
    rows, compared = measures(x=0.9, z=0.5), pairs(("x", "z", 0.01))
    assert len(told(rows, compared)) == 2
    (pair,) = pairs(("y", "x", 0.01))
    pair |= {"value_a": "0.5", "value_b": "0.9", "difference": "-0.4", "lower": "-0.5"}
    pair |= {"upper": "-0.3", "p": "0.0021"}
    sentence = told(measures(x=0.9, y=0.5), [pair])[-1]
    facts_ = ("y agrees on 50.0 %, x on 90.0 %", "−40.0", "(−50.0 to −30.0", "p = 0.0021")  # noqa: RUF001
    assert all(fact in sentence for fact in facts_)


def test_ties_and_correlations_are_told_where_there_are_any() -> None:
    rows = measures(x=0.9, y=0.8)
    compared = pairs(("x", "y", 0.01))
    assert len(told(rows, compared)) == 3
    for row, tau in zip(rows, ("0.5", "0.6"), strict=True):
        row |= {"people_tie": "1", "tau_b": tau, "tau_b_lower": "0.4", "tau_b_upper": "0.7"}
    found = told(rows, compared)
    assert "People saw no difference in 1 further pair, not counted here." in found
    (sentence,) = (line for line in found if "tau-b" in line)
    assert ", y " in sentence
    assert "0.600 (0.400 to 0.700)" in sentence


def campaign(
    folder: Path, rows: Sequence[dict[str, str]], compared: Sequence[dict[str, str]]
) -> Report:
    """The small campaign with these tables about people."""
    report = small(folder)
    sheets.write(report.results.people("measures"), list(rows[0]), rows)
    sheets.write(report.results.people("comparisons"), list(compared[0]), compared)
    return report


def test_the_section_has_what_was_asked_and_is_absent_without(tmp_path: Path) -> None:
    report = campaign(tmp_path, measures(AP=0.9, RR=0.8), pairs(("AP", "RR", 0.5)))
    shown = {one.name: content for one, content in contents(report)}
    assert [one.name for one in shown["people"].charts] == ["people_preferences"]
    assert shown["people"].values["percent"] == "90"
    assert [words(one) for one in section(report, "people").select("summary")] == [
        "Agreement with preferences: 2 rows", "Pairwise comparisons of measures: 1 row",
    ]  # fmt: skip
    report.results.people("measures").unlink()
    assert "people" not in {one.name for one, _ in contents(report)}


def test_measures_that_combine_the_same_dimensions_have_a_table(tmp_path: Path) -> None:
    rows = measures(AP=0.9, RR=0.8, H=0.7)
    rows[0]["dimensions"] = rows[2]["dimensions"] = "t + u"
    compared = pairs(("AP", "RR", 0.5), ("AP", "H", 0.5), ("RR", "H", 0.5))
    shown = section(campaign(tmp_path, rows, compared), "people")
    table = shown.select_one('[aria-label^="Ways to combine"] tbody')
    assert words(table).startswith("t + u agreement AP H")


@pytest.mark.parametrize("end", ["svg", "png"])
def test_the_chart_can_be_drawn(end: str) -> None:
    import vl_convert

    from pipeline.report.charts import printed

    spec = printed(chart(measures(x=0.9, y=0.4), dimensions=["t"]), width=600)
    drawn = getattr(vl_convert, f"vegalite_to_{end}")(spec)
    assert len(drawn) > 1000
