"""Generated pages: the planned readability, for the documents of label files."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from pipeline.campaign import campaigns, resolve
from pipeline.campaign.paths import Files
from pipeline.errors import InputError, Problem
from pipeline.pages.collection import read
from pipeline.pages.readability.counting import count
from pipeline.pages.readability.index import INDICES
from pipeline.pages.readability.words import syllables
from pipeline.sources.generators.collection import LONG, SHORT, prose
from pipeline.sources.kind import make


@pytest.mark.parametrize("planned", [5, 10, 15, 20, 30])
def test_fog_is_as_planned(planned: float) -> None:
    found = [INDICES["fog"](count(prose(planned, random=Random(seed)))) for seed in range(20)]
    assert sum(found) / len(found) == pytest.approx(planned, abs=0.3)
    assert max(abs(one - planned) for one in found) < 1.5


def test_words_are_as_long_as_they_should_be() -> None:
    assert all(syllables(word) < 3 for word in SHORT)
    assert all(syllables(word) >= 3 for word in LONG)


def source(**changes: Any) -> dict[str, Any]:
    return {"generate": "collection", "pages_for": "labels.qrels", "seed": 1, **changes}


def config(**sources: Any) -> dict[str, Any]:
    labelled = {"labels": "labels.qrels", "scale": [0, 2], "threshold": 1}
    return {
        "campaigns": {
            "c": {
                "sources": sources,
                "runs": {"files": "runs/*"},
                "dimensions": {"topicality": labelled},
                "measures": ["P@5"],
            }
        }
    }


LABELS = "1 0 d1 0\n1 0 d2 1\n2 0 d2 2\n2 0 a.b-3_4 1\n"


def made(folder: Path, **changes: Any) -> dict[str, str]:
    (folder / "labels.qrels").write_text(LABELS)
    (folder / "clef").mkdir(exist_ok=True)
    (folder / "clef/labels.qrels").write_text(LABELS)
    given = {"pages_for": "@clef/labels.qrels", "least_label": None, "fog": None, **changes}
    out = folder / "pages"
    make(out, kind="generate", settings={"generate": "collection", "seed": 1, **given})
    notes: list[Problem] = []
    pages = dict(read([out / "pages.dat"], notes=notes))
    assert notes == []
    return {document: page.decode() for document, page in pages.items()}


def test_a_page_for_each_document_of_a_source_before_it(tmp_path: Path) -> None:
    every = made(tmp_path)
    assert list(every) == ["a.b-3_4", "d1", "d2"]
    assert all("Generated page" in page for page in every.values())
    some = made(tmp_path, least_label=1)
    assert list(some) == ["a.b-3_4", "d2"]
    assert some["d2"] == every["d2"]  # a page is its document's own
    assert made(tmp_path, fog=[5, 0])["d2"] != every["d2"]


def test_labels_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="label of at least 3; lower least_label"):
        made(tmp_path, least_label=3)
    (tmp_path / "bad.qrels").write_text("1 0 d1 0\n1 0 d2\n")
    with pytest.raises(
        InputError,
        match=r"bad.qrels, line 2: is not a line of a label file; write 'topic 0 document",
    ):
        made(tmp_path, pages_for=str(tmp_path / "bad.qrels"))


def test_a_source_depends_on_what_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/r").write_text("1 Q0 d1 1 1 r\n")
    (tmp_path / "labels.qrels").write_text(LABELS)
    demo = {"generate": "demo"}
    pages = source(pages_for=["@demo/labels/topicality.qrels", "labels.qrels"])
    (one,) = campaigns(config(demo=demo, pages=pages)).values()
    inputs = resolve(one)
    assert inputs.of("sources", "pages") == [Files(local=("labels.qrels",), sources=("demo",))]
    assert not any(one.local for one in inputs.of("sources", "demo"))


@pytest.mark.parametrize(
    ("sources", "named"),
    [
        ({"pages": source(pages_for="@demo/x"), "demo": {"generate": "demo"}}, "'@demo/x'"),
        ({"clef": {"generate": "demo"}, "pages": source(pages_for="@cleff/x")}, "'clef'"),
        ({"clef": {"generate": "demo"}, "pages": source(pages_for="@clef/../x")}, "'@clef/../x'"),
        ({"pages": source(pages_for=None)}, "empty"),
    ],
)
def test_mistakes(sources: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError) as error:
        campaigns(config(**sources))
    (problem,) = error.value.problems
    assert problem.where == "campaigns.c.sources.pages.pages_for"
    assert named in f"{problem.what}; {problem.fix}"
