"""The real data in the layout of the public repositories, as a mirror: nothing needs a network.

In `../shared/data` runs are gzipped, folders flattened, and the official figures gathered in one
table; here runs are unpacked, and the figures are written back as the files of the tools.
"""

import gzip
import shutil
from collections import defaultdict
from pathlib import Path

OWNER = Path("github.com/CLEFeHealth")
ENDINGS = {"trec_eval": "", "trec_eval-graded": ".ndcg", "ubire": ".urbp"}


def mirror(data: Path, folder: Path) -> Path:
    """Make the mirror of the three campaigns at hand."""
    one = folder / OWNER / "CLEFeHealth2013Task3"
    runs(data / "clef2013", one / "runs")
    copied(data / "clef2013/qrels", one / "qrels")
    copied(data / "clef2013/topics", one / "queries")
    figures(data / "clef2013", one / "evaluation")
    one = folder / OWNER / "CLEFeHealth2015Task2"
    runs(data / "clef2015", one / "runs/english-runs")
    copied(data / "clef2015/qrels", one / "qrels")
    copied(data / "clef2015/topics", one / "queries/EN")
    figures(data / "clef2015", one / "evaluation/evals_html")
    one = folder / OWNER / "CLEFeHealth2016Task3"
    runs(data / "clef2016", one / "runs_t2")
    copied(data / "clef2016/qrels", one / "qrels")
    copied(data / "clef2016/topics", one / "eng_queries")
    return folder


def diversity(data: Path, folder: Path) -> Path:
    """Make the mirror of the diversity task: DSSA's repository, and GDESA's."""
    here = data / "trec2009-diversity"
    runs(here, folder / "all")
    dssa = folder / "github.com/jzbjyb/DSSA/data"
    gdesa = folder / "github.com/qratosone/GDESA/baselines"
    for made in (dssa / "baseline_run", gdesa):
        made.mkdir(parents=True)
    copied(here / "qrels", dssa / "wt_judge")
    for path in (folder / "all").iterdir():
        lemur = path.name == "lemur-wt2009.txt"
        path.rename(dssa / "baseline_run/wt2009.txt" if lemur else gdesa / path.name)
    return folder


def runs(campaign: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    for path in (campaign / "runs").glob("*.gz"):
        with gzip.open(path) as packed, (folder / path.stem).open("wb") as plain:
            shutil.copyfileobj(packed, plain)


def copied(source: Path, folder: Path) -> None:
    shutil.copytree(source, folder)


def figures(campaign: Path, folder: Path) -> None:
    """The official figures as trec_eval and ubire printed them, a folder for each team."""
    lines: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    with gzip.open(campaign / "official.tsv.gz", "rt") as table:
        next(table)
        for row in table:
            run, tool, measure, topic, value = row.rstrip("\n").split("\t")
            if tool != "ubire":
                text = f"{measure:<22}\t{topic}\t{value}"
            elif topic == "all":
                text = f"{measure}\tall      \t{value}"
            else:
                text = f"{measure}\t{topic}\t{run}\t{value}"
            lines[run, tool].append(text)
    for (run, tool), texts in lines.items():
        path = folder / run.split(".")[0] / "evals" / f"{run}{ENDINGS[tool]}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(texts) + "\n")
