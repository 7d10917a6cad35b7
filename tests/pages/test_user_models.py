"""User models: the paper's equations, and the labels an estimated dimension gives."""

from math import atan, nan, pi
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.pages.readability.counting import count
from pipeline.pages.readability.index import INDICES, indices
from pipeline.pages.user_models.models.zuccon import arctan, arctan_ubire, step
from pipeline.pages.user_models.simulate import simulate


@pytest.mark.parametrize(("index", "expected"), [(14.9, 1.0), (15.0, 1.0), (15.1, 0.0)])
def test_step(index: float, expected: float) -> None:
    assert step(index, 15) == expected


@pytest.mark.parametrize(
    ("index", "expected"), [(15, 0.5), (14, 0.75), (16, 0.25), (15 + 3**0.5, 1 / 6), (-1e12, 1.0)]
)
def test_arctan(index: float, expected: float) -> None:
    assert arctan(index, 15) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("index", "expected"),
    [(15, 0.5), (15.25, 0.5 - atan(0.25)), (14.75, 0.5 + atan(0.25)), (16, 0.0), (14, 1.0)],
)
def test_arctan_as_ubire_has_it(index: float, expected: float) -> None:
    """Without the division by pi it is steeper, and beyond half a point it would leave [0, 1]."""
    assert arctan_ubire(index, 15) == pytest.approx(expected)


def test_every_index_declares_its_easy_end() -> None:
    easy = indices(count("The cat sat. The dog ran."))
    hard = indices(count("Hypertension necessitates individualised pharmacological intervention."))
    assert {name: "low" if easy[name] < hard[name] else "high" for name in INDICES} == {
        name: one.easy for name, one in INDICES.items()
    }


@pytest.fixture
def readability(tmp_path: Path) -> Path:
    path = tmp_path / "readability.parquet"
    pq.write_table(
        pa.table(
            {
                "document": ["plain", "none", "hard"],
                "fog": [10.0, nan, 17.0],
                "flesch_ease": [80.0, nan, 20.0],
            }
        ),
        path,
    )
    return path


@pytest.mark.parametrize(
    ("index", "model", "threshold", "labels"),
    [
        ("fog", "step", 15.0, [("plain", 10.0, 1.0), ("hard", 17.0, 0.0)]),
        ("fog", "step", 17.0, [("plain", 10.0, 1.0), ("hard", 17.0, 1.0)]),
        (
            "fog",
            "arctan",
            16.0,
            [("plain", 10.0, 0.5 + atan(6) / pi), ("hard", 17.0, 0.25)],
        ),
        ("flesch_ease", "step", 60.0, [("plain", 80.0, 1.0), ("hard", 20.0, 0.0)]),
        (
            "flesch_ease",  # high is easy: the direction turns round
            "arctan",
            21.0,
            [("plain", 80.0, 0.5 + atan(59) / pi), ("hard", 20.0, 0.25)],
        ),
    ],
)
def test_labels_of_an_estimated_dimension(
    readability: Path,
    tmp_path: Path,
    index: str,
    model: str,
    threshold: float,
    labels: list[tuple[str, float, float]],
) -> None:
    out = tmp_path / "labels" / "simulated.parquet"
    simulate(readability, out=out, index=index, model=model, threshold=threshold)
    table = pq.read_table(out)
    assert [(field.name, str(field.type)) for field in table.schema] == [
        ("topic", "string"),
        ("document", "string"),
        ("label", "double"),
        ("binary", "double"),
        ("gain", "double"),
    ]
    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert rows == [
        (None, document, label, pytest.approx(gain), pytest.approx(gain))
        for document, label, gain in labels
    ]


def test_no_readable_document_gives_an_empty_table(tmp_path: Path) -> None:
    pq.write_table(pa.table({"document": ["d"], "fog": [nan]}), tmp_path / "r.parquet")
    simulate(
        tmp_path / "r.parquet",
        out=tmp_path / "l.parquet",
        index="fog",
        model="step",
        threshold=15.0,
    )
    assert pq.read_table(tmp_path / "l.parquet").num_rows == 0
