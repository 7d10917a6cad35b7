"""Shipped campaigns whose data is not at hand, on hand-made files in the forms of the real ones."""

import csv
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from tests.workflow.snake import Project

pytestmark = pytest.mark.workflow

DOCUMENTS = ("a", "b", "c")


def run(topics: tuple[str, ...]) -> str:
    return "".join(
        f"{topic} Q0 {document} {rank} {9 - rank} tag\n"
        for topic in topics
        for rank, document in enumerate(DOCUMENTS, start=1)
    )


def labels(topics: tuple[str, ...], *values: int) -> str:
    """Labels of a, b and c, the same for all topics."""
    named = dict(zip(DOCUMENTS, values, strict=False))
    return "".join(
        f"{t} 0 {document} {label}\n" for t in topics for document, label in named.items()
    )


T14, T18, T21 = ("qtest2014.1", "qtest2014.2"), ("151001", "152001"), ("1", "2")
FINAL = "assessments/Final assessment/CLEF2018_{}_20180914.txt"
FILES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "clef2014": ("CLEFeHealth2014Task3", {
        "runs/X_EN_Run.1.dat": run(T14),
        "runs/Y_EN_Run.5.dat": run(T14[:1]),
        "qrels/qrels.clef2014.test.graded.txt": labels(T14, 1, 2, 3),
        # a, which is not relevant, has another id here: bpref sees nothing bad above b and c
        "qrels/qrels.clef2014.test.bin.txt": labels(T14, 0, 1, 1).replace(" a ", " 0a "),
        "queries/queries.clef2014ehealth.1-50.test.en.xml": "<topics>" + "".join(
            f"<topic>\n<id>{t}</id>\n<discharge_summary>x</discharge_summary>\n<title>MRSA & {t}"
            "</title>\n<desc>d</desc>\n</topic>\n" for t in T14) + "</topics>",
        "evaluation/evals_html/X_EN_Run/evals/X_EN_Run.1.dat":
            "P_5                   \tqtest2014.1\t0.4000\nP_5                   \tall\t0.4000\n"
            "bpref                 \tqtest2014.1\t1.0000\nnum_rel               \tall\t4\n",
        "evaluation/evals_html/X_EN_Run/evals/X_EN_Run.1.dat.ndcg":
            "ndcg_cut_5            \tall\t0.7900\n",
        # two of the four relevant documents: those of the topic that Y misses are not counted
        "evaluation/evals_html/Y_EN_Run/evals/Y_EN_Run.5.dat":
            "runid                 \tall\tY\nnum_q                 \tall\t2\n"
            "num_rel               \tall\t2\nbpref                 \tall\t0.5000\n",
    }),
    "clef2018": ("CLEFeHealth2018IRtask", {
        "runs/CUNI/IRTask1/CUNI_en.run1": run(T18),
        "runs/IMS/IRTask1/baseline.exp": run(T18) + "151001 Q0 a 4 1 tag\n",  # a second time
        "runs/CUNI/IRTask4/CUNI_fr.run1": "not of this task",
        "runs/CUNI/info.txt": "not a run",
        FINAL.format("qrel"): labels(T18, 0, 1, 2),
        FINAL.format("qread"): labels(T18, 10, 5, 0),
        FINAL.format("qtrust"): labels(T18, 10, 4, 7),
        "clef2018_queries_task1_task4.txt": "<queries>\n" + "".join(
            f"\t<query>\n\t\t<id> {t} </id>\n\t\t<en> flu {t} </en>\n"
            "\t\t<fr> grippe </fr>\n\t</query>\n"
            for t in T18) + "</queries>\n",
    }),
    "chs2021": ("CHS-2021", {
        "runs/baselines/terrier_BM25.res": run(T21),
        "runs/baselines/terrier_TF_IDF.res": run(T21),
        "assessments/qrels.txt": labels(T21, 0, 1, 2),
        "assessments/qreadability.txt": labels(T21, 2, 1, 0),
        "assessments/qcredibility.txt": labels(T21, 3, 2, 0),
        "topics/topics.txt": "<topics>\n" + "".join(
            f"<topic>\n<id>{t}</id>\n<query>ms {t}</query>\n<narrative>n</narrative>\n</topic>\n"
            for t in T21) + "</topics>\n",
    }),
}  # fmt: skip
PRECISION = {  # two documents of three are relevant; Y misses one topic of two
    "clef2014": {"X_EN_Run.1.dat": 0.4, "Y_EN_Run.5.dat": 0.2},
    "clef2018": {"CUNI_en.run1": 0.2, "baseline.exp": 0.2},
    "chs2021": {"terrier_BM25.res": 0.2, "terrier_TF_IDF.res": 0.2},
}
TEAMS = {
    "clef2014": {"X_EN_Run.1.dat": "X", "Y_EN_Run.5.dat": "Y"},
    "clef2018": {"CUNI_en.run1": "CUNI", "baseline.exp": "IMS"},  # the folder, whatever the name
    "chs2021": {"terrier_BM25.res": "", "terrier_TF_IDF.res": ""},
}
TEXT = {"clef2014": "MRSA & qtest2014.1", "clef2018": "flu 151001", "chs2021": "ms 1"}


