"""A made campaign, finished: planned facts in files as the workflow leaves them."""

import csv
import os
import shutil
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from bs4 import BeautifulSoup, Tag

from pipeline.measures.measure import slug
from pipeline.measures.score_table import read as read_scores
from pipeline.report import sections
from pipeline.report.markup import environment
from pipeline.report.report import Definition, Provenance, Report
from pipeline.report.section import SECTIONS, contents
from pipeline.report.step import body, render
from pipeline.results import Results
from pipeline.statistics.correlation.step import correlate
from pipeline.statistics.significance.step import compare, summarise
from tests.report import lists

SHOWN_IN = Path(sections.__file__).parent
HOSTILE = "</script><script>alert(1)</script><!--\u2028'\"&"
RBP, URBP = "RBP(p=0.8)", "uRBP(p=0.8)"
H = "H(RBP(p=0.8), topicality=1, understandability=1)"
MEASURES = [RBP, URBP, "uRBPgr(p=0.8)", H, "P@10", "AP", "RR", "nDCG@10"]

# run: (team, RBP, uRBP). coral_bm25 leads by RBP and is 5th by uRBP, where delta_plain leads.
PLAN = {
    "coral_bm25": ("coral", 0.60, 0.30),
    "coral_expand": ("coral", 0.57, 0.26),
    "coral_fuse": ("coral", 0.55, 0.28),
    "abyss_lm": ("abyss", 0.53, 0.33),
    "abyss_rm3": ("abyss", 0.52, 0.34),
    "abyss_dense": ("abyss", 0.50, 0.25),
    "abyss_rerank": ("abyss", 0.48, 0.31),
    "delta_plain": ("delta", 0.47, 0.40),
    "delta_filter": ("delta", 0.45, 0.24),
    "delta_mix": ("delta", 0.42, 0.23),
    HOSTILE: ("tide", 0.40, 0.22),
    "tide_two": ("tide", 0.35, 0.20),
    "tide_three": ("tide", 0.30, 0.15),
    "tide_random": ("tide", 0.10, 0.05),
}
TOPICS = [f"demo.{i}" for i in range(1, 25)]
CHECKS = [
    *("run", "team", "file", "lines", "topics", "missing_topics", "unknown_topics", "duplicates"),
    *("bad_scores", "tied_share", "top10_differs", "judged@10 topicality"),
    *("judged@10 understandability", "identical_to", "repairs"),
]


@dataclass(frozen=True)
class Campaign:
    """A made campaign and its report."""

    report: Report

    @property
    def results(self) -> Results:
        return self.report.results

    @property
    def folder(self) -> Path:
        return self.report.results.folder

    def page(self, **changes: Any) -> str:
        """The page, of a report that differs so."""
        report = replace(self.report, **changes)
        return render(report, contents(report))

    def without(self, *names: str) -> frozenset[Path]:
        """The `files` of a report that has none of these (the first part of their paths)."""
        every = (path for path in self.folder.rglob("*") if path.is_file())
        return frozenset(p for p in every if p.relative_to(self.folder).parts[0] not in names)

    def linked(self, folder: Path) -> "Campaign":
        """The same campaign in a folder of its own, where files can be replaced (not edited)."""
        shutil.copytree(self.folder, folder, copy_function=os.link, dirs_exist_ok=True)
        return Campaign(replace(self.report, results=Results(folder)))


def means_of(run: str) -> dict[str, float]:
    _, rbp, urbp = PLAN[run]
    others = (0.9 * urbp + 0.02, 2 * rbp * urbp / (rbp + urbp), rbp + 0.05, rbp**2, 0.9 - urbp)
    return dict(zip(MEASURES, (rbp, urbp, *others, 0.5 * rbp + 0.5 * urbp), strict=True))


def bounds(measure: str) -> pa.Table:
    """Open by .02 and .01 more a run for the unjudged, and by .1 more past the end."""
    runs = sorted(PLAN)
    means = [means_of(run)[measure] for run in runs]
    ends = {
        "lower": [mean - 0.01 for mean in means],
        "upper": [mean + 0.11 + r / 100 for r, mean in enumerate(means)],
        "unjudged_lower": [mean - 0.01 for mean in means],
        "unjudged_upper": [mean + 0.01 + r / 100 for r, mean in enumerate(means)],
    }
    return pa.table({"run": runs, "measure": [measure] * len(runs), **ends})


