"""The measure engine beside its peers: per-topic P@10, AP, nDCG@10, bpref, RBP of real campaigns.

All contenders read the same unpacked run files; whatever a peer lacks it is spared. Those that take
a minute or more are timed on a sample of runs, and compared by the run.
"""

import contextlib
import gzip
import io
import os
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.timing import DATA, interleaved, rounds_of, show
from pipeline.config.scale import Scale
from pipeline.gains.build import build
from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.labels import judgements
from pipeline.labels.qrels import read_qrels
from pipeline.labels.tables import judgements_in, tabulate, topics_in
from pipeline.measures import parse
from pipeline.runs import rankings
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies
from pipeline.storage import arrow
from tests.builders import read_files, write_gains

MEASURES = ("P@10", "AP", "nDCG@10", "Bpref", "RBP(p=0.8)")
TREC = {"P_10", "map", "ndcg_cut_10", "bpref"}  # trec_eval has no RBP
CAMPAIGNS = {
    "clef2013": (
        "qrels.clef2013ehealth.1-50-test.{}.final.20062013.txt",
        Scale(0, 3, "high", 2, None, ()),
    ),
    "clef2015": ("qrels.eng.clef2015.qtest.{}.txt", Scale(0, 2, "high", 1, None, ())),
}
SAMPLE = 4
FIRST = RunPolicies(duplicates="first")


class Campaign:
    """One campaign's files, unpacked, and what each contender does with them."""

    def __init__(self, name: str, folder: Path) -> None:
        pattern, self.scale = CAMPAIGNS[name]
        self.graded = DATA / name / "qrels" / pattern.format("graded")
        self.binary = DATA / name / "qrels" / pattern.format("bin")
        self.files = []
        folder.mkdir()
        for packed in sorted((DATA / name / "runs").glob("*.gz")):
            plain = folder / packed.name.removesuffix(".gz")
            plain.write_bytes(gzip.decompress(packed.read_bytes()))
            self.files.append(plain)
        self.stored = folder.with_suffix(".parquet")
        rank(self.files, policies=FIRST, out=self.stored, facts=folder.with_suffix(".json"))
        labels = folder.with_suffix(".labels.parquet")
        table = tabulate([self.graded], scale=self.scale)
        arrow.write(labels, table)
        self.kept = folder.with_suffix(".npz")
        write_gains(self.stored, labels=labels, topics=topics_in(table), out=self.kept)

    def cold(self) -> None:
        """As `pipeline.evaluate` reads them: only judged documents are looked up."""
        judged = judgements.from_qrels([read_qrels(self.graded)], scale=self.scale)
        runs = {path.name: path for path in self.files}
        score(build(runs, {"topicality": judged}, FIRST))

    def warm(self) -> None:
        """As a job of a campaign has them: labels met with rankings, kept once for all measures."""
        score(read_gains({"topicality": self.kept}))

    def ingested(self) -> None:
        labels = tabulate([self.graded], scale=self.scale)
        topics = topics_in(labels)
        ranked = rankings.read(self.stored, topics=topics)
        score(build(ranked, {"topicality": judgements_in(labels)}, topics=topics))

    def pytrec_eval(self) -> None:
        import pytrec_eval as peer

        with self.graded.open() as file:
            evaluator = peer.RelevanceEvaluator(
                peer.parse_qrel(file), TREC, relevance_level=int(self.scale.threshold)
            )
        for path in self.files:
            with path.open() as file:
                evaluator.evaluate(peer.parse_run(file))

    def trectools(self, files: list[Path]) -> None:
        from trectools import TrecEval, TrecQrel, TrecRun

        qrels = TrecQrel(str(self.binary))
        for path in files:
            peer = TrecEval(TrecRun(str(path)), qrels)
            for figure in (peer.get_precision, peer.get_map, peer.get_ndcg, peer.get_bpref):
                figure(per_query=True)
            peer.get_rbp(per_query=True)

    def ranx(self, files: list[Path]) -> None:
        from ranx import Qrels, Run, evaluate

        qrels = Qrels.from_file(str(self.binary), kind="trec")
        wanted = ["precision@10", "map", "ndcg@10", "bpref", "rbp.80"]
        for path in files:
            run = Run.from_file(str(path), kind="trec")
            evaluate(qrels, run, wanted, return_mean=False, make_comparable=True)

    def cwl_eval(self, files: list[Path]) -> None:
        from cwl.cwl_eval import main

        for path in files:
            with contextlib.redirect_stdout(io.StringIO()):
                main(str(path), str(self.binary))


