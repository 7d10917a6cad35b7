"""A campaign larger than any so far still makes a report that opens and computes.

200 runs on 300 topics, under 20 measures, with 25 judged documents or so in each list.
"""

import csv
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.gains.dimension import Dimension
from pipeline.gains.gains import Gains
from pipeline.measures.measure import slug
from pipeline.report.judged import judged_documents
from pipeline.report.report import Report
from pipeline.report.section import contents
from pipeline.report.step import write_page
from pipeline.results import Results
from pipeline.runs import rankings
from pipeline.statistics.correlation.step import correlate
from tests.report.test_browser import NEEDED, chromium  # noqa: F401

RUNS, TOPICS, DEPTH = 200, 300, 60
MEASURES = [
    *("RBP(p=0.8)", "uRBP(p=0.8)", "AP", "RR", "nDCG", "R@50", "RBP(p=0.5)", "RBP(p=0.95)"),
    *(f"{name}@{cut}" for name in ("P", "nDCG") for cut in (1, 3, 5, 10, 20, 50)),
]


def judged(report: Report) -> dict[str, Any]:
    """What the page carries of the rankings."""
    draw = np.random.default_rng(2)
    rows = RUNS * TOPICS
    ranked = report.rankings
    dimensions = {
        name: Dimension(
            codes=np.where(draw.random((rows, DEPTH)) < 0.4, 2, 1).astype(np.uint8),
            worth=np.array([[0, 0, 0], [np.nan] * 3, [1, 1, 1]]),
            scale=np.array([0.0, 1, 1]),
            judged_topic=np.arange(TOPICS),
            judged_document=np.array(["d"] * TOPICS),
            judged_level=np.full(TOPICS, 2),
        )
        for name in ("topicality", "understandability")
    }
    topic, length = np.tile(np.arange(TOPICS), RUNS), np.full(rows, DEPTH)
    gains = Gains(tuple(ranked.runs), tuple(ranked.topics), topic, length, dimensions)
    return judged_documents(gains, ranked, measures=MEASURES, alpha=0.05)


def make(folder: Path) -> Report:
    results = Results(folder)
    for name in ("scores", "significance/runs"):
        (folder / name).mkdir(parents=True)
    draw = np.random.default_rng(1)
    runs = [f"team{number // 8}_{number}" for number in range(RUNS)]
    topics = [f"topic{number}" for number in range(TOPICS)]
    first, second = np.triu_indices(RUNS, 1)
    means = []
    for name in MEASURES:
        scores = draw.beta(2, 3, (RUNS, TOPICS))
        means.append(scores.mean(axis=1))
        flat = scores.ravel()
        table = pa.table(
            {
                "run": np.repeat(runs, TOPICS),
                "topic": np.tile(topics, RUNS),
                "measure": [name] * flat.size,
                **{"value": flat, "lower": flat, "upper": flat},
            }
        )
        pq.write_table(table, results.scores(slug(name)))
        better = scores.mean(axis=1)
        with results.significance(slug(name)).open("w", newline="") as sink:
            writer = csv.writer(sink)
            tests = ["p_t", "p_permutation_holm", "p_tukey"]
            writer.writerow(["run_a", "run_b", "difference", "lower", "effect", *tests])
            for i, j in zip(first, second, strict=True):
                gap = better[i] - better[j]
                writer.writerow([runs[i], runs[j], gap, gap - 0.01, gap, 0.5, 0.5, 0.5])
        with results.standings(slug(name)).open("w", newline="") as sink:
            writer = csv.writer(sink)
            writer.writerow(["run", "letters", "t_lower", "t_upper"])
            writer.writerows(
                [run, "abcd", m - 0.1, m + 0.1] for run, m in zip(runs, better, strict=True)
            )
    with results.means.open("w", newline="") as sink:
        writer = csv.writer(sink)
        writer.writerow(["run", "team", *MEASURES])
        rows = zip(runs, *means, strict=True)
        writer.writerows([row[0], row[0].split("_")[0], *row[1:]] for row in rows)
    results.checks.write_text("run,team\n" + "".join(f"{run},t\n" for run in runs))
    correlate(results.means, out=results.correlations, statistics=["tau_b"])
    places = np.argsort(draw.random((RUNS * TOPICS, 200)), axis=1)[:, :DEPTH].ravel()
    ids = pa.array([f"clueweb12-{n:012d}" for n in range(200)])
    coded = pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), ids)
    columns = [
        pa.array(np.repeat(sorted(runs), TOPICS * DEPTH)).dictionary_encode(),
        pa.array(np.tile(np.repeat(topics, DEPTH), RUNS)).dictionary_encode(),
        pa.array(np.tile(np.arange(1, DEPTH + 1), RUNS * TOPICS), pa.int32()),
        coded,
        pa.array(np.zeros(len(places))),
    ]
    table = pa.table(columns, names=rankings.SCHEMA.names).cast(rankings.SCHEMA)
    rankings.write(table, results.rankings)
    contrast = ("RBP(p=0.8)", "uRBP(p=0.8)")
    report = Report(results=results, title="Large", contrast=contrast)
    report.__dict__["judged"] = judged(report)  # as if from gains
    return report


@pytest.mark.slow
@pytest.mark.browser
@NEEDED
def test_200_runs_on_300_topics(tmp_path: Path, chromium: object) -> None:  # noqa: F811
    report = make(tmp_path)
    began = time.perf_counter()
    out = report.results.page
    write_page(report, contents(report))
    took = time.perf_counter() - began
    context = chromium.new_context(offline=True)  # type: ignore[attr-defined]
    tab = context.new_page()
    wrong: list[str] = []
    tab.on("console", lambda said: wrong.append(said.text))
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    began = time.perf_counter()
    tab.goto(out.as_uri())
    opened = time.perf_counter() - began
    print(f"{out.stat().st_size / 1e6:.1f} MB, made in {took:.1f} s, open in {opened:.1f} s")
    tab.goto(f"{out.as_uri()}#explore?view=compare&a=team0_3&b=team24_199")
    assert tab.locator("#seen tbody tr").count() == TOPICS
    tab.locator("[data-view=topic]").click()
    assert tab.locator("#seen tbody tr").count() == RUNS
    assert tab.locator("#seen td.doc").count() == RUNS * 10
    for name in ("heat", "intervals", "bump"):
        tab.locator(f'[data-chart="{name}"]').scroll_into_view_if_needed()
        tab.wait_for_selector(f'[data-chart="{name}"][data-drawn]')
    tab.locator("#what-if").scroll_into_view_if_needed()
    tab.wait_for_function("() => document.querySelector('#what-verdict').textContent")
    moved = tab.evaluate(
        """async () => {
          const began = performance.now();
          const slider = document.getElementById("what-p");
          slider.value = 0.6;
          slider.dispatchEvent(new Event("input"));
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          return performance.now() - began;
        }"""
    )
    assert "RBP(p=0.6)" in str(tab.locator("#what-verdict").text_content())
    tab.locator("#why-run").select_option("team3_27")
    assert tab.locator("#why-list tbody tr").count() > 10
    print(f"a slider is moved in {moved:.0f} ms")
    context.close()
    assert wrong == []
    assert out.stat().st_size < 40e6
