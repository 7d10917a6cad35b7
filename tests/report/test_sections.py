"""Sections of the report: declared once, found by themselves, absent where their files are."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from pipeline.report.section import SECTIONS, contents
from pipeline.report.verdict import related
from pipeline.workflow.code import Graph
from tests.report.made import small

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "pipeline/report/sections"

MODULE = '''
"""The runs with the longest names."""

from pipeline.report.charts import Chart
from pipeline.report.report import Report
from pipeline.report.section import Content, section


@section("names", order=25, template="names.html.j2", title="Names")
def names(report: Report) -> Content | None:
    """How long the names of the runs are."""
    if not report.has(report.results.folder / "names.csv"):
        return None
    runs = sorted(report.board.runs, key=len)
    drawn = Chart(name="lengths", title="Lengths", spec={"height": 40})
    return Content({"longest": runs[-1]}, [drawn], {"lengths-data": [len(run) for run in runs]})
'''
TEMPLATE = """\
<section id="names">
  <p>{{ report.title }}: <b>{{ longest }}</b></p>
  <div data-chart="lengths" style="min-height:{{ charts.lengths.height }}px"></div>
</section>
"""
RENDER = """
import sys
from pathlib import Path
from pipeline.report.section import contents
from pipeline.report.step import render
from pipeline.workflow.code import Graph
from tests.report.made import small
folder = Path(sys.argv[1])
report = small(folder)
(folder / "without.html").write_text(render(report, contents(report)), encoding="utf-8")
(folder / "names.csv").write_text("name")
(folder / "with.html").write_text(render(report, contents(report)), encoding="utf-8")
"""


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
        *("summary", "leaderboard", "names", "contrast", "ranks", "intervals"),
        *("teams", "inputs", "methods"),
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


def test_the_report_depends_on_it(copy: Path) -> None:
    graph = Graph(copy / "pipeline")
    behind = graph.behind(copy / "scripts/report.py")
    names = {path.name for path in behind}
    assert {"names.py", "names.html.j2", "team.html.j2", "warnings.html.j2", "explore.js"} <= names
    changes = graph.behind(copy / "scripts/changes.py")
    further = {path.name for path in changes if "report" in path.parts}
    assert "report.css" in further
    assert not further & {"names.py", "names.html.j2", "team.html.j2", "explore.js"}


def test_every_template_belongs_to_one_section() -> None:
    named = [one.template for one in SECTIONS.values()]
    assert sorted(named) == sorted(path.name for path in FOLDER.glob("*.j2"))
    assert len(SECTIONS) > 20
    places = [one.order for one in SECTIONS.values()]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("name", ["audit", "pool", "sweep", "reusability", "judgements", "reading"])
def test_absent_without_files(name: str, tmp_path: Path) -> None:
    assert name not in {one.name for one, _ in contents(small(tmp_path))}


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
    found = related(MEASURES, dimensions=["topicality", "understandability", "trust"], product=True)
    assert [tuple(one) for one in found] == [
        ("RBP(p=0.8)", "uRBP(p=0.8)", "understandability"),
        ("RBP(p=0.8)", "uRBPgr(p=0.8, by=trust)", "trust"),
        ("P(rel=2)@10", "uP(rel=2, by=trust)@10", "trust"),
    ]
    assert related(MEASURES, dimensions=[], product=True) == []
