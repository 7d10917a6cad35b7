"""The campaign's own rankings, under its own order: as reading the run files again gives them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.audit.policies import CampaignData, LabelSource
from pipeline.labels.tables import tabulate
from tests.audit.test_audit import POLICIES
from tests.builders import BINARY, ranked_files, read_files

CLOSE = 1 + 1e-12  # differs from 1 in 64 bits, not in 32
FILES = {
    "close": f"1 Q0 a 1 1 t\n1 Q0 b 2 {CLOSE!r} t\n1 Q0 c 3 {CLOSE!r} t\n1 Q0 d 4 5 t\n"
    "2 Q0 a 1 1 t\n",
    "pair": f"1 Q0 a 1 {CLOSE!r} t\n1 Q0 b 2 1 t\n2 Q0 a 1 1 t\n",
    "plain": "2 Q0 x 1 -1 t\n2 Q0 y 2 -2 t\n2 Q0 z 3 -2 t\n3 Q0 z 1 1 t\n",
    "zeros": "1 Q0 a 1 0 t\n1 Q0 b 2 -0.0 t\n1 Q0 c 3 1e-60 t\n",
}


def made(folder: Path, runs: list[str], order: str) -> CampaignData:
    """The campaign has all the runs, as if it had made some itself; `runs` are the submitted."""
    small = ranked_files(folder, FILES, order=order)
    qrels = folder / "q"
    qrels.write_text("1 0 a 1\n1 0 b 0\n1 0 c 1\n2 0 a 0\n2 0 x 0\n2 0 z 1\n")
    labels = {"topicality": LabelSource(tabulate([qrels], scale=BINARY), (qrels,), BINARY)}
    files = [folder / "runs" / run for run in runs]
    own = read_files(files, labels={n: one.table for n, one in labels.items()}, order=order)
    policies = POLICIES | {"order": order}
    return CampaignData(files, labels, ["1", "2"], policies, own, rankings=small.rankings)


@pytest.mark.parametrize("order", ["score", "score64", "rank"])
@pytest.mark.parametrize("runs", [sorted(FILES), ["close", "zeros"]])
def test_as_the_files_say(tmp_path: Path, order: str, runs: list[str]) -> None:
    bench = made(tmp_path, runs, order)
    for name in ("condensed", "score", "score64", "rank"):
        found, again = bench.gains(name), replace(bench, rankings=None, cache={}).gains(name)
        assert found.runs == again.runs == tuple(runs)
        assert found.length.tolist() == again.length.tolist()
        codes = (one.dimensions["topicality"].codes for one in (found, again))
        assert np.array_equal(*codes)


def test_the_two_orders_differ(tmp_path: Path) -> None:
    bench = made(tmp_path, ["pair"], "score")
    found = {order: bench.gains(order) for order in ("score", "score64")}
    first, second = (one.dimensions["topicality"].codes[0, :2].tolist() for one in found.values())
    assert first == second[::-1] != second
