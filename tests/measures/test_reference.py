"""The reference of measures: complete, its examples as the engine computes them, its names true."""

import csv
import io
import math
import re
from pathlib import Path

import pytest

from pipeline import evaluate
from pipeline.errors import InputError
from pipeline.measures import COMBINATIONS, REGISTRY, parse
from pipeline.measures.cwl.declare import FIGURES, MODELS
from pipeline.measures.reference import Entry, entries, example, labels, title
from pipeline.measures.reference.show import explain, search
from pipeline.measures.subtopics import OVER_SUBTOPICS
from tests.command.process import good
from tests.diverse import Case, gains_of

ROOT = Path(__file__).resolve().parents[2]
REGISTERED = {
    *(name for name, one in REGISTRY.items() if one.module.startswith("pipeline.")),
    *(name for name, one in COMBINATIONS.items() if one.module.startswith("pipeline.")),
    *OVER_SUBTOPICS,
    *FIGURES,
}
PRODUCTS = {"uRBP", "uRBPgr"}  # entries of their own, though parsed from RBP
TOOLS = {"trec_eval", "ir_measures", "ranx", "trectools", "cwl_eval", "ndeval", "ubire"}
NAMES = {
    "log2": math.log2, "ln": math.log, "exp": math.exp, "sqrt": math.sqrt, "min": min, "max": max,
    "pi": math.pi,
}  # fmt: skip
each = pytest.mark.parametrize(
    "entry", [pytest.param(entry, id=name) for name, entry in entries().items()]
)


def test_every_measure_has_an_entry_and_no_entry_is_without_one() -> None:
    assert set(entries()) == REGISTERED | PRODUCTS


def test_every_user_model_has_its_continuation() -> None:
    models = {name for name, model in MODELS.items() if model.module.startswith("pipeline.")}
    assert {name for name, entry in entries().items() if entry.continuation} == models


@each
def test_an_entry_is_complete_and_its_sentences_short(entry: Entry) -> None:
    assert title(entry)
    assert labels(entry)
    for sentence in re.split(r"(?<=[.:;])\s", f"{entry.user} {entry.where} {entry.use}"):
        assert len(sentence.split()) <= 25, sentence
    assert set(entry.elsewhere) <= TOOLS
    assert re.split(r"\W", entry.example.measure)[0] == entry.name


# ---- worked examples --------------------------------------------------------------------------


def arithmetic(text: str) -> float:
    """The value of an expression, behind which its letters are defined."""
    expression, *definitions = re.split(r",\s*(?=[a-z] = )", text)
    names: dict[str, object] = dict(NAMES)
    for definition in definitions:
        name, value = definition.split(" = ")
        names[name] = eval(value, {"__builtins__": {}}, names)
    return float(eval(expression, {"__builtins__": {}}, names))


def computed(entry: Entry) -> float:
    """The example by the engine."""
    topic, measure = example(), entry.example.measure
    if entry.page == "diversity":
        judged = topic["labels"]["topicality"]
        relevant = {
            document: tuple(int(s in topic["subtopics"].get(document, ())) for s in (1, 2, 3))
            for document in judged
        }
        ranked = tuple(relevant.get(document) for document in topic["ranking"])
        others = tuple(relevant[d] for d in judged if d not in topic["ranking"])
        gains = gains_of([Case(ranked, others)], subtopics=3)
        return float(parse(measure, dimensions=["topicality"]).value(gains)[0])
    qrels = {name: {"1": labels} for name, labels in topic["labels"].items()}
    scales = dict.fromkeys(qrels, "0..2,high,threshold=1")
    result = evaluate(qrels, {"run": {"1": topic["scores"]}}, measure, scales=scales)
    return float(result.overall(result.measures[0])[0])


@each
def test_an_example_is_what_the_engine_and_its_arithmetic_give(entry: Entry) -> None:
    assert computed(entry) == pytest.approx(entry.example.value, abs=5.1e-5)
    assert arithmetic(entry.example.working) == pytest.approx(computed(entry), abs=1e-5)


def test_the_example_topic_is_ranked_by_score() -> None:
    scores = example()["scores"]
    assert example()["ranking"] == sorted(scores, key=lambda document: -scores[document])


# ---- references, and names in other tools -----------------------------------------------------


def test_every_reference_has_bibtex_and_is_cited() -> None:
    text = (ROOT / "docs/references.bib").read_text(encoding="utf-8")
    keys = re.findall(r"^@\w+\{(\w+),$", text, flags=re.MULTILINE)
    assert len(keys) == len(set(keys))
    assert set(keys) == {key for entry in entries().values() for key in entry.bibtex}
    assert text.count("{") == text.count("}")


def names_in(tool: str) -> list[str]:
    """The names that the entries give for one tool, without remarks in brackets."""
    texts = (entry.elsewhere.get(tool, "") for entry in entries().values())
    return [re.sub(r" \(.*\)$", "", text) for text in texts if text]


def test_names_of_trec_eval_are_names_there() -> None:
    import pytrec_eval

    texts = [entry.elsewhere.get("trec_eval", "") for entry in entries().values()]
    names = [re.split(r" \(|_[\d.]+$", text)[0] for text in texts if "version 10" not in text]
    assert len(list(filter(None, names))) > 25
    # pytrec_eval leaves out yaap, which trec_eval has.
    assert set(filter(None, names)) <= pytrec_eval.supported_measures | {"yaap"}