def score(gains: Gains) -> None:
    """Every measure, per run and topic."""
    for name in MEASURES:
        parse(name, dimensions=["topicality"]).value(gains)


def program(command: list[str], files: list[Path]) -> None:
    for path in files:
        subprocess.run([*command, str(path)], check=True, capture_output=True)


def main(*, quick: bool = False) -> None:
    """Print the ratios, the peers' by the run, and the cost of one more of each thing."""
    if not DATA.is_dir():
        print("measure engine: needs the real data in ../shared/data; skipped")
        return
    with tempfile.TemporaryDirectory(prefix="fathom-bench-") as name, contextlib.chdir(name):
        for campaign in CAMPAIGNS:
            one = Campaign(campaign, Path(name) / campaign)
            contenders: dict[str, Callable[[], object]] = {
                "pytrec_eval": one.pytrec_eval,
                "Fathom, from run files": one.cold,
                "Fathom, from ingested rankings": one.ingested,
                "Fathom, from gains": one.warm,
            }
            if os.environ.get("TREC_EVAL"):
                command = [os.environ["TREC_EVAL"], "-q", "-c", "-M1000", str(one.binary)]
                contenders["trec_eval"] = lambda c=command, o=one: program(c, o.files)
            show(
                f"{campaign}: {len(one.files)} runs to {', '.join(MEASURES)} per topic",
                interleaved(contenders, rounds=rounds_of(quick)),
                base="Fathom, from run files",
            )
            peers(one)
        growth(Campaign("clef2013", Path(name) / "growth"))
    print(f"\npeak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def peers(one: Campaign) -> None:
    """The slow ones, by the run, beside Fathom on the same sample."""
    files = one.files[:: max(1, len(one.files) // SAMPLE)][:SAMPLE]
    few = object.__new__(Campaign)
    few.__dict__.update(one.__dict__, files=files)
    contenders: dict[str, Callable[[], object]] = {
        "trectools": lambda: one.trectools(files),
        "ranx": lambda: one.ranx(files),
        "cwl_eval": lambda: one.cwl_eval(files[:1]),
    }
    if os.environ.get("UBIRE_JAR"):
        jar = ["java", "-jar", os.environ["UBIRE_JAR"], "--qrels-file", str(one.binary)]
        contenders["ubire"] = lambda: program([*jar, "--ranking-file"], files)
    start = time.perf_counter()
    one.cold()
    ours = (time.perf_counter() - start) / len(one.files)
    for name, call in contenders.items():
        try:
            call()  # imports and just-in-time compilation are not timed
        except ImportError:
            print(f"  {name:<44}not installed; `make bench` installs it")
            continue
        start = time.perf_counter()
        call()
        runs = 1 if name == "cwl_eval" else len(files)
        each = (time.perf_counter() - start) / runs
        print(f"  {name + ', by the run':<44}{each:9.3f} s{'':16}{each / ours:9.0f} x Fathom")


def growth(one: Campaign) -> None:
    """What one more measure, run or dimension costs."""
    labels = tabulate([one.graded], scale=one.scale)

    def seconds(call: Callable[[], object]) -> float:
        times = []
        for _ in range(3):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    print("\ncost of one more (clef2013)")
    half = one.files[: len(one.files) // 2]
    for title, files in (("half of the runs", half), ("all runs", one.files)):
        spent = seconds(lambda f=files: read_files(f, labels={"a": labels}, duplicates="first"))
        print(f"  {title:<24}{len(files):3d} runs {1000 * spent / len(files):8.2f} ms a run")
    for count in (1, 2, 4):
        several = {f"d{n}": labels for n in range(count)}
        spent = seconds(lambda s=several: read_files(one.files, labels=s, duplicates="first"))
        print(f"  {count} dimensions{'':12}{1000 * spent:8.0f} ms")
    gains = read_files(one.files, labels={"topicality": labels}, duplicates="first")
    for count in (1, 10, 20):
        names = [f"RBP(p={p:.3f})" for p in np.linspace(0.5, 0.95, count)]

        def every(names: list[str] = names) -> None:
            for name in names:
                parse(name, dimensions=["topicality"]).value(gains)

        print(f"  {count:2d} measures{'':13}{1000 * seconds(every) / count:8.2f} ms a measure")