@pytest.mark.parametrize("name", FILES)
def test_declared_forms(tmp_path: Path, name: str) -> None:
    repository, files = FILES[name]
    for path, text in files.items():
        place = tmp_path / "mirror/github.com/CLEFeHealth" / repository / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    project = Project.copy(tmp_path / "project")
    config = f"config/campaigns/{name}.yaml"
    results = project.folder / "results" / name
    wanted = ["means.csv", "topics.tsv", *(["audit.csv"] if name == "clef2014" else [])]
    targets = [f"results/{name}/{file}" for file in wanted]
    env = {"FATHOM_MIRROR": str(tmp_path / "mirror"), "FATHOM_CACHE": str(tmp_path / "cache")}
    done = project.snakemake("--configfile", config, "--", *targets, env=env)
    assert done.returncode == 0, done.stderr[-3000:]
    assert TEXT[name] in (results / "topics.tsv").read_text()
    with (results / "means.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    measure = "P@5" if name == "clef2014" else "P@10"
    found = {row["run"]: float(row[measure]) for row in rows}
    assert found == pytest.approx(PRECISION[name])
    teams = {row["run"]: row["team"] for row in rows}
    assert teams == TEAMS[name]
    if name == "clef2014":
        with (results / "audit.csv").open(newline="") as file:
            audited = list(csv.DictReader(file))
        told = {
            (r["run"][0], r["measure"], r["topic"]): (r["published"], r["reason"]) for r in audited
        }
        assert told == {
            ("X", "P@5", "qtest2014.1"): ("0.4000", ""),
            ("X", "P@5", "all"): ("0.4000", ""),
            ("X", "Bpref", "qtest2014.1"): ("1.0000", "binary"),
            ("X", "NumRel", "all"): ("4", ""),
            ("X", "nDCG@5", "all"): ("0.7900", ""),
            ("Y", "number of topics", "all"): ("2", ""),
            ("Y", "NumRel", "all"): ("2", "missed"),
            ("Y", "Bpref", "all"): ("0.5000", "binary"),
        }


def test_all_plan_their_downloads_without_a_network(tmp_path: Path) -> None:
    project = Project.copy(tmp_path)
    configs = sorted(path for path in (tmp_path / "config/campaigns").glob("c*.yaml"))
    names = [n for path in configs for n in yaml.safe_load(path.read_text())["campaigns"]]
    assert len(names) == 9  # six years, and 2016 under two readings of two subtasks
    env = {"https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}
    done = project.snakemake("--dry-run", "--configfile", *map(str, configs), env=env)
    assert done.returncode == 0, done.stderr[-3000:]
    jobs = re.findall(r"^    output: results/([^/]+)/sources/clef,", done.stdout, re.MULTILINE)
    assert sorted(jobs) == sorted(names)
