"""The researcher's door beside what people use: `evaluate` on dicts, `trec_eval` on files, imports.

Every contender does the same work on the same runs, and the whole of it: on dicts from dicts to
figures by topic, on files from the start of the process to the printed lines.
"""

import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.timing import DATA, interleaved, rounds_of, show

CAMPAIGNS = {
    "clef2013": "qrels.clef2013ehealth.1-50-test.graded.final.20062013.txt",
    "clef2015": "qrels.eng.clef2015.qtest.graded.txt",
}
OURS = ("P@10", "AP", "nDCG@10", "Bpref", "RR")
TREC = {"P_10", "map", "ndcg_cut_10", "bpref", "recip_rank"}
RANX = ["precision@10", "map", "ndcg@10", "bpref", "mrr"]
SAMPLE = 8  # runs of the comparison with ranx

Lists = dict[str, dict[str, float]]

PYTREC_EVAL = """
import sys, pytrec_eval
measures, qrels, *runs = sys.argv[1:]
with open(qrels) as file:
    evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), set(measures.split()))
for path in runs:
    with open(path) as file:
        for topic, figures in evaluator.evaluate(pytrec_eval.parse_run(file)).items():
            for name, value in figures.items():
                print(f"{name:<22}\\t{topic}\\t{value:6.4f}")
"""
FATHOM = "from pipeline.command.entry import entry; entry()"  # all that the script `fathom` says


def lists(path: Path) -> Lists:
    """A run as pytrec_eval's users hold it; the first of repeated documents stays."""
    found: Lists = {}
    for line in path.read_text().splitlines():
        topic, _, document, _, score, _ = line.split()
        found.setdefault(topic, {}).setdefault(document, float(score))
    return found


def judged(path: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in path.read_text().splitlines():
        topic, _, document, label = line.split()
        found.setdefault(topic, {})[document] = int(label)
    return found


def unpacked(campaign: str, folder: Path) -> list[Path]:
    """The runs as plain files without repeated documents, which trec_eval refuses."""
    files = []
    folder.mkdir()
    for packed in sorted((DATA / campaign / "runs").glob("*.gz")):
        seen: set[tuple[str, str]] = set()
        lines = []
        for line in gzip.decompress(packed.read_bytes()).decode().splitlines():
            topic, _, document, *_ = line.split()
            if (topic, document) not in seen:
                seen.add((topic, document))
                lines.append(line)
        files.append(folder / packed.name.removesuffix(".gz"))
        files[-1].write_text("\n".join(lines) + "\n")
    return files


def warm(contenders: Mapping[str, Callable[[], object]]) -> None:
    """Once each, untimed: files are in memory then, and modules compiled."""
    for call in contenders.values():
        call()


def on_dicts(campaign: str, qrels: Path, files: list[Path], *, quick: bool) -> None:
    """In memory: from dicts to the figures of each topic."""
    import pytrec_eval

    from pipeline import evaluate

    labels, runs = judged(qrels), {path.name: lists(path) for path in files}

    def theirs() -> None:
        evaluator = pytrec_eval.RelevanceEvaluator(labels, TREC)
        for run in runs.values():
            evaluator.evaluate(run)

    def ours() -> None:
        evaluate(labels, runs, OURS).to_dict()

    def one_by_one() -> None:
        for name, run in runs.items():
            evaluate(labels, {name: run}, OURS).to_dict()

    contenders: dict[str, Callable[[], object]] = {
        "Fathom, all runs at once": ours,
        "Fathom, run by run": one_by_one,
        "pytrec_eval, run by run": theirs,
    }
    title = f"{campaign}: {len(runs)} runs in dicts, {len(OURS)} measures by topic"
    show(title, interleaved(contenders, rounds=rounds_of(quick)), base="Fathom, all runs at once")
    try:
        from ranx import Qrels, Run
        from ranx import evaluate as ranx_evaluate
    except ImportError:
        print("  ranx is not installed; `make bench` installs it")
        return
    few = dict(list(runs.items())[:SAMPLE])

    def ranx() -> None:
        known = Qrels(labels)
        for run in few.values():
            ranx_evaluate(known, Run(run), RANX, return_mean=False, make_comparable=True)

    contenders = {
        "Fathom": lambda: evaluate(labels, few, OURS).to_dict(),
        "ranx, warm": ranx,
    }
    ranx()  # what it compiles is not timed
    title = f"{campaign}: {len(few)} runs in dicts, {len(OURS)} measures by topic"
    show(title, interleaved(contenders, rounds=rounds_of(quick)), base="Fathom")


def on_files(campaign: str, qrels: Path, files: list[Path], *, quick: bool) -> None:
    """From the start of the process to the lines printed, `-q -m all_trec`."""
    from pipeline.api.trec_eval.names import SETS

    lacking = {"rbp", "rbp_resid", "unj", "relstring", "runid", "num_q"}  # of pytrec_eval
    measures = " ".join(name for name in SETS["all_trec"] if name not in lacking)
    asked = [option for name in measures.split() for option in ("-m", name)]
    names = [str(path) for path in files]
    installed = compiled(files[0].parent.with_name("bytecode"))

    def process(*command: str) -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=installed)

    contenders: dict[str, Callable[[], object]] = {
        "fathom trec_eval, all runs": lambda: process(
            sys.executable, "-c", FATHOM, "trec_eval", "-q", *asked, str(qrels), *names
        ),
        "pytrec_eval, all runs in one process": lambda: process(
            sys.executable, "-c", PYTREC_EVAL, measures, str(qrels), *names
        ),
    }
    program = os.environ.get("TREC_EVAL")
    if program:

        def trec_eval() -> None:
            for name in names:
                process(program, "-q", *asked, str(qrels), name)

        contenders["trec_eval, a process a run"] = trec_eval
    warm(contenders)
    title = f"{campaign}: {len(files)} run files, every measure of all_trec, started and printed"
    show(title, interleaved(contenders, rounds=rounds_of(quick)), base="fathom trec_eval, all runs")


