"""Translate names of measures in trec_eval, ndeval and the literature into Fathom's names.

Each entry is a pattern of the other name and Fathom's name with the pattern's groups. trec_eval
prints underscores (`P_10`), but its option -m takes dots (`-m P.10`).
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from pipeline.measures.declaration import Declaration

NAMES = {
    r"map": "AP",
    r"map_cut[_.](\d+)": r"AP@\1",
    r"gm_map": "GMAP",
    r"Rprec": "Rprec",
    r"bpref": "Bpref",
    r"recip_rank": "RR",
    r"P[_.]?(\d+)": r"P@\1",
    r"recall[_.](\d+)": r"R@\1",
    r"success[_.](\d+)": r"Success@\1",
    r"ndcg": "nDCG",
    r"ndcg_cut[_.](\d+)": r"nDCG@\1",
    r"iprec_at_recall[_.]([\d.]+)": r"IPrec(recall=\1)",
    r"set_P": "SetP",
    r"set_recall": "SetR",
    r"set_F": "SetF",
    r"num_ret": "NumRet",
    r"num_rel": "NumRel",
    r"num_rel_ret": "NumRelRet",
}
DIVERSITY = {
    r"(alpha|α)[-_](n?DCG(?:\(.*\))?(?:@\d+)?)": r"alpha_\2",  # noqa: RUF001
    r"(n?ERR)-IA((?:\(.*\))?@\d+)": r"\1_IA\2",
    r"MAP[-_]IA|AP_IA": "IA(AP)",
    r"P_IA@(\d+)": r"IA(P@\1)",
    r"strec@(\d+)": r"StRecall@\1",
    r"(\w+)-IA((?:\(.*\))?(?:@\d+)?)": r"IA(\1\2)",
    r"D-(\w+(?:\(.*\))?(?:@\d+)?)": r"D(\1)",
    r"D#-(\w+(?:\(.*\))?(?:@\d+)?)": r"Dsharp(\1)",
}


@lru_cache(maxsize=1024)  # notebooks parse the same names repeatedly
def fathom_name(name: str) -> str | None:
    """Fathom's name of a measure of trec_eval, ndeval or the literature on diversity, or None.

    >>> [fathom_name(name) for name in ("ndcg_cut_10", "iprec_at_recall_0.10", "nDCG")]
    ['nDCG@10', 'IPrec(recall=0.10)', None]
    >>> [fathom_name(name) for name in ("alpha-nDCG@10", "MAP-IA", "P-IA@5", "D#-nDCG@20")]
    ['alpha_nDCG@10', 'IA(AP)', 'IA(P@5)', 'Dsharp(nDCG@20)']
    """
    return _translate(name, NAMES, re.ASCII) or _translate(name, DIVERSITY, re.NOFLAG)


def _translate(name: str, names: Mapping[str, str], flags: re.RegexFlag) -> str | None:
    matches = ((re.fullmatch(pattern, name, flags), text) for pattern, text in names.items())
    return next((match.expand(text) for match, text in matches if match), None)


def guess_measure(name: str, registry: Mapping[str, Declaration]) -> str | None:
    """The measure that an unknown name means: with other case, or without @ before the cutoff.

    >>> from pipeline.measures.declaration import REGISTRY
    >>> [guess_measure(name, REGISTRY) for name in ("nDCG10", "Ndcg_20", "MAP")]
    ['nDCG@10', 'nDCG@20', 'AP']
    """
    if translated := _translate(name, NAMES, re.ASCII | re.IGNORECASE):
        return translated
    split = re.fullmatch(r"(.*?)_?([1-9][0-9]{0,5})", name, re.ASCII)
    if split is None:
        return None
    names = [measure for measure, declaration in registry.items() if declaration.cutoff != "none"]
    with_cutoff = {measure.lower(): measure for measure in names}
    name = split[1].lower()
    base = with_cutoff.get(name) or fathom_name(name)
    return f"{base}@{split[2]}" if base in names else None
