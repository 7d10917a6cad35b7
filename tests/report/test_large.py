"""A campaign larger than any so far still makes a report that opens: 200 runs on 300 topics."""

import csv
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.report import step as report
from pipeline.report.results import Files, Results
from pipeline.statistics.correlation.step import correlate
from tests.report.test_browser import NEEDED, chromium  # noqa: F401

RUNS, TOPICS, MEASURES = 200, 300, ["RBP(p=0.8)", "uRBP(p=0.8)", "AP"]


def make(folder: Path) -> Files:
    draw = np.random.default_rng(1)
    runs = [f"team{number // 8}_{number}" for number in range(RUNS)]
    topics = [f"topic{number}" for number in range(TOPICS)]
    first, second = np.triu_indices(RUNS, 1)
    means = []
    for number, name in enumerate(MEASURES):
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
        pq.write_table(table, folder / f"{number}.parquet")
        better = scores.mean(axis=1)
        with (folder / f"{number}.pairs.csv").open("w", newline="") as sink:
            writer = csv.writer(sink)
            tests = ["p_t", "p_permutation_holm", "p_tukey"]
            writer.writerow(["run_a", "run_b", "difference", "lower", "effect", *tests])
            for i, j in zip(first, second, strict=True):
                gap = better[i] - better[j]
                writer.writerow([runs[i], runs[j], gap, gap - 0.01, gap, 0.5, 0.5, 0.5])
        with (folder / f"{number}.runs.csv").open("w", newline="") as sink:
            writer = csv.writer(sink)
            writer.writerow(["run", "letters", "t_lower", "t_upper"])
            writer.writerows(
                [run, "abcd", m - 0.1, m + 0.1] for run, m in zip(runs, better, strict=True)
            )
    with (folder / "means.csv").open("w", newline="") as sink:
        writer = csv.writer(sink)
        writer.writerow(["run", "team", *MEASURES])
        rows = zip(runs, *means, strict=True)
        writer.writerows([row[0], row[0].split("_")[0], *row[1:]] for row in rows)
    (folder / "checks.csv").write_text("run,team\n" + "".join(f"{run},t\n" for run in runs))
    correlate(folder / "means.csv", out=folder / "correlations.csv", statistics=["tau_b"])
    document = draw.integers(0, 500, RUNS * TOPICS * 10)
    tops = {
        "run": pa.array(np.repeat(runs, TOPICS * 10)).dictionary_encode(),
        "topic": pa.array(np.tile(np.repeat(topics, 10), RUNS)).dictionary_encode(),
        "rank": pa.array(np.tile(np.arange(1, 11), RUNS * TOPICS), pa.int32()),
        "document": pa.array([f"clueweb12-{n:012d}" for n in document]).dictionary_encode(),
    }
    pq.write_table(pa.table(tops), folder / "tops.parquet")
    return Files(
        **{name: folder / f"{name}.csv" for name in ("means", "correlations", "checks")},
        scores=[folder / f"{n}.parquet" for n in range(len(MEASURES))],
        pairs={m: folder / f"{n}.pairs.csv" for n, m in enumerate(MEASURES)},
        standings={m: folder / f"{n}.runs.csv" for n, m in enumerate(MEASURES)},
        top_documents=folder / "tops.parquet",
    )


@pytest.mark.browser
@NEEDED
def test_200_runs_on_300_topics(tmp_path: Path, chromium: object) -> None:  # noqa: F811
    contrast = ("RBP(p=0.8)", "uRBP(p=0.8)")
    results = Results(campaign="large", title="Large", contrast=contrast, files=make(tmp_path))
    began = time.perf_counter()
    out = tmp_path / "report" / "index.html"
    report.write(results, out=out)
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
    context.close()
    assert wrong == []
    assert out.stat().st_size < 15e6