def compiled(folder: Path) -> dict[str, str]:
    """The environment of a process that finds modules compiled, as pip leaves installed ones.

    Both sides are warmed up with it; a checkout may be set not to write compiled modules.
    """
    kept = {key: one for key, one in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder)}


def imports(folder: Path, *, quick: bool) -> None:
    """What it costs to begin: a fresh process each."""
    installed = compiled(folder)

    def fresh(code: str, *more: str) -> Callable[[], object]:
        command = [sys.executable, "-c", code, *more]
        return lambda: subprocess.run(command, check=True, env=installed, stdout=subprocess.DEVNULL)

    small = "{'1': {'a': 1}}"
    contenders = {
        "numpy": fresh("import numpy"),
        "from pipeline import evaluate": fresh("from pipeline import evaluate; evaluate"),
        "the same, and one call": fresh(
            f"from pipeline import evaluate; evaluate({small}, {small}, ['AP']).values()"
        ),
        "fathom --help": fresh(FATHOM, "--help"),
        "ir_measures": fresh("import ir_measures"),
    }
    warm(contenders)
    seconds = interleaved(contenders, rounds=3 if quick else 11)
    show("imports, a fresh process each", seconds, base="numpy")


def main(*, quick: bool = False) -> None:
    """Print the ratios."""
    with tempfile.TemporaryDirectory(prefix="fathom-bench-") as name:
        imports(Path(name) / "bytecode", quick=quick)
        if not DATA.is_dir():
            print("the door: needs the real data in ../shared/data; skipped")
            return
        for campaign, file in CAMPAIGNS.items():
            files = unpacked(campaign, Path(name) / campaign)
            qrels = DATA / campaign / "qrels" / file
            on_dicts(campaign, qrels, files, quick=quick)
            on_files(campaign, qrels, files, quick=quick)


if __name__ == "__main__":
    main()
