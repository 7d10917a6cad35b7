"""Tables for a paper: the same figures as the campaign's files, and names that cannot do harm."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from pipeline.report.tables import step as tables
from pipeline.report.tables.latex import Cell, escape, tex
from pipeline.statistics import significance
from pipeline.statistics.correlation.step import correlate
from tests.builders import write_scores

MEASURES = ("RBP(p=0.8)", "uRBP_50%")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of four runs, through the real steps."""
    folder = tmp_path_factory.mktemp("tables")
    rng = np.random.default_rng(3)
    values = [rng.random((4, 30)) + np.array([[0.9], [0.0], [0.5], [0.45]]) for _ in MEASURES]
    runs, summaries = {}, []
    for number, (measure, scores) in enumerate(zip(MEASURES, values, strict=True)):
        write_scores(folder / f"{number}.parquet", measure, scores)
        runs[measure] = folder / f"runs{number}.csv"
        summaries.append(folder / f"{number}.json")
        significance.compare(
            folder / f"{number}.parquet", pairs=folder / f"{number}.csv", runs=runs[measure],
            summary=summaries[-1], alpha=0.05, permutations=999, samples=1000, seed=1,
        )  # fmt: skip
    significance.summarise(summaries, out=folder / "significance.csv")
    rows = [
        f"r{i},t&m,{float(values[0][i].mean())!r},{float(values[1][i].mean())!r}" for i in range(4)
    ]
    (folder / "means.csv").write_text("\n".join(["run,team," + ",".join(MEASURES), *rows]) + "\n")
    correlate(folder / "means.csv", out=folder / "c.csv", statistics=["tau_b"])
    tables.write(
        means=folder / "means.csv",
        correlations=folder / "c.csv",
        significance=folder / "significance.csv",
        runs=runs,
        contrast=MEASURES,
        title="A & B",
        out=folder / "tables",
    )
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.open(newline="", encoding="utf-8")))


def test_every_table_is_whole(made: Path) -> None:
    for name in tables.TABLES:
        text = (made / "tables" / f"{name}.tex").read_text()
        body = text.split("\\endfoot\n")[1].split("\\end{longtable}")[0].splitlines()
        first = text.split("\\toprule\n")[1].split("\\midrule")[0].splitlines()
        again = text.split("\\toprule\n")[2].split("\\midrule")[0].splitlines()
        align = re.search(r"\\begin\{longtable\}\{(\w+)\}", text)
        assert align
        assert first == again  # on every page
        for line in (first[-1], *body):
            assert line.endswith(r" \\")
            assert len(re.split(r"(?<!\\)&", line)) == len(align[1])
        assert len(body) == len(rows(made / "tables" / f"{name}.csv")) > 0
        assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
        assert r"\caption{A \& B: " in text


def test_heads_are_short_and_the_caption_says_what_they_stand_for(made: Path) -> None:
    text = (made / "tables/means.tex").read_text()
    assert r"Run & Team & RBP & uRBP\_50\% \\" in text
    assert "RBP is RBP(p=0.8).}" in text
    text = (made / "tables/contrast.tex").read_text()
    assert r"\multicolumn{3}{c}{RBP} & \multicolumn{3}{c}{uRBP\_50\%} \\" in text
    assert r"\cmidrule(lr){3-5} \cmidrule(lr){6-8}" in text
    assert r"Run & Team & Rank & Mean & Interval & Rank & Mean & Interval \\" in text
    assert r"the order of the runs ($\tau_b$)." in (made / "tables/agreement.tex").read_text()


def test_a_minus_is_a_minus_and_a_hyphen_a_hyphen() -> None:
    assert tex(Cell("-0.123", number=True)) == "$-$0.123"
    assert tex(Cell("[-0.1, -0.05]", number=True)) == "{[}$-$0.1, $-$0.05{]}"
    assert tex(Cell("run-1")) == "run-1"


def test_figures_are_those_of_the_files(made: Path) -> None:
    means = {row["run"]: row for row in rows(made / "means.csv")}
    for row in rows(made / "tables/means.csv"):
        for measure in MEASURES:
            assert row[measure] == f"{float(means[row['Run']][measure]):.4f}"
    contrast = rows(made / "tables/contrast.csv")
    assert [row["Run"] for row in contrast] == [row["run"] for row in rows(made / "runs0.csv")]
    letters = {row["run"]: row["letters"] for row in rows(made / "runs1.csv")}
    assert {row["Run"]: row["uRBP_50% letters"] for row in contrast} == letters
    assert len(set(letters.values())) > 1
    tau = rows(made / "c.csv")[0]["tau_b"]
    agreement = rows(made / "tables/agreement.csv")
    assert agreement[0][MEASURES[1]] == f"{float(tau):.3f}"
    assert agreement[0][MEASURES[0]] == "1"
    power = [row["power_tukey"] for row in rows(made / "significance.csv")]
    found = [row["Tukey HSD"] for row in rows(made / "tables/discrimination.csv")]
    assert found == [f"{float(value):.3f}" for value in power]


def test_the_best_figure_is_bold(made: Path) -> None:
    text = (made / "tables/means.tex").read_text()
    best = [max(float(row[m]) for row in rows(made / "means.csv")) for m in MEASURES]
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
