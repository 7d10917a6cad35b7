"""What users add is one new file: the config knows its name, the step computes it, docs show it.

Each case is a module put into a copy of the library, and a script that uses it from the config on.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

START = """
from pathlib import Path
from pipeline.campaign import campaigns
from tables import key_entries

def campaign(**more):
    labelled = {"labels": "t.qrels", "scale": [0, 1], "threshold": 1}
    config = {"runs": {"files": "runs/*"}, "dimensions": {"t": labelled}, "measures": ["P@1"]}
    return campaigns({"campaigns": {"c": {**config, **more}}})["c"]
"""

INDEX = '''
"""Syllables a word."""

from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import index


@index(
    "word_length", title="Word length", easy="low", formula="syllables / words",
    citation="an example",
)
def word_length(counts: Counts) -> float:
    return counts.syllables / counts.words
'''

USE_INDEX = """
import pyarrow.parquet as pq
from pipeline.pages.step import Task, cleanse
from pipeline.pages.user_models.simulate import simulate
labelled = {"labels": "t.qrels", "scale": [0, 1], "threshold": 1}
made = {"estimate": {"index": "word_length", "threshold": 1.5}}
one = campaign(dimensions={"t": labelled, "s": made}, pages={"files": "pages/*"})
pages = [("easy", b"<p>A cat sat.</p>"), ("hard", b"<p>Hypertension.</p>")]
for engine in ("textstat", "fathom"):
    cleanse(pages, out=Path("r.parquet"), task=Task(engine=engine))
    table = pq.read_table("r.parquet")
    print(table.column_names[-4:], table["word_length"].to_pylist())
settings = one.dimensions["s"].estimate
simulate(Path("r.parquet"), out=Path("l.parquet"), index=settings.index, model=settings.model,
         threshold=settings.threshold)
print(pq.read_table("l.parquet")["gain"].to_pylist())
from pipeline.report.sections.reading import distribution
import numpy as np
print("Histogram of Word length" in str(distribution(np.array([1.0, 2.0]), "word_length", [])))
print("- `word_length`: Word length" in key_entries("dimensions"))
"""

USER_MODEL = '''
"""A user who understands nothing, or half of what is easy."""

from pipeline.pages.user_models.model import user_model


@user_model("half", title="half", formula="1/2 or 0", citation="an example")
def half(index: float, threshold: float) -> float:
    return 0.5 if index <= threshold else 0.0
'''

USE_USER_MODEL = """
import pyarrow as pa, pyarrow.parquet as pq
from pipeline.pages.user_models.simulate import simulate
labelled = {"labels": "t.qrels", "scale": [0, 1], "threshold": 1}
made = {"estimate": {"model": "half", "threshold": [10, 20]}}
one = campaign(dimensions={"t": labelled, "s": made}, pages={"files": "pages/*"})
pq.write_table(pa.table({"document": ["a", "b"], "fog": [12.0, 30.0]}), "r.parquet")
for name in one.estimated:
    given = one.dimensions[name].estimate
    simulate(Path("r.parquet"), out=Path("l.parquet"), index=given.index, model=given.model,
             threshold=given.threshold)
    print(name, pq.read_table("l.parquet")["gain"].to_pylist())
