"""The drop-in for trec_eval beside pytrec_eval, whose code is trec_eval's, on every real run.

Every measure of all_trec that pytrec_eval has, by topic, to the printed digits. pytrec_eval is
trec_eval 9: scores are compared as 32-bit floats and recall points rounded up (`--float32`).
"""

import gzip
import io
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest
import pytrec_eval

from pipeline.api.trec_eval import main
from pipeline.api.trec_eval.names import SETS

pytestmark = pytest.mark.real

QRELS = {
    ("clef2013", 2): "qrels.clef2013ehealth.1-50-test.graded.final.20062013.txt",
    ("clef2015", 1): "qrels.eng.clef2015.qtest.graded.txt",
    ("clef2016", 1): None,
}
LACKING = {"rbp", "rbp_resid", "unj"}  # newer than pytrec_eval's trec_eval
NO_FIGURES = {"runid", "num_q", "relstring"}


def printed(qrels: Path, runs: list[Path], level: int) -> list[dict[tuple[str, str], str]]:
    out = io.StringIO()
    argv = ["-q", "-m", "all_trec", "-l", str(level), "--float32", str(qrels), *map(str, runs)]
    with redirect_stdout(out):
        assert main(argv) == 0
    found: list[dict[tuple[str, str], str]] = [{}]
    for line in out.getvalue().splitlines():
        name, topic, value = line.split("\t")
        if found[-1] and topic != "all" and ("runid", "all") in found[-1]:
            found.append({})
        found[-1][name.strip(), topic] = value
    return found


def without_repeats(path: Path, folder: Path) -> Path:
    """The run with the better placed of repeated documents, as pytrec_eval's dicts keep one."""
    best: dict[tuple[str, str], tuple[float, str]] = {}
    with gzip.open(path, "rt") as lines:
        for line in lines:
            topic, _, document, _, score, _ = line.split()
            key = (topic, document)
            if key not in best or float(score) > best[key][0]:
                best[key] = (float(score), line)
    out = folder / path.name.removesuffix(".gz")
    out.write_text("".join(line for _, line in best.values()))
    return out


@pytest.mark.slow
@pytest.mark.parametrize(("campaign", "level"), QRELS)
def test_every_measure_pytrec_eval_has(
    data: Path, tmp_path: Path, campaign: str, level: int, record_property: Callable
) -> None:
    name = QRELS[campaign, level]
    folder = data / campaign / "qrels"
    qrels = folder / name if name else next(folder.glob("*.qrels"))
    runs = [
        without_repeats(path, tmp_path) for path in sorted((data / campaign / "runs").glob("*"))
    ]
    measures = set(SETS["all_trec"]) - LACKING
    assert measures <= pytrec_eval.supported_measures
    with qrels.open() as file:
        judged = pytrec_eval.parse_qrel(file)
    evaluator = pytrec_eval.RelevanceEvaluator(judged, measures - NO_FIGURES, relevance_level=level)
    ours = printed(qrels, runs, level)
    assert len(ours) == len(runs)
    compared, wrong = 0, []
    names = set()
    for path, mine in zip(runs, ours, strict=True):
        with path.open() as file:
            theirs = evaluator.evaluate(pytrec_eval.parse_run(file))
        for topic, figures in theirs.items():
            for figure, value in figures.items():
                if figure.startswith("gm_"):  # printed over the topics only
                    continue
                due = f"{value:.0f}" if figure.startswith("num_") else f"{value:6.4f}"
                compared += 1
                names.add(figure)
                if mine[figure, topic] != due:
                    wrong.append((path.name, topic, figure, due, mine[figure, topic]))
        for figure in ("gm_map", "gm_bpref", "map", "P_10", "ndcg"):
            each = [figures[figure] for figures in theirs.values()]
            due = pytrec_eval.compute_aggregated_measure(figure, each)
            compared += 1
            if mine[figure, "all"] != f"{due:6.4f}":
                wrong.append((path.name, "all", figure, due, mine[figure, "all"]))
    print(f"\n{campaign}, level {level}: {compared:,} figures of {len(runs)} runs, {len(names)} "
          f"lines a topic, {len(wrong)} differ")  # fmt: skip
    record_property("compared", compared)
    assert wrong == []
    assert len(names) == 90
    assert compared > 70_000
