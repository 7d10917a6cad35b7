"""Tables for a paper: the same figures as the campaign's files, and names that cannot do harm."""

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from pipeline.measures.measure import slug
from pipeline.measures.score_table import read as read_scores
from pipeline.report import tables
from pipeline.report.latex import Cell, escape, tex
from pipeline.report.report import Report
from pipeline.results import REPORT_TABLES, Results
from pipeline.statistics.correlation.step import correlate
from pipeline.statistics.significance import step as significance
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats
from tests.builders import write_scores

MEASURES = ("RBP(p=0.8)", "uRBP_50%")


def campaign(
    folder: Path, scores: Mapping[str, Floats], *, runs: Sequence[str], team: str, title: str
) -> Results:
    """The tables of a campaign with these scores, through the real steps."""
    results, summaries = Results(folder), []
    (folder / "scores").mkdir()
    for number, (measure, values) in enumerate(scores.items()):
        name = slug(measure)
        write_scores(results.scores(name), measure, values, runs=runs)
        summaries.append(folder / f"{number}.summary.csv")
        significance.compare(
            read_scores(results.scores(name)), pairs=results.significance(name),
            runs=results.standings(name), summary=summaries[-1], alpha=0.05, permutations=99,
            samples=99, seed=1,
        )  # fmt: skip
    significance.summarise(summaries, out=results.discrimination)
    means = [values.mean(axis=1) for values in scores.values()]
    rows = ([run, team, *(float(one[at]) for one in means)] for at, run in enumerate(runs))
    sheets.write(results.means, ["run", "team", *scores], rows)
    correlate(results.means, out=results.correlations, statistics=["tau_b"])
    first, second, *_ = scores
    tables.write(Report(results=results, title=title, contrast=(first, second)))
    return results


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A campaign of four runs."""
    rng = np.random.default_rng(3)
    scores = {m: rng.random((4, 30)) + np.array([[0.9], [0.0], [0.5], [0.45]]) for m in MEASURES}
    runs = [f"r{number}" for number in range(4)]
    folder = tmp_path_factory.mktemp("tables")
    return campaign(folder, scores, runs=runs, team="t&m", title="A & B")


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.open(newline="", encoding="utf-8")))


def test_every_table_is_whole(made: Results) -> None:
    for name in REPORT_TABLES:
        text = (made.tables / f"{name}.tex").read_text()
        body = text.split("\\endfoot\n")[1].split("\\end{longtable}")[0].splitlines()
        first = text.split("\\toprule\n")[1].split("\\midrule")[0].splitlines()
        again = text.split("\\toprule\n")[2].split("\\midrule")[0].splitlines()
        align = re.search(r"\\begin\{longtable\}\{(\w+)\}", text)
        assert align
        assert first == again  # on every page
        for line in (first[-1], *body):
            assert line.endswith(r" \\")
            assert len(re.split(r"(?<!\\)&", line)) == len(align[1])
        assert len(body) == len(rows(made.tables / f"{name}.csv")) > 0
        assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
        assert r"\caption{A \& B: " in text


def test_heads_are_short_and_the_caption_says_what_they_stand_for(made: Results) -> None:
    text = (made.tables / "means.tex").read_text()
    assert r"Run & Team & RBP & uRBP\_50\% \\" in text
    assert "RBP is RBP(p=0.8).}" in text
    text = (made.tables / "contrast.tex").read_text()
    assert r"\multicolumn{3}{c}{RBP} & \multicolumn{3}{c}{uRBP\_50\%} \\" in text
    assert r"\cmidrule(lr){3-5} \cmidrule(lr){6-8}" in text
    assert r"Run & Team & Rank & Mean & Interval & Rank & Mean & Interval \\" in text
    assert r"the order of the runs ($\tau_b$)." in (made.tables / "agreement.tex").read_text()


def test_a_minus_is_a_minus_and_a_hyphen_a_hyphen() -> None:
    assert tex(Cell("-0.123", number=True)) == "$-$0.123"
    assert tex(Cell("[-0.1, -0.05]", number=True)) == "{[}$-$0.1, $-$0.05{]}"
    assert tex(Cell("run-1")) == "run-1"


def test_figures_are_those_of_the_files(made: Results) -> None:
    means = {row["run"]: row for row in rows(made.means)}
    for row in rows(made.tables / "means.csv"):
        for measure in MEASURES:
            assert row[measure] == f"{float(means[row['Run']][measure]):.4f}"
    contrast = rows(made.tables / "contrast.csv")
    assert [row["Run"] for row in contrast] == [
        row["run"] for row in rows(made.standings(slug(MEASURES[0])))
    ]
    letters = {row["run"]: row["letters"] for row in rows(made.standings(slug(MEASURES[1])))}
    assert {row["Run"]: row["uRBP_50% letters"] for row in contrast} == letters
    assert len(set(letters.values())) > 1
    tau = rows(made.correlations)[0]["tau_b"]
    agreement = rows(made.tables / "agreement.csv")
    assert agreement[0][MEASURES[1]] == f"{float(tau):.3f}"
    assert agreement[0][MEASURES[0]] == "1"
    power = [row["power_tukey"] for row in rows(made.discrimination)]
    found = [row["Tukey HSD"] for row in rows(made.tables / "discrimination.csv")]
    assert found == [f"{float(value):.3f}" for value in power]


def test_the_best_figure_is_bold(made: Results) -> None:
    text = (made.tables / "means.tex").read_text()
    best = [max(float(row[m]) for row in rows(made.means)) for m in MEASURES]
    assert re.findall(r"\\textbf\{([\d.]+)\}", text) == [f"{value:.4f}" for value in best]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("run_1", r"run\_1"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("50% & $x^2$ #1 ~", r"50\% \& \$x\textasciicircum{}2\$ \#1 \textasciitilde{}"),
        ("<script>", r"\textless{}script\textgreater{}"),
        ("two\nlines\x00", "two lines "),
        ("Zoë", "Zoë"),
        ("a--b,,c", "a-{}-b,{},c"),
        ("中", r"\ifdefined\Umathchar 中\else U+4E2D\fi{}"),
    ],
)
def test_names_from_outside_are_only_text(text: str, expected: str) -> None:
    assert escape(text) == expected