from pipeline.pages.user_models.model import MODELS
print(list(MODELS), "- `half`: " in key_entries("dimensions"))
"""

STATISTIC = '''
"""Whether two measures have the same winner."""

import numpy as np

from pipeline.statistics.correlation.statistic import SystemRankings, statistic
from pipeline.storage.arrays import Floats


@statistic(title="Same winner", citation="an example")
def same_winner(rankings: SystemRankings) -> Floats:
    """1 where both put the same run first, else 0."""
    best = np.argmax(rankings.scores, axis=-1)
    return (best[..., :, None] == best[..., None, :]).astype(np.float64)
'''

USE_STATISTIC = """
from pipeline.statistics.correlation.step import correlate
one = campaign(correlations={"statistics": ["tau_b", "same_winner"], "samples": 0})
Path("means.csv").write_text("run,team,A,B,C\\na,,0.3,0.9,0.1\\nb,,0.2,0.1,0.8\\n")
correlate(Path("means.csv"), out=Path("correlations.csv"), **one.correlations.model_dump())
print(Path("correlations.csv").read_text())
print("1 where both put the same run first, else 0" in key_entries("correlations"))
"""

RUN_FORMAT = '''
"""Three columns with a header: topic, document, score; the best first."""

from pathlib import Path

from pipeline.runs.format import run_format
from pipeline.storage.text import read_bytes


@run_format("triples", title="`topic,document,score` below a header")
def triples(path: Path) -> bytes:
    text = read_bytes(path, what="run", line="topic,document,score").decode()
    rows = [line.split(",") for line in text.splitlines()[1:]]
    lines = [f"{topic} Q0 {document} 1 {score} run" for topic, document, score in rows]
    return "\\n".join(["", *lines]).encode()
'''

USE_RUN_FORMAT = """
import pyarrow.parquet as pq
from pipeline.errors import InputError
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies
one = campaign(runs={"files": "runs/*", "format": "triples"})
policies = {"order": "score", "depth": 9, "duplicates": "error", "bad_scores": "error"}
def read(text):
    Path("run").write_text("topic,document,score\\n" + text)
    read_as = RunPolicies(form=one.runs.format, **policies)
    rank([Path("run")], policies=read_as, out=Path("r.parquet"), facts=Path("f.json"))
    table = pq.read_table("r.parquet").to_pydict()
    print(list(zip(table["topic"], table["document"], table["rank"], table["score"])))
read("1,a,0.5\\n1,b,2\\n2,a,1\\n")
for bad in ("1,a,1\\n1,b,much\\n", "1,a,1\\n1,a,2\\n", "1,a b,1\\n"):
    try:
        read(bad)
    except InputError as error:
        print(error)
print("- `trec`: " in key_entries("runs"), "- `triples`: " in key_entries("runs"))
"""

SOURCE_KIND = '''
"""A folder with one file that says hello."""

from pathlib import Path

from pydantic import Field

from pipeline.config.base import Flag, Mistakes, Section, Text
from pipeline.sources.kind import SourceKind, Settings
from pipeline.sources.places import Places
from pipeline.storage.atomic import atomic_folder


class Greet(Section):
    greet: Text = Field(description="Whom to greet.")
    loud: Flag = Field(False, description="Whether to shout.")

    def problems(self) -> Mistakes:
        if self.loud and self.greet.isupper():
            yield ("loud",), "is twice", "write the name as usual"


class Greeting(SourceKind):
    """Who is greeted."""

    def make(self, folder: Path, settings: Settings, places: Places) -> None:
        end = "!" if settings["loud"] else "."
        with atomic_folder(folder) as draft:
            (draft / "hello").write_text(f"hello {settings['greet']}{end}")


greeting = Greeting(name="greet", title="a greeting", model=Greet)
'''

USE_SOURCE_KIND = """
from pipeline.campaign.paths import resolve
from pipeline.errors import InputError
from pipeline.sources.kind import KINDS, make
one = campaign(sources={"x": {"greet": "you", "loud": True}}, runs={"files": "@x/hello"},
               dimensions={"t": {"labels": "@x/t", "scale": [0, 1], "threshold": 1}})
resolve(one)
source = one.sources["x"]
make(Path("made"), kind=source.kind, settings=source.settings)
print(Path("made/hello").read_text(), {"x": KINDS[source.kind].described(source.settings)})
for bad in ({"greet": "YOU", "loud": True}, {"greet": "you", "seed": 3}, {}):
    try:
        campaign(sources={"x": bad})
    except InputError as error:
        print(*(one.where for one in error.problems))
print("`sources.<source>.greet`" in key_entries("sources"))
"""

DIMENSION_KIND = '''
"""A dimension of ready-made probabilities."""

from pipeline.campaign.dimension_kind import Kind
from pipeline.config.base import Patterns
from pipeline.config.dimensions import DimensionKeys


class Chances(DimensionKeys):
    chances: Patterns
    """A file of documents and chances."""

    def paths(self):
        yield ("chances",), self.chances


probable = Kind(name="chances", title="a probable", tables="chances", model=Chances)
'''

USE_DIMENSION_KIND = """
from pipeline.campaign.paths import resolve
from pipeline.errors import InputError
labelled = {"labels": "@x/t", "scale": [0, 1], "threshold": 1}
def given(**more):
    return campaign(sources={"x": {"generate": "demo"}}, runs={"files": "@x/runs/*"},
                    dimensions={"t": labelled, "p": more}, measures=["uRBP(by=p)"])
