"""Sections of the report: declared once, found by themselves, absent where their files are."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from pipeline.campaign.code import Graph
from pipeline.report.related import biased
from pipeline.report.results import Files, Results, by_name
from pipeline.report.section import SECTIONS, contents, section

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "pipeline/report/sections"

MODULE = '''
"""The runs with the longest names."""

from pipeline.report.chart import Chart
from pipeline.report.results import Results
from pipeline.report.section import Content, section


@section("names", place=25, template="names.html.j2", title="Names", needs=["swaps", "names.csv"])
def names(results: Results) -> Content:
    """How long the names of the runs are."""
    runs = sorted((row.run for row in results.board.rows), key=len)
    drawn = Chart(name="lengths", title="Lengths", spec={"height": 40})
    return Content({"longest": runs[-1]}, [drawn], {"lengths-data": [len(run) for run in runs]})
'''
TEMPLATE = """\
<section id="names">
  <p>{{ results.title }}: <b>{{ longest }}</b></p>
  <div data-chart="lengths" style="min-height:{{ charts.lengths.height }}px"></div>
</section>
"""
RENDER = """
import sys
from pathlib import Path
from pipeline.report import step
from tests.report.test_sections import small
folder = Path(sys.argv[1])
step.write(small(folder), out=folder / "with.html", charts=folder / "charts.json")
step.write(small(folder, tables={}), out=folder / "without.html")
"""


def small(folder: Path, **files: object) -> Results:
    """A campaign of three runs, with the two optional files of the section above."""
    means, checks = folder / "means.csv", folder / "checks.csv"
    means.write_text("run,team,AP,RR\na,t,0.3,0.1\nb<i>,t,0.2,0.2\nccc,t,0.1,0.3\n")
    checks.write_text("run,lines\na,10\n")
    swaps = folder / "swaps.parquet"
    if not swaps.exists():
        import pyarrow as pa
        import pyarrow.parquet as pq

        names = {name: pa.array([], pa.string()) for name in ("measure_a", "measure_b")}
        runs = {name: pa.array([], pa.string()) for name in ("run_a", "run_b")}
        pq.write_table(pa.table(names | runs), swaps)
    given = Files(
        means=means, scores=[], checks=checks, swaps=swaps, tables={"names.csv": means}
    )  # fmt: skip
    given = replace(given, **files)  # type: ignore[arg-type]
    return Results(campaign="small", title="Small", contrast=("AP", "RR"), files=given)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library with one more module and one more template, and the pages it then makes."""
    folder = tmp_path_factory.mktemp("further")
    for part in ("pipeline", "tests", "scripts"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, folder / part, ignore=ignore)
    (folder / "pipeline/report/sections/names.py").write_text(MODULE)
    (folder / "pipeline/report/sections/names.html.j2").write_text(TEMPLATE)
    done = subprocess.run(
        [sys.executable, "-c", RENDER, str(folder)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


def test_a_further_section_is_one_module_and_one_template(copy: Path) -> None:
    soup = BeautifulSoup((copy / "with.html").read_text(encoding="utf-8"), "html.parser")
    ids = [str(tag["id"]) for tag in soup.select("main > section")]
    assert ids == [
        *("summary", "leaderboard", "names", "contrast", "ranks", "intervals", "inputs", "methods"),
    ]
    links = [(a.get_text(), a["href"]) for a in soup.select("nav a")]
    assert links[1:4] == [
        ("Leaderboard", "#leaderboard"),
        ("Names", "#names"),
        ("Contrast", "#contrast"),
    ]
    made = soup.select_one("#names")
    assert made is not None
    assert made.p is not None
    assert made.p.decode_contents() == "Small: <b>b&lt;i&gt;</b>"
    assert made.select_one("[data-chart=lengths]")["style"] == "min-height:100px"  # type: ignore[index]
    blocks = {str(tag["id"]): tag.get_text() for tag in soup.select("script[type]")}
    assert json.loads(blocks["lengths-data"]) == [1, 3, 4]
    assert json.loads(blocks["charts"])["lengths"] == {"height": 40}
    on_paper = json.loads((copy / "charts.json").read_text(encoding="utf-8"))
    assert on_paper["lengths"] == {"title": "Lengths", "wide": False, "spec": {"height": 40}}


OWN = (
    r'    <a href="#names">Names</a>\n',
    r'<section id="names">.*?</section>\n',
    r'<script type="application/json" id="lengths-data">.*?</script>\n',
    r"(?<=figure-files\">\[)\"lengths\",",
    r'"lengths":{"height":40},',
)


def test_without_its_files_it_is_absent_and_all_else_is_the_same(copy: Path) -> None:
    whole = (copy / "with.html").read_text(encoding="utf-8")
    for pattern in OWN:
        whole, count = re.subn(pattern, "", whole, flags=re.DOTALL)
        assert count == 1, pattern
    assert whole == (copy / "without.html").read_text(encoding="utf-8")


def test_the_report_depends_on_it_and_the_team_pages_do_not(copy: Path) -> None:
    graph = Graph(copy / "pipeline")
    further = {copy / "pipeline/report/sections" / f"names.{end}" for end in ("py", "html.j2")}
    assert further <= graph.behind(copy / "scripts/report.py")
    for script in ("teams", "figures", "tables", "top_documents"):
        behind = graph.behind(copy / f"scripts/{script}.py")
        assert not any("sections" in path.parts for path in behind), script
    teams = {path.name for path in graph.behind(copy / "scripts/teams.py")}
    assert "team.html.j2" in teams
    assert not teams & {"index.html.j2", "findings.html.j2", "explore.js", "drawing.py"}
    figures = graph.behind(copy / "scripts/figures.py")
    own = {path.name for path in figures if path.parent.name == "report"}
    assert own == {"__init__.py", "figures.py", "drawing.py", "naming.py", "report.css"}


def test_every_template_belongs_to_one_section() -> None:
    named = [one.template for one in SECTIONS.values()]
    assert sorted(named) == sorted(path.name for path in FOLDER.glob("*.j2"))
    assert len(SECTIONS) == len([p for p in FOLDER.glob("*.py") if p.name != "__init__.py"]) > 15
    places = [one.place for one in SECTIONS.values()]
    assert len(set(places)) == len(places)


def test_a_section_needs_files_that_there_are() -> None:
    with pytest.raises(ValueError, match="the section odd needs standing, which is no file"):
        section("odd", place=1, template="odd.html.j2", needs=["standing"])
    assert "odd" not in SECTIONS


@pytest.mark.parametrize("name", ["audit", "pool", "sweep", "reusability", "judgements", "reading"])
def test_absent_without_files(name: str, tmp_path: Path) -> None:
    shown = {one.name for one, _ in contents(small(tmp_path))}
    assert name not in shown
    assert SECTIONS[name].needs
    files = small(tmp_path).files
    assert not all(files.has(need) for need in SECTIONS[name].needs)


def test_tables_go_by_their_name_in_the_campaign() -> None:
    folder = Path("results/agreement")  # a campaign may be called like a folder of one
    paths = ["results/agreement/sweep.csv", "results/agreement/agreement/x.swaps.csv"]
    tables = by_name(paths, folder=folder)
    assert list(tables) == ["sweep.csv", "agreement/x.swaps.csv"]
    files = Files(means=Path(), scores=[], checks=Path(), tables={"sweep.csv": Path(paths[0])})
    assert files.has("sweep.csv")
    assert not files.has("agreement/*.swaps.csv")


MEASURES = [
    "RBP(p=0.8)",
    "uRBP(p=0.8)",  # by understandability, which the name leaves out
    "uRBPgr(p=0.8, by=trust)",
    "uRBP(p=0.8, by=understandability+trust)",  # two further dimensions
    "uRBP(p=0.5, by=trust)",  # no RBP(p=0.5)
    "RBP(p=0.8, on=trust)",
    "P(rel=2)@10",
    "uP(rel=2, by=trust)@10",
    "uP(by=trust)@10",  # reads topicality otherwise
    "H(RBP(p=0.8), topicality=1, trust=1)",
    "somebody's own",
]


def test_biased_measures_are_found_by_what_they_read() -> None:
    found = biased(MEASURES, dimensions=["topicality", "understandability", "trust"])
    assert [tuple(one) for one in found] == [
        ("RBP(p=0.8)", "uRBP(p=0.8)", "understandability"),
        ("RBP(p=0.8)", "uRBPgr(p=0.8, by=trust)", "trust"),
        ("P(rel=2)@10", "uP(rel=2, by=trust)@10", "trust"),
    ]
    assert biased(MEASURES, dimensions=[]) == []
