"""clef2015 from an empty results folder, beside pytrec_eval reading and scoring.

pytrec_eval (trec_eval's C code in process) only reads the 68 runs and computes three measures. The
scores of a campaign are ten measures with bounds and ties, checks, pool, means and correlations;
the whole of it adds tests of all pairs, sweep, reusability, the audit, the report with its team
pages and figures. Both start Snakemake.
"""

import csv
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.timing import DATA, interleaved, rounds_of, show

ROOT = Path(__file__).resolve().parents[1]
CONFIG = "tests/real/configs/clef2015.yaml"  # reads the data in place
SCORES = ("rankings.parquet", "pool.tsv", "checks.csv", "means.csv", "correlations.csv")
QRELS = DATA / "clef2015/qrels/qrels.eng.clef2015.qtest.graded.txt"


def pytrec_eval() -> None:
    """Read and score every run, as the documentation of pytrec_eval does it."""
    import pytrec_eval as peer

    with QRELS.open() as file:
        evaluator = peer.RelevanceEvaluator(peer.parse_qrel(file), {"P_10", "map", "ndcg_cut_10"})
    for path in sorted((DATA / "clef2015/runs").glob("*.gz")):
        with gzip.open(path, "rt") as file:
            evaluator.evaluate(peer.parse_run(file))


def campaign(folder: Path, *targets: str) -> None:
    """The campaign in an empty folder beside the data, by the README's command."""
    shutil.rmtree(folder / "results", ignore_errors=True)
    shutil.rmtree(folder / ".snakemake", ignore_errors=True)
    command = [
        sys.executable, "-m", "snakemake", "--cores", "all", "--quiet", "all",
        "--snakefile", str(ROOT / "Snakefile"), "--configfile", str(ROOT / CONFIG), "--", *targets,
    ]  # fmt: skip
    subprocess.run(command, cwd=folder, check=True, env={**os.environ}, capture_output=True)


@contextmanager
def beside_data() -> Iterator[Path]:
    """An empty folder that has the data where the config looks for it, in ../shared/data."""
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=ROOT) as name:
        (Path(name) / "shared").symlink_to(DATA.parent)
        work = Path(name) / "work"
        work.mkdir()
        yield work


def main(*, quick: bool = False) -> None:
    """Print the ratio, and where the campaign's time goes."""
    if not DATA.is_dir():
        print("clef2015 end to end: needs the real data in ../shared/data; skipped")
        return
    with beside_data() as work:
        base = "pytrec_eval, 3 measures"
        scores = [f"results/clef2015/{name}" for name in SCORES]
        seconds = interleaved(
            {
                base: pytrec_eval,
                "Fathom, scores and correlations": lambda: campaign(work, *scores),
                "Fathom, whole campaign": lambda: campaign(work),
            },
            rounds=rounds_of(quick),
        )
        show("clef2015: 68 runs, 270 MB, cold", seconds, base=base)
        print("  where the campaign's jobs spend it (seconds, jobs overlap on the cores):")
        for total, count, rule in spent(work / "results/clef2015/benchmarks"):
            print(f"    {rule:<20}{count:3d} jobs {total:7.2f} s")


def spent(folder: Path) -> list[tuple[float, int, str]]:
    """Seconds and jobs of each rule, most first, from Snakemake's own benchmark files."""
    rules: dict[str, list[float]] = {}
    for path in folder.rglob("*.tsv"):
        with path.open(newline="") as file:
            row = next(csv.DictReader(file, delimiter="\t"))
        rule = path.relative_to(folder).parts[0].removesuffix(".tsv")
        rules.setdefault(rule, []).append(float(row["s"]))
    return sorted(((sum(s), len(s), rule) for rule, s in rules.items()), reverse=True)