one = given(chances="@x/chances")
made = one.dimensions["p"]
print(one.labelled, resolve(one).of("labels", "p")[0].sources, made.table, made.described())
for bad in ({"chances": "@y/c"}, {"chances": "c", "scale": [0, 1]}, {"chances": "c", **labelled}, {}):
    try:
        given(**bad)
    except InputError as error:
        print(*(one.where for one in error.problems))
"""  # noqa: E501

CASES = {
    "pages/readability/indices/word_length.py": (
        INDEX,
        USE_INDEX,
        [
            # its column comes after those there are; textstat does not know it
            "['ari', 'dale_chall', 'word_length', 'reason'] [nan, nan]",
            "['ari', 'dale_chall', 'word_length', 'reason'] [1.0, 4.0]",
            "[1.0, 0.0]",
            "True",
            "True",
        ],
    ),
    "pages/user_models/models/half.py": (
        USER_MODEL,
        USE_USER_MODEL,
        [
            "s_10 [0.0, 0.0]",
            "s_20 [0.5, 0.0]",
            "['step', 'arctan', 'arctan_ubire', 'half'] True",
        ],
    ),
    "statistics/correlation/statistics/same_winner.py": (
        STATISTIC,
        USE_STATISTIC,
        [
            "measure_a,measure_b,n,tau_b,same_winner,swaps",
            "A,B,2,1.000000,1.000000,0",
            "A,C,2,-1.000000,0.000000,1",
            "B,A,2,1.000000,1.000000,0",
            "B,C,2,-1.000000,0.000000,1",
            "C,A,2,-1.000000,0.000000,1",
            "C,B,2,-1.000000,0.000000,1",
            "",
            "True",
        ],
    ),
    "runs/formats/triples.py": (
        RUN_FORMAT,
        USE_RUN_FORMAT,
        [
            "[('1', 'b', 1, 2.0), ('1', 'a', 2, 0.5), ('2', 'a', 1, 1.0)]",
            "run, line 3: the score 'much' is not a number; correct it",
            "run, line 3: document 'a' occurs twice in topic '1' (such lines: 1); remove it, or "
            "set policies.duplicates to 'first'",
            "run, line 2: 7 fields where a run line has 6 ('topic Q0 document rank score tag'); "
            "correct the line",
            "True True",
        ],
    ),
    "sources/kinds/greet.py": (
        SOURCE_KIND,
        USE_SOURCE_KIND,
        [
            "hello you! {'x': {'greet': 'you', 'loud': True}}",
            "campaigns.c.sources.x.loud",
            "campaigns.c.sources.x.seed",
            "campaigns.c.sources.x",
            "True",
        ],
    ),
    "campaign/dimension_kinds/chances.py": (
        DIMENSION_KIND,
        USE_DIMENSION_KIND,
        [
            "('t',) ('x',) chances/p.parquet {'chances': ('@x/chances',)}",
            "campaigns.c.dimensions.p.chances",
            "campaigns.c.dimensions.p.scale",
            "campaigns.c.dimensions.p",
            "campaigns.c.dimensions.p",
        ],
    ),
}


@pytest.mark.parametrize("place", CASES)
def test_one_new_file_is_all_it_takes(tmp_path: Path, place: str) -> None:
    module, use, expected = CASES[place]
    library = tmp_path / "pipeline"
    shutil.copytree(ROOT / "pipeline", library, ignore=shutil.ignore_patterns("__pycache__"))
    assert not (library / place).exists()
    (library / place).write_text(module.lstrip())
    path = os.pathsep.join(map(str, (tmp_path, ROOT / "docs/hooks")))
    done = subprocess.run(
        [sys.executable, "-c", START + use],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == expected, done.stderr[-2000:]