def test_names_of_ir_measures_are_names_there() -> None:
    import ir_measures

    names = [name for text in names_in("ir_measures") for name in re.split(r", (?=P_)", text)]
    assert len(names) > 30
    for name in names:
        assert ir_measures.parse_measure(name), name


def test_names_of_cwl_eval_are_classes_there() -> None:
    from cwl.ruler import cwl_ruler
    from cwl.ruler.measures import cwl_npv, cwl_set

    for name in {text.split("(")[0] for text in names_in("cwl_eval")} - set(FIGURES):
        assert any(hasattr(module, name) for module in (cwl_ruler, cwl_npv, cwl_set)), name


def test_names_of_ndeval_are_names_there() -> None:
    import pyndeval

    names = {name for text in names_in("ndeval") for name in text.split(", ")}
    assert {name.split("@")[0] for name in names} == set(pyndeval.SUPPORTED_MEASURES)


def test_names_of_trectools_are_methods_there() -> None:
    trectools = pytest.importorskip("trectools")
    for text in names_in("trectools"):
        assert hasattr(trectools.TrecEval, text.split("(")[0]), text


def test_names_of_ranx_are_metrics_there() -> None:
    metrics = pytest.importorskip("ranx.metrics")
    for text in names_in("ranx"):
        assert metrics.metric_switch(re.split(r"[@.]", text)[0]), text


# ---- which measures use graded gains ----------------------------------------------------------

DOCUMENTS = {f"d{number:02}": float(99 - number) for number in range(24)}


def score(measure: str) -> float:
    """For a ranking with labels from 0 to 3, of which all above 0 are relevant."""
    shown = zip(DOCUMENTS, "0121-2103-0210-1032-3120", strict=True)
    labels = {document: int(label) for document, label in shown if label != "-"} | {"x": 1, "y": 3}
    scale = "0..3,high,threshold=1"
    result = evaluate({"1": labels}, {"1": DOCUMENTS}, measure, scales=scale)
    return float(result.overall(result.measures[0])[0])


@pytest.mark.parametrize(
    "name", [name for name, one in REGISTRY.items() if one.gain != "judged" and not one.diverse]
)
def test_graded_gains_change_a_measure_or_are_refused(name: str) -> None:
    cutoff = "@10" if REGISTRY[name].cutoff == "required" else ""
    if REGISTRY[name].graded:
        assert score(f"{name}(gain=graded){cutoff}") != score(f"{name}(gain=binary){cutoff}")
        return
    assert score(f"{name}(gain=binary){cutoff}") == score(name + cutoff)
    for text, option in ((f"{name}(gain=graded){cutoff}", "gain="), (f"u{name}gr{cutoff}", "gr")):
        with pytest.raises(InputError) as caught:
            parse(text, dimensions=["topicality", "understandability"])
        (problem,) = caught.value.problems
        assert problem.where == f"measure '{text}'"
        assert name in problem.what
        assert option in problem.fix


@pytest.mark.parametrize("name", ["StRecall@5", "Richness", "Evenness", "StPrec"])
def test_counts_of_subtopics_refuse_graded_gains(name: str) -> None:
    text = name.replace("@5", "") + "(gain=graded)" + ("@5" if "@5" in name else "")
    with pytest.raises(InputError, match="gain=graded"):
        parse(text, dimensions=["topicality"])


# ---- the command ------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["understandability", "readability", "trustworthiness"])
def test_measures_of_several_dimensions_are_found(word: str) -> None:
    heads = {re.split(r"\W", row.measure)[0] for row in search([word])}
    assert heads >= {"uRBP", "uRBPgr", "H", "CAM", "Hmeans", "G", "nWCS", "TOMA"}


def test_all_are_listed_and_names_of_other_tools_find_them() -> None:
    assert len(search([])) >= len(REGISTERED | PRODUCTS)
    assert [row.measure for row in search(["gm_map"])] == ["GMAP[@k]"]
    assert [row.measure for row in search(["NDEVAL", "strec@5"])] == ["StRecall@k"]


def test_labels_are_those_that_the_measure_reads() -> None:
    read = {
        "RBP(p=0.8)": "binary",
        "RBP(p=0.8, gain=graded)": "graded",
        "uRBP": "binary",
        "uRBPgr": "topicality binary; understandability graded",
        "nDCG(gain=binary)": "binary",
        "AP(rel=2)": "binary: 2 and better labels are relevant",
        "H(RBP(p=0.8, gain=graded), topicality=1, trustworthiness=1)": "graded",
        "Judged@5": "none, only whether documents are judged",
    }
    for text, words in read.items():
        assert f"  labels      {words}\n" in explain(text), text


def test_an_explanation_has_the_entry() -> None:
    text = explain("uRBPgr")
    assert text.startswith("uRBPgr(p=0.8): Understandability-biased rank-biased precision, graded")
    assert "user model" in text
    assert "trectools get_urbp" in text
    assert max(map(len, text.split("\n"))) <= 100
    assert explain("understandability") == ""


def test_the_command_searches_the_entries() -> None:
    rows = list(csv.DictReader(io.StringIO(good("measures", "ubire", "-f", "csv"))))
    assert {"uRBP[@k]", "uRBPgr[@k]"} <= {row["measure"] for row in rows}
    assert "labels      graded" in good("measures", "RBP(p=0.8, gain=graded)")
