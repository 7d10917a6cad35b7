"""Sweeps and reusability of judgements by subtopic: as labelling anew."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.config.dimensions import Sweep
from pipeline.config.scale import Scale
from pipeline.gains.gains import Gains
from pipeline.judging.leaving_out import Owners, Submissions, group_ideals
from pipeline.judging.rescoring import with_worth
from pipeline.judging.sweep import sweep_rows
from pipeline.labels.tables import tabulate
from pipeline.measures import parse
from tests.builders import read_files

SCALE = Scale(0, 3, "high", 1, None, ())
MEASURES = ("alpha-nDCG@5", "MAP-IA", "ERR-IA@5", "strec@3", "D-nDCG@5", "D#-nDCG@5", "Evenness@5")


def made(folder: Path, scale: Scale, *, without: str = "") -> Gains:
    random = np.random.default_rng(5)
    lines = [
        f"{topic} {subtopic} d{n:02} {random.integers(0, 4)}\n"
        for topic in (1, 2, 3)
        for n in range(14)
        for subtopic in (1, 2, 3)
        if random.random() < 0.5
    ]
    kept = [line for line in lines if f" {without} " not in line or not line.startswith("2 ")]
    (folder / "q").write_text("".join(kept if without else lines))
    for run in ("a", "b"):
        order = random.permutation(16)[:9]
        (folder / run).write_text("".join(
            f"{topic} Q0 d{n:02} {rank} {-rank} t\n"
            for topic in (1, 2, 3) for rank, n in enumerate(np.roll(order, topic), 1)
        ))  # fmt: skip
    table = tabulate([folder / "q"], scale=scale, subtopics=True)
    return read_files([folder / "a", folder / "b"], labels={"topicality": table})


@pytest.mark.parametrize("text", MEASURES)
def test_a_threshold_is_as_labelling_anew(tmp_path: Path, text: str) -> None:
    higher = replace(SCALE, threshold=3)
    measure = parse(text, dimensions=["topicality"])
    anew = measure.value(made(tmp_path, higher))
    swept = with_worth(made(tmp_path, SCALE), "topicality", column=0, worth=higher.binary)
    assert measure.value(swept).tolist() == pytest.approx(anew.tolist(), abs=1e-12)
    if "nDCG@5" not in text or "alpha" in text:  # the others read graded gains
        assert anew.tolist() != measure.value(made(tmp_path, SCALE)).tolist()


def test_every_threshold_is_swept(tmp_path: Path) -> None:
    rows = sweep_rows(
        made(tmp_path, SCALE),
        "topicality",
        plan=Sweep(scale=SCALE, thresholds=None, gains=None),
        measures=[parse(text, dimensions=["topicality"]) for text in MEASURES],
    )
    found = {row["setting"] for row in rows if row["measure"] == "IA(AP)"}
    assert found == {">= 1", ">= 2", ">= 3"}


@pytest.mark.parametrize("text", MEASURES)
def test_a_judgement_left_out_is_as_labels_without_it(tmp_path: Path, text: str) -> None:
    """Document d03 of topic 2 is unjudged, in the rankings and in what ideals are made of."""
    gains = made(tmp_path, SCALE)
    measure = parse(text, dimensions=["topicality"])
    dimension = gains.dimensions["topicality"]
    gone = (dimension.judged_document == "d03") & (dimension.judged_topic == 1)
    assert gone.sum() == 1
    ranked = np.full(dimension.codes.shape, -1, np.int16)
    for row, run in ((1, "a"), (4, "b")):  # topic 2 of each run
        lines = [line.split() for line in (tmp_path / run).read_text().splitlines()]
        names = [line[2] for line in lines if line[0] == "2"]
        if "d03" in names:
            ranked[row, names.index("d03")] = 0
    owners = Owners(ranked, {"topicality": np.where(gone, 0, -1).astype(np.int16)})
    like = group_ideals(gains, owners, 1, relevant=False, by_document=True)
    assert like.tolist() == [[-1, 0, -1]]
    rows, none = np.array([1, 4]), np.array([0, 0])
    found = Submissions(gains, owners).score([measure], rows, none, none, bounds=False)
    anew = measure.value(made(tmp_path, SCALE, without="d03")).reshape(2, 3)[:, 1]
    assert found[0].tolist() == pytest.approx(anew.tolist(), abs=1e-12)
