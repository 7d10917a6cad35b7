"""The demo's users: the measure that models them agrees with them best, whatever the seed."""

from pathlib import Path

import pytest

from pipeline.config.scale import Scale
from pipeline.labels.tables import tabulate
from pipeline.measures import parse
from pipeline.people.agreement import ByTopic, compare, verdicts
from pipeline.people.reading import KnownNames, pairs_of, read_preferences, read_ratings
from pipeline.sources.demo.plan import planned_pages
from pipeline.sources.demo.systems import SYSTEMS, label_files, people_files, rankings, run_file
from tests.builders import read_files

MODEL = "uRBPgr(p=0.8)"
MEASURES = (
    MODEL, "uRBP(p=0.8)", "H(RBP(p=0.8), topicality=1, understandability=1)", "RBP(p=0.8)",
    "RBP(p=0.8, on=understandability)", "P@10", "AP", "RR", "nDCG@10",
)  # fmt: skip
SCALES = {
    "topicality": Scale(0, 2, "high", 1, None, ()),
    "understandability": Scale(0, 3, "high", 2, {0: 0, 1: 0.4, 2: 0.8, 3: 1}, ()),
}


def asked(folder: Path, *, seed: int) -> dict[str, ByTopic]:
    """What the measures gain from each kind of answer, by the real steps."""
    pages = planned_pages(seed=seed)
    ranked = [rankings(system, pages=pages, seed=seed) for system in SYSTEMS]
    files = dict(run_file(system, ranking) for system, ranking in zip(SYSTEMS, ranked, strict=True))
    runs = [folder / name for name in files]
    files |= label_files(ranked, seed=seed) | people_files(ranked, seed=seed)
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    labels = {
        dimension: tabulate([folder / f"labels/{dimension}.qrels"], scale=scale)
        for dimension, scale in SCALES.items()
    }
    gains = read_files(runs, labels=labels)
    values = [
        parse(name, dimensions=list(SCALES)).value(gains).reshape(len(gains.runs), -1)
        for name in MEASURES
    ]
    known = KnownNames(topics=gains.topics, runs=gains.runs)
    preferred = read_preferences([folder / "people/preferences.txt"], known=known)
    rated = pairs_of(read_ratings([folder / "people/satisfaction.txt"], known=known))
    return {
        "preferences": verdicts(values, preferred).by_topic,
        "satisfaction": verdicts(values, rated).by_topic,
    }


MORE = [pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3, 42)]


@pytest.mark.parametrize("seed", [2016, *MORE])
def test_the_measure_that_models_the_users_wins(tmp_path: Path, seed: int) -> None:
    for kind, found in asked(tmp_path, seed=seed).items():
        figure = dict(zip(MEASURES, found.figure.tolist(), strict=True))
        others = {name: value for name, value in figure.items() if name != MODEL}
        assert figure[MODEL] > max(others.values()), (kind, figure)
        assert figure[MODEL] > 0.85
        # What does not ask whether people understand is told apart from it.
        pairs, tested = compare(found, samples=10_000, confidence=0.95, seed=1)
        p = {MEASURES[b]: tested["p_holm"][at] for at, b in enumerate(pairs.second[:8].tolist())}
        assert all(pairs.first[:8] == 0)
        for name in ("RBP(p=0.8)", "P@10", "AP", "RR", "nDCG@10"):
            assert p[name] < 0.05, (kind, name)
