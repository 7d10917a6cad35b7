"""What is written for papers, typeset: whatever runs are called, it compiles and names them."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from pipeline.command import output
from pipeline.papers import step as papers
from pipeline.report import figures
from pipeline.report.charts import NARROW, Chart
from pipeline.report.latex import LETTERS, Cell, Table, escape, write_tex
from pipeline.report.tables import means_table
from pipeline.results import REPORT_TABLES
from pipeline.statistics.means import read_means
from pipeline.storage import sheets
from tests.report.test_tables import campaign

pytestmark = pytest.mark.skipif(
    not (shutil.which("pdflatex") and shutil.which("pdftotext")),
    reason="pdflatex is not installed; `make tex` installs it",
)

MEASURES = (
    "RBP(p=0.8)",
    "RBP(p=0.8, on=understandability)",
    "H(RBP(p=0.8), topicality=1, understandability=1)",
    "P@10",
    "nDCG@10",
    "AP",
    "own_50%&#",
    "HelpHarm",
)
# What a run may be called, and what a reader must find of it on paper.
HOSTILE = {
    r"\input{/etc/passwd}": r"\input{/etc/passwd}",
    "under_score-1.dat": "under_score-1.dat",
    "50%&$x^2$#1~{}": "50%&$x^2$#1~{}",
    "a--b''c``d,,e?`f": "a--b''c``d,,e?`f",
    "<script>|\"*[2pt]": "<script>|”*[2pt]",
    "*star": "*star",
    "[1ex]": "[1ex]",
    "-1": "-1",
    "ßœ Zoë Čapek Łódź": "ßœZo",  # accents are drawn over their letters
    "中文": "U+4E2DU+6587",
    "🐟Ж": "U+1F41FU+0416",
    "x" * 200: "",
    "team_long-name.with_many.parts_" * 5: "",
    "two\nlines": "two lines",
}  # fmt: skip
DOCUMENT = r"""\documentclass{article}
%s
\usepackage{booktabs,longtable,graphicx}
\textwidth=470pt \oddsidemargin=0pt
\begin{document}
%s
\end{document}
"""


def typeset(folder: Path, body: str) -> str:
    """What the document says on paper, in the default encoding of fonts."""
    compiled(folder, body)
    read = ["pdftotext", "-layout", "paper.pdf", "-"]
    found = subprocess.run(read, cwd=folder, capture_output=True, text=True, check=True)
    return found.stdout


def compiled(folder: Path, body: str, *, encoding: str = "", how: Sequence[str] = ()) -> None:
    """Compile it: no error, and no character without a shape."""
    folder.mkdir(exist_ok=True)
    (folder / "paper.tex").write_text(DOCUMENT % (encoding, body), encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", *how]
    for _ in range(2):  # longtable measures, then sets
        done = subprocess.run(
            [*command, "paper.tex"], cwd=folder, capture_output=True, check=False
        )  # fmt: skip
        log = (folder / "paper.log").read_text(encoding="latin-1")
        assert done.returncode == 0, "\n".join(re.findall(r"^!.*\n(?:.*\n){0,6}", log, re.M))
    assert "Missing character" not in log


def written_tables(folder: Path, runs: Sequence[str]) -> Path:
    """The tables of a campaign whose scores are drawn, some below 0."""
    rng = np.random.default_rng(5)
    scores = {measure: rng.random((len(runs), 12)) - 0.6 for measure in MEASURES}
    title = "A & B: 100% “new” 中"
    return campaign(folder, scores, runs=runs, team="t&m_1", title=title).tables


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    made = written_tables(tmp_path_factory.mktemp("hostile"), list(HOSTILE))
    return sorted(made.glob("*.tex"))


T1 = r"\usepackage[T1]{fontenc}"
DRAFT = ["-draftmode"]  # T1's fonts would be drawn dot by dot first


# How pdftotext reads the signs ' ` ^ ~ of TeX's fonts.
READ = str.maketrans("\u2019\u2018\u02c6\u02dc\u223c", "'`^~~")


def all_of(files: Sequence[Path]) -> str:
    return "\n".join(rf"\input{{{path}}}" for path in files)


def test_every_table_compiles_and_says_the_names(written: list[Path], tmp_path: Path) -> None:
    assert len(written) == len(REPORT_TABLES)
    said = typeset(tmp_path / "paper", all_of(written))
    drawn = re.sub(r"\s", "", said).translate(READ)
    for name in filter(None, HOSTILE.values()):  # an underscore is a rule, drawn, not written
        assert re.sub(r"[\s_]", "", name) in drawn, name
    assert "x" * 12 in said
    assert "τb" in drawn
    assert "[−0" in said  # noqa: RUF001
    assert not re.search(r"(?<!\w)-0\.\d", said)  # no hyphen for a minus
    compiled(tmp_path / "other", all_of(written), encoding=T1, how=DRAFT)


def test_many_runs_go_over_pages_with_their_heads_and_within_the_margins(tmp_path: Path) -> None:
    measures = [*MEASURES, *(f"nDCG@{depth}" for depth in range(20, 32))]
    values = np.random.default_rng(5).random((150, len(measures))) - 0.6
    sheets.write(
        tmp_path / "means.csv",
        ["run", "team", *measures],
        ([f"ECNU_EN_Run.{at}.dat", "ECNU", *map(float, row)] for at, row in enumerate(values)),
    )
    table = means_table(read_means(tmp_path / "means.csv"), title="Many")
    write_tex(table, out=tmp_path / "means.tex")
    said = typeset(tmp_path / "paper", all_of([tmp_path / "means.tex"]))
    pages = [page for page in said.split("\f") if page.strip()]
    assert len(pages) > 4
    # Twenty measures are two tables of ten; each page has the heads of what is on it.
    assert all(("understa." in page) or ("@31" in page) for page in pages)
    assert all(said.count(f"Run.{number}.dat") == 2 for number in range(150))
    assert "Table 1, continued" in pages[1]
    assert "(Part 2 of 2.)" in said
    assert said.count("−0.") > 500  # noqa: RUF001
    log = (tmp_path / "paper" / "paper.log").read_text(encoding="latin-1")
    assert "Overfull \\hbox" not in log


@pytest.mark.parametrize("encoding", ["", T1], ids=["OT1", "T1"])
def test_every_letter_that_is_left_as_it_is_has_a_shape(tmp_path: Path, encoding: str) -> None:
    kept = [sign for sign in (*map(chr, range(0x20, 0x180)), *LETTERS) if escape(sign) == sign]
    assert len(kept) > 200
    table = Table("c", "tab:c", ("a",), ("a",), "l", tuple((Cell(sign),) for sign in kept))
    write_tex(table, out=tmp_path / "letters.tex")
    compiled(tmp_path / "paper", all_of([tmp_path / "letters.tex"]), encoding=encoding, how=DRAFT)


def test_what_the_command_writes_compiles_too(tmp_path: Path) -> None:
    rows = [(name, -0.25, 3, None) for name in HOSTILE]
    table = output.Table(("run", "a_b", "n", "50%"), rows)
    output.Output("latex", tmp_path / "command.tex").show(table)
    said = typeset(tmp_path / "paper", all_of([tmp_path / "command.tex"]))
    assert "−0.2500" in said  # noqa: RUF001
    assert r"\input{/etc/passwd}" in said


def test_the_tables_of_a_paper_compile_too(tmp_path: Path) -> None:
    given = papers.PageTable(
        name="t_1", title="Share of 50% & more_#1", columns=["a_b", "τ"], rows=[["x&y_%", -0.5]]
    )
    write_tex(papers._printable(given), out=tmp_path / "paper.tex")
    said = typeset(tmp_path / "paper", all_of([tmp_path / "paper.tex"]))
    assert "Share of 50% & more" in said
    assert "−0.5" in said  # noqa: RUF001


def test_figures_fit_their_column(tmp_path: Path) -> None:
    """In a paper of two columns, at their own size, no figure is wider than its place."""
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": [{"run": f"a_long_name_of_run_{n}", "x": -n} for n in range(5)]},
        "mark": "point",
        "encoding": {
            "x": {"field": "x", "type": "quantitative"},
            "y": {"field": "run", "type": "nominal"},
            "color": {"field": "x", "type": "quantitative"},
        },
        "width": "container",
        "height": 200,
    }
    charts = [
        Chart(name="narrow", title="Narrow & title_1", spec=spec),
        Chart(name="wide", title="Wide", wide=True, spec=spec),
    ]
    again = tmp_path / "again"
    for out in (tmp_path / "figures", again):
        figures.write(charts, out=out)
    for path in sorted((tmp_path / "figures").iterdir()):
        assert path.read_bytes() == (again / path.name).read_bytes(), path.name
    assert figures.COLUMN / figures.SCALE < NARROW < figures.TEXT / figures.SCALE
    body = "\n\n".join(
        rf"\setbox0\hbox{{\includegraphics{{{tmp_path / 'figures' / name}}}}}"
        rf"\noindent WIDTH {name} \the\wd0 END"
        for name in ("narrow.pdf", "wide.pdf")
    )
    said = typeset(tmp_path / "paper", body)
    widths = {
        name: float(points) for name, points in re.findall(r"WIDTH (\w+).pdf ([\d.]+)pt", said)
    }
    big = 72.27 / 72  # a TeX point is smaller than one of PDF
    assert widths["narrow"] == pytest.approx(figures.COLUMN * big, abs=1)
    assert widths["wide"] == pytest.approx(figures.TEXT * big, abs=1)
    # The colours of a legend are scaled with it: its darkest and its lightest are there.
    drawn = ["pdftoppm", "-gray", "-singlefile", str(tmp_path / "figures/wide.pdf"), "wide"]
    subprocess.run(drawn, cwd=tmp_path, check=True)
    head, pixels = re.split(rb"(?<=\n255)\n", (tmp_path / "wide.pgm").read_bytes(), maxsplit=1)
    width = int(head.split()[1])
    grey = np.frombuffer(pixels, np.uint8).reshape(-1, width)[:, -width // 5 :]
    bar = max(grey.T, key=lambda column: len(set(column.tolist())))
    assert bar.min() < 110
    assert len(set(bar.tolist())) > 50
    svg = (tmp_path / "figures/narrow.svg").read_text(encoding="utf-8")
    assert re.match(r'<svg[^>]* width="2(39|40)\.\d+pt" height="[\d.]+pt" viewBox="0 0 411 ', svg)
    assert "Narrow" not in svg  # the caption says it