def make(folder: Path) -> Campaign:
    results = Results(folder)
    for name in ("scores", "overall", "significance/runs", "gains", "labels"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    with results.means.open("w", newline="", encoding="utf-8") as sink:
        writer = csv.writer(sink)
        writer.writerow(["run", "team", *MEASURES])
        for run in sorted(PLAN):
            writer.writerow([run, PLAN[run][0], *means_of(run).values()])
    for number, measure in enumerate(MEASURES):
        rows = []
        for r, run in enumerate(sorted(PLAN)):
            for t, topic in enumerate(TOPICS):
                # Another wave for each run, over which the means stay as planned.
                value = means_of(run)[measure] + ((7 * r + 5 * t) % 24 - 11.5) / 400
                rows.append((run, topic, measure, value, value - 0.01, value + 0.01 + r / 100))
        columns = [list(column) for column in zip(*rows, strict=True)]
        names = ["run", "topic", "measure", "value", "lower", "upper"]
        arrays = [pa.array(column) for column in columns]
        if number % 2:  # a table may hold its names as dictionaries
            arrays[:3] = [array.dictionary_encode() for array in arrays[:3]]
        name = slug(measure)
        pq.write_table(pa.table(arrays, names=names), results.scores(name))
        pq.write_table(bounds(measure), results.overall(name))
        compare(
            read_scores(results.scores(name)),
            pairs=results.significance(name),
            runs=results.standings(name),
            summary=folder / f"{number}.summary.csv",
            alpha=0.05,
            permutations=500,
            samples=100,
            seed=1,
        )
    summaries = [folder / f"{number}.summary.csv" for number in range(len(MEASURES))]
    summarise(summaries, out=results.discrimination)
    correlate(
        results.means,
        out=results.correlations,
        statistics=["tau_b", "tau_ap"],
        scores=[results.scores(slug(name)) for name in MEASURES],
        swaps=results.swaps,
        samples=100,
    )
    lists.write(folder, runs=sorted(PLAN), topics=TOPICS, shown=shown)
    texts = {topic: f"how to treat ailment {topic}" for topic in TOPICS}
    texts["demo.3"] = "<img src=x onerror=alert(1)>"
    lines = (f"{topic}\t1\t{text}\n" for topic, text in texts.items())
    results.topics.write_text("topic\tcounts\ttext\n" + "".join(lines), encoding="utf-8")
    with results.checks.open("w", newline="", encoding="utf-8") as sink:
        writer = csv.DictWriter(sink, CHECKS, restval=0)
        writer.writeheader()
        for run in sorted(PLAN):
            row = {"run": run, "team": PLAN[run][0], "file": f"runs/{run}.txt", "lines": 24000}
            row |= {"topics": 24, "tied_share": 0.0125, "identical_to": "", "repairs": ""}
            row |= {"judged@10 topicality": 0.975, "judged@10 understandability": 0.9625}
            if run == "tide_random":
                row |= {"missing_topics": 3, "tied_share": 0.4, "judged@10 topicality": 0.31}
            if run in ("tide_two", "tide_three"):
                row |= {"identical_to": "tide_two tide_three"}
            if run == "delta_mix":
                row |= {"duplicates": 12, "repairs": "12 duplicates removed"}
            writer.writerow(row)
    return made(folder)


def made(folder: Path) -> Campaign:
    """The campaign whose files `make` has left in this folder."""
    return Campaign(
        Report(
            results=Results(folder),
            title="The demo campaign",
            contrast=(RBP, URBP),
            provenance=PROVENANCE,
            relevant="topicality",
        )
    )


def shown(run: int, topic: int) -> list[str]:
    """The ten documents a run shows first: each run begins one document later."""
    return [f"doc{topic}.{(run + rank) % 30}" for rank in range(10)]


PROVENANCE = Provenance(
    policies={"order": "score", "unjudged": "zero", "depth": 1000, "bad_scores": "error"},
    dimensions={
        "topicality": {"scale": [0, 2], "better": "high", "threshold": 1},
        "understandability": {"scale": [0, 3], "gains": {0: 0, 1: 0.4, 2: 0.8, 3: 1}},
        "effort": {"scale": [0, 100], "better": "low", "threshold": 50},
    },
    inputs=[
        {"path": f"data/runs/{name}.gz", "sha256": sha256(name.encode()).hexdigest()}
        | {"bytes": 1_234_567}
        for name in ("a", "b")
    ],
    versions={"fathom": "0.1.0", "numpy": "2.4.6"},
    command="snakemake --cores all --configfile config/demo.yaml",
    measures={
        RBP: Definition(
            formula="(1 − p) Σ p^(k−1) g_k",  # noqa: RUF001
            citation="Moffat & Zobel, TOIS 27(1), 2008",
        ),
        URBP: Definition(
            formula="(1 − p) Σ p^(k−1) g_k u_k",  # noqa: RUF001
            citation="Zuccon, ECIR 2016",
        ),
    },
)


def section(report: Report, name: str) -> BeautifulSoup:
    """One section of the page; empty where it is absent."""
    one = SECTIONS[name]
    content = one(report)
    html = body(report, one, content, environment(SHOWN_IN)) if content else ""
    return BeautifulSoup(html, "html.parser")


def words(tag: Tag | None) -> str:
    """What an element says, on one line."""
    assert tag is not None
    return " ".join(tag.get_text().split())


def small(folder: Path, **changes: Any) -> Report:
    """A campaign of three runs without topics: the least that can be reported."""
    results = Results(folder)
    results.means.write_text("run,team,AP,RR\na,t,0.3,0.1\nb<i>,t,0.2,0.2\nccc,t,0.1,0.3\n")
    results.checks.write_text("run,lines\na,10\n")
    given = Report(results=results, title="Small", contrast=("AP", "RR"))
    return replace(given, **changes)
