"""The grammar of measures: canonical names, and the exact sentence for each kind of mistake."""

import re

import pytest

from pipeline.errors import InputError
from pipeline.measures import REGISTRY, parse

DIMENSIONS = ["topicality", "understandability", "trustworthiness"]
T, U, TRUST = DIMENSIONS

# text: canonical name, file name, dimensions and how their labels are read
NAMES = {
    "P@10": ("P@10", "P@10", {T: "binary"}),
    " nDCG @ 10 ": ("nDCG@10", "nDCG@10", {T: "gain"}),
    "nDCG": ("nDCG", "nDCG", {T: "gain"}),
    "AP": ("AP", "AP", {T: "binary"}),
    "RR@5": ("RR@5", "RR@5", {T: "binary"}),
    "RBP": ("RBP(p=0.8)", "RBP_p=0.8", {T: "binary"}),
    "RBP()": ("RBP(p=0.8)", "RBP_p=0.8", {T: "binary"}),
    "RBP( p = .80 )": ("RBP(p=0.8)", "RBP_p=0.8", {T: "binary"}),
    "RBP(p=9.5e-1)@20": ("RBP(p=0.95)@20", "RBP_p=0.95_@20", {T: "binary"}),
    "RBP(p=0.00001)": ("RBP(p=1e-05)", "RBP_p=1e-05", {T: "binary"}),
    "RBP(on=topicality)": ("RBP(p=0.8)", "RBP_p=0.8", {T: "binary"}),
    "RBP(on='understandability')": (
        "RBP(p=0.8, on=understandability)", "RBP_p=0.8_on=understandability", {U: "binary"},
    ),
    "nDCG(on=trustworthiness)@10": (
        "nDCG(on=trustworthiness)@10", "nDCG_on=trustworthiness_@10", {TRUST: "gain"},
    ),
    "RBP(gain=graded)": ("RBP(p=0.8, gain=graded)", "RBP_p=0.8_gain=graded", {T: "gain"}),
    "nDCG(gain=graded)@5": ("nDCG@5", "nDCG@5", {T: "gain"}),
    "AP(rel=2.0)": ("AP(rel=2)", "AP_rel=2", {T: "rel=2"}),
    "uP(rel=2)@5": ("uP(rel=2)@5", "uP_rel=2_@5", {T: "rel=2", U: "binary"}),
    "uRBP(p=0.8)": ("uRBP(p=0.8)", "uRBP_p=0.8", {T: "binary", U: "binary"}),
    "uRBPgr": ("uRBPgr(p=0.8)", "uRBPgr_p=0.8", {T: "binary", U: "gain"}),
    "uRBP(by=understandability)": ("uRBP(p=0.8)", "uRBP_p=0.8", {T: "binary", U: "binary"}),
    "uRBPgr(by=trustworthiness)": (
        "uRBPgr(p=0.8, by=trustworthiness)", "uRBPgr_p=0.8_by=trustworthiness",
        {T: "binary", TRUST: "gain"},
    ),
    "uP(by=understandability + trustworthiness)@5": (
        "uP(by=understandability+trustworthiness)@5",
        "uP_by=understandability+trustworthiness_@5",
        {T: "binary", U: "binary", TRUST: "binary"},
    ),
    "unDCGgr@10": ("unDCGgr@10", "unDCGgr@10", {T: "gain", U: "gain"}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NAMES.items(), ids=NAMES)
def test_names(text: str, expected: tuple[str, str, dict[str, str]]) -> None:
    measure = parse(text, dimensions=DIMENSIONS)
    assert (measure.name, measure.slug, measure.readings) == expected
    assert parse(measure.name, dimensions=DIMENSIONS) == measure


COMBINED = {
    "H(RBP, topicality=1, understandability=1)": (
        "H(RBP(p=0.8), topicality=1, understandability=1)", (1, 1), (T, U),
    ),
    "H(nDCG@10,trustworthiness=2.50,topicality=1.0)": (
        "H(nDCG@10, trustworthiness=2.5, topicality=1)", (2.5, 1), (TRUST, T),
    ),
    "H(RBP(p=0.5, on=topicality), topicality=1, understandability=1, trustworthiness=3)": (
        "H(RBP(p=0.5), topicality=1, understandability=1, trustworthiness=3)",
        (1, 1, 3), (T, U, TRUST),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), COMBINED.items(), ids=COMBINED)
def test_combined_names(text: str, expected: tuple) -> None:
    measure = parse(text, dimensions=DIMENSIONS)
    assert (measure.name, measure.weights, measure.dimensions) == expected
    assert parse(measure.name, dimensions=DIMENSIONS) == measure
    assert all(part.readings == {d: part.declaration.gain}
               for part, d in zip(measure.parts, measure.dimensions, strict=True))  # fmt: skip


def test_every_measure_says_where_it_comes_from() -> None:
    for name, declaration in REGISTRY.items():
        text = f"{name}@10" if declaration.cutoff != "none" else name
        for written in (text, f"u{text}", f"H({text}, {T}=1, {U}=1)"):
            measure = parse(written, dimensions=DIMENSIONS)
            assert declaration.citation in measure.citation
            assert declaration.formula in measure.formula
            assert declaration.module in measure.modules
    assert "Zuccon, ECIR 2016" in parse("uRBP", dimensions=DIMENSIONS).citation
    assert "CIKM 2018" in parse(f"H(RBP, {T}=1, {U}=1)", dimensions=DIMENSIONS).citation


WRITE = (
    "is not a measure; write it like nDCG@10, RBP(p=0.8) or "
    "H(RBP(p=0.8), topicality=1, understandability=1)"
)
LIKE = "not understood; write it like nDCG@10 or RBP(p=0.8)"
H = "H(RBP(p=0.8), topicality=1, understandability=1)"
WHOLE = "must be a whole number from 1 up"
ABOVE = "must be a number above 0 and below 1"
ONE = "the base measure of H must be over one dimension"
TU = "topicality=1, understandability=1"
MISTAKES = {
    "nDGC@10": "no measure is called 'nDGC'; did you mean 'nDCG'?",
    "ndcg@10": "no measure is called 'ndcg'; did you mean 'nDCG'?",
    "MAP": "no measure is called 'MAP'; did you mean 'AP'?",
    "nDCG10": "no measure is called 'nDCG10'; did you mean 'nDCG@10'?",
    "ndcg_20": "no measure is called 'ndcg_20'; did you mean 'nDCG@20'?",
    "map10": "no measure is called 'map10'; did you mean 'AP@10'?",
    "p_10": "no measure is called 'p_10'; did you mean 'P@10'?",
    "rprec": "no measure is called 'rprec'; did you mean 'Rprec'?",
    "RECIP_RANK": "no measure is called 'RECIP_RANK'; did you mean 'RR'?",
    "ndcg_cut": "no measure is called 'ndcg_cut'; did you mean 'nDCG'?",
    "uRBPg": "no measure is called 'uRBPg'; did you mean 'uRBPgr'?",
    "XYZ": "no measure is called 'XYZ'; `fathom measures` lists them all",
    "uH@3": "no measure is called 'uH'; did you mean 'H'?",
    "RBP(P=0.8)": "RBP has no parameter 'P'; did you mean 'p'?",
    "RBP(persistence=0.8)": "RBP has no parameter 'persistence'; there is gain, on, p, rel",
    "RBP(by=understandability)": "RBP has no parameter 'by'; there is gain, on, p, rel",
    "uRBP(on=understandability)": "uRBP has no parameter 'on'; there is by, gain, p, rel, "
    "topicality, trustworthiness, understandability",
    "uRBP(trustworthiness=2)": "'trustworthiness' has a weight, but no part in it; add it to by=",
    "uRBP(understandability=0)": "the weight understandability=0 must be a number above 0",
    "uRBP(understandability=much)": "the weight understandability=much must be a number above 0",
    "AP(k=10)": "AP has no parameter 'k'; there is gain, on, rel",
    "RBP(rel=high)": "rel=high must be a label, such as rel=2",
    "RBP(rel=True)": "rel=True must be a label, such as rel=2",
    "RBP(gain=linear)": "gain=linear must be one of binary, graded",
    "RBP(rel=1, gain=graded)": "give rel or gain, not both",
    "RBP(p=1)": f"p=1 {ABOVE}",
    "RBP(p=0.0)": f"p=0 {ABOVE}",
    "RBP(p=-0.5)": f"p=-0.5 {ABOVE}",
    "RBP(p=half)": f"p=half {ABOVE}",
    "RBP(p='0.8')": f"p=0.8 {ABOVE}",
    "RBP(p=True)": f"p=True {ABOVE}",
    "RBP(p=0.8, p=0.9)": "'p' is given twice",
    "RBP(**p)": "** is not understood here",
    "RBP(0.8)": "RBP takes named parameters only, such as p=0.8",
    "RBP(p=4/5)": "'4 / 5' is not a value; give a number or a name",
    "RBP(p=[0.8])": "'[0.8]' is not a value; give a number or a name",
    "P": "P needs a cutoff, such as P@10",
    "P@0": f"the cutoff @0 {WHOLE}",
    "P@-1": f"the cutoff @-1 {WHOLE}",
    "P@2.5": f"the cutoff @2.5 {WHOLE}",
    "P@True": f"the cutoff @True {WHOLE}",
    "P@ten": f"the cutoff @ten {WHOLE}",
    "P@10@5": LIKE,
    "P.1.2": None,
    "measures.P@10": LIKE,
    "10": LIKE,
    "__import__('os').system('true')": LIKE,
    "": None,
    "RBP(p=0.8": None,
    "RBP(p=0.8); P@5": None,
    "RBP\0": None,
    "RBP(on=topcality)": "there is no dimension 'topcality'; did you mean 'topicality'?",
    "RBP(on=1)": f"there is no dimension '1'; there is {T}, {TRUST}, {U}",
    "uRBP(by=trust)": "there is no dimension 'trust'; did you mean 'trustworthiness'?",
    "uRBP(by=topicality)": "by=topicality must name further dimensions, each once",
    f"uP(by={U}+{U})@5": f"by={U}+{U} must name further dimensions, each once",
    "H": f"H takes one base measure, like {H}",
    f"H(RBP, RR, {TU})": f"H takes one base measure, like {H}",
    "H(RBP, topicality=1)": f"H needs two or more dimensions with weights, like {H}",
    "H(RBP, topicality=1, understandable=1)": (
        "there is no dimension 'understandable'; did you mean 'understandability'?"
    ),
    "H(RBP, topicality=0, understandability=1)": "the weight topicality=0 must be a number above 0",
    "H(RBP, topicality=-1, understandability=1)": (
        "the weight topicality=-1 must be a number above 0"
    ),
    "H(RBP, topicality=much, understandability=1)": (
        "the weight topicality=much must be a number above 0"
    ),
    "H(RBP, topicality=1e999, understandability=1)": (
        "the weight topicality=inf must be a number above 0"
    ),
    f"H(RBP, {TU})@10": "give the cutoff to the base measure of H, not to H",
    f"H(uRBP, {TU})": ONE,
    f"H(H(RBP, {TU}), {TU})": ONE,
    f"H(RBP(on={U}), {TU})": "leave 'on' out of the base measure: H names the dimensions",
    f"H(RBP(p=2), {TU})": f"p=2 {ABOVE}",
    f"H(P, {TU})": "P needs a cutoff, such as P@10",
}


@pytest.mark.parametrize(("text", "problem"), MISTAKES.items(), ids=map(repr, MISTAKES))
def test_mistakes(text: str, problem: str | None) -> None:
    with pytest.raises(InputError) as caught:
        parse(text, dimensions=DIMENSIONS)
    (found,) = caught.value.problems
    assert text in f"{found.where} {found.what}"
    # The words a user needs: names in quotes, parameters, cutoffs, measures; not the prose.
    for word in re.findall(r"'[^']*'|@\d+|\b\w+=\S+\b|\b[A-Z]\w+\b", problem or ""):
        assert word in f"{found.what} {found.fix}"


def test_a_product_needs_a_campaign_with_understandability_or_by() -> None:
    with pytest.raises(InputError) as caught:
        parse("uRBP", dimensions=["topicality", "trust"])
    (problem,) = caught.value.problems
    assert problem.where == "measure 'uRBP'"
    assert "no dimension is called 'understandability'" in problem.what
    assert "topicality, trust" in problem.fix
    assert parse("uRBP(by=trust)", dimensions=["topicality", "trust"]).dimensions == (
        "topicality", "trust",
    )  # fmt: skip


TREC_EVAL = {
    "map": "AP",
    "map_cut_10": "AP@10",
    "gm_map": "GMAP",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "P_10": "P@10",
    "P10": "P@10",
    "P.10": "P@10",
    "recall_100": "R@100",
    "success_5": "Success@5",
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "ndcg_cut.10": "nDCG@10",
    "iprec_at_recall_0.10": "IPrec(recall=0.1)",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF(beta=1)",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "H(ndcg_cut_10, topicality=1, understandability=1)": (
        "H(nDCG@10, topicality=1, understandability=1)"
    ),
}


@pytest.mark.parametrize(("theirs", "ours"), TREC_EVAL.items())
def test_names_of_trec_eval_are_understood(theirs: str, ours: str) -> None:
    assert parse(theirs, dimensions=["topicality", "understandability"]).name == ours
