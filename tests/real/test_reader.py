"""The compiled reader on what participants really sent: as the slow one, and as trec_eval's."""

import gzip
from collections import defaultdict
from collections.abc import Callable
from itertools import groupby, islice
from pathlib import Path

import pytest
import pytrec_eval

from pipeline.runs.format import RUN_LINE
from pipeline.runs.reader import run_name
from pipeline.storage.text import read_bytes
from tests.builders import by_place, value
from tests.real.conftest import Real
from tests.runs import slow_reader
from tests.runs.test_trec import ranking

pytestmark = pytest.mark.real

QUIRKY = {
    "clef2013/runs/THCIB.*": "score32",
    "clef2015/runs/KISTI_EN_RUN.1.*": "rank",  # every rank is 0
    "clef2015/runs/ECNU_EN_Run.6.*": "score32",  # CRLF; scores contradict ranks
    "clef2015/runs/TeamHCMUS_EN_Run.1.*": "score64",  # trailing spaces, placeholder documents
    "clef2016/runs/GUIR*": "rank",
}


@pytest.mark.parametrize(("glob", "order"), QUIRKY.items(), ids=QUIRKY)
def test_as_the_slow_reader(data: Path, glob: str, order: str) -> None:
    path = min(data.glob(glob))
    content = path.read_bytes()
    slow = slow_reader.rank(slow_reader.read(content), order=order, depth=1000)
    found = ranking(read_bytes(path, what="run", line=RUN_LINE), order=order, depth=1000)
    assert found == slow
    assert found.lines > 400


def plainly_read(path: Path) -> dict[str, dict[str, float]]:
    """A run as pytrec_eval wants it; no line of these files lacks a field."""
    fields = gzip.decompress(path.read_bytes()).decode().split()
    assert len(fields) % 6 == 0
    pairs = zip(fields[2::6], map(float, fields[4::6]), strict=True)
    run: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for topic, lines in groupby(fields[::6]):
        run[topic].update(islice(pairs, sum(1 for _ in lines)))
    return run


@pytest.mark.slow
@pytest.mark.parametrize(("campaign", "runs"), [("clef2013", 42), ("clef2015", 68),
                                                ("clef2016", 16)])  # fmt: skip
def test_every_run_as_trec_eval(real: Callable[[str], Real], campaign: str, runs: int) -> None:
    data = real(campaign)
    ours = by_place(data.gains, value("AP", data.gains))
    evaluator = pytrec_eval.RelevanceEvaluator(
        data.qrels, {"map"}, relevance_level=data.relevant_from
    )
    compared = 0
    for path in data.files:
        for topic, found in evaluator.evaluate(plainly_read(path)).items():
            assert ours[run_name(path), topic] == pytest.approx(found["map"], abs=1e-9)
            compared += 1
    print(f"\n{campaign}: {compared} average precisions compared")
    assert len(data.files) == runs
    assert compared > runs * 40
