"""What the page carries of the judged documents: packed, it is still what the engine saw."""

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.contributions import contributions
from pipeline.report import judged
from pipeline.report.judged import judged_documents, setting, threshold
from pipeline.results import Results
from pipeline.runs import rankings
from tests.report import lists
from tests.report.lists import SCALES

RUNS, TOPICS = ["a", "b", "empty"], ["t1", "t2", "t3"]
MEASURES = ["RBP(p=0.8)", "AP", "nDCG@10", "RR", "H(RBP(p=0.8), topicality=1, effort=1)", "RBP@2"]


def shown(run: int, topic: int) -> list[str]:
    size = (30, 7, 3 * topic)[run]
    return [f"doc{topic}.{(5 * run + 3 * rank) % 31}" for rank in range(size)]


def unpacked(data: dict[str, Any]) -> list[list[tuple[int, str]]]:
    """For each run and topic the ranks (from 0) and documents."""
    packed = iter(base64.b64decode(data["lists"]))

    def number() -> int:
        value, shift = 0, 0
        for byte in packed:
            value += (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        return value

    found = []
    for row in range(len(data["runs"]) * len(data["topics"])):
        rank, mine = -1, []
        for _ in range(number()):
            rank += number() + 1
            mine.append((rank, data["documents"][row % len(data["topics"])][number()]))
        found.append(mine)
    assert next(packed, None) is None
    return found


def written(folder: Path, unjudged: str = "zero") -> tuple[dict[str, Any], Gains]:
    results = Results(folder)
    for part in ("gains", "labels"):
        (folder / part).mkdir(exist_ok=True)
    lists.write(folder, runs=RUNS, topics=TOPICS, shown=shown)
    gains = results.read_gains(list(SCALES), unjudged=unjudged)
    first = results.read_gains(["topicality"]).dimensions["topicality"]
    found = judged_documents(
        gains,
        rankings.read(results.rankings, topics=TOPICS[::-1]),  # in whichever order
        measures=MEASURES,
        condensed=first if unjudged == "condensed" else None,
        alpha=0.05,
    )
    return found, gains


@pytest.mark.parametrize("unjudged", ["zero", "condensed"])
def test_the_lists_are_those_of_the_engine(tmp_path: Path, unjudged: str) -> None:
    data, gains = written(tmp_path, unjudged)
    assert data["depth"] == data["longest"] == gains.length.max()
    for row, mine in enumerate(unpacked(data)):
        topic = row % len(TOPICS)
        documents = shown(row // len(TOPICS), topic)
        known = [d for d in documents if int(d.split(".")[1]) < 20]  # judged in topicality
        listed = known if unjudged == "condensed" else documents
        assert mine == [(listed.index(document), document) for document in known]
        for name, (dimension, level) in zip(
            SCALES, zip(data["dimensions"], data["levels"], strict=True), strict=True
        ):
            start = sum(len(names) for names in data["documents"][:topic])
            for rank, document in mine:
                at = start + data["documents"][topic].index(document)
                code = base64.b64decode(level)[at]
                assert code == gains.dimensions[name].codes[row, rank]
                if code > 1:
                    number = int(document.split(".")[1])
                    assert dimension["label"][code - 2] == SCALES[name][1](number)


def test_weights_and_parts_are_the_contributions_of_the_engine(tmp_path: Path) -> None:
    data, gains = written(tmp_path)
    rows = unpacked(data)
    for name in ("RBP(p=0.8)", "AP", "nDCG@10", "RR", "RBP(p=0.8)@2"):
        told = data["measures"][parse(name, dimensions=list(SCALES)).name]
        gained = data["gains"][told["gain"]]
        place = base64.b64decode(gained["of"])
        parts = iter(base64.b64decode(told["parts"])) if "parts" in told else None
        for row, mine in enumerate(rows):
            if not mine:
                continue
            topic = row % len(TOPICS)
            engine = contributions(parse(name, dimensions=list(SCALES)), gains, row)
            assert engine is not None
            start = sum(len(names) for names in data["documents"][:topic])
            total = 0.0
            for rank, document in mine:
                at = start + data["documents"][topic].index(document)
                gain = gained["values"][place[at]]
                if rank < len(engine.gain):
                    assert gain == engine.gain[rank]
                if parts is None:
                    each = len(told["factor"]) == len(TOPICS)
                    factor = told["factor"][topic if each else row]
                    weight = told["weights"][rank] if rank < len(told["weights"]) else 0
                    total += factor * weight * gain
                elif gain > 0 and rank < told["to"]:
                    value, shift = 0, 0
                    for byte in parts:
                        value += (byte & 127) << shift
                        shift += 7
                        if byte < 128:
                            break
                    total += value / data["unit"]
            assert total == pytest.approx(engine.value, abs=1e-6 if parts else 1e-12)
    assert data["measures"]["H(RBP(p=0.8), topicality=1, effort=1)"] is None  # no sum


def test_what_is_too_much_for_a_page_is_cut_and_then_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, _ = written(tmp_path)
    monkeypatch.setattr(judged, "DEPTHS", (9, 5))
    monkeypatch.setattr(judged, "ROOM", 80)
    cut, gains = written(tmp_path)
    assert cut["depth"] == 5
    for all_, some in zip(unpacked(whole), unpacked(cut), strict=True):
        assert some == [(rank, document) for rank, document in all_ if rank < 5]
    monkeypatch.setattr(judged, "MOST", 10)
    none, _ = written(tmp_path)
    assert (none["lists"], none["depth"], none["longest"]) == (None, 0, gains.length.max())


def test_where_the_sliders_start() -> None:
    names = ["topicality", "understandability"]

    def start(*measures: str) -> tuple[Any, ...]:
        found = setting([parse(one, dimensions=names) for one in measures], dimensions=names)
        return found["measure"], found["p"], tuple(found["weights"].values())

    assert start("AP", "CAM(RBP(p=0.7), topicality=1, understandability=2)") == ("CAM", 0.7, (1, 2))
    assert start("H(nDCG@10, topicality=1, understandability=2)", "RBP(p=0.6)") == (
        "H",
        0.6,
        (1, 1),
    )
    assert start("AP") == ("H", 0.8, (1, 1))


def test_a_threshold_is_found_only_where_the_reading_is_one() -> None:
    label = np.array([0.0, 1, 2, 3])
    assert threshold(label, np.array([0.0, 0, 1, 1]), better=1) == 2
    assert threshold(label, np.array([1.0, 1, 0, 0]), better=-1) == 1
    assert threshold(label, np.array([0.0, 1, 0, 1]), better=1) is None
    assert threshold(label, np.zeros(4), better=1) is None
