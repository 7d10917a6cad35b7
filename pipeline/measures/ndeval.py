"""ndeval's names of measures, in our words, and those of the literature: the one place they are in.

Each entry is data, as in `pipeline.measures.trec_eval`: a pattern of the name, and ours.
"""

import re

NAMES = {
    r"(alpha|α)[-_](n?DCG(?:\(.*\))?(?:@\d+)?)": r"alpha_\2",  # noqa: RUF001
    r"(n?ERR)-IA((?:\(.*\))?@\d+)": r"\1_IA\2",
    r"MAP[-_]IA|AP_IA": "IA(AP)",
    r"P_IA@(\d+)": r"IA(P@\1)",
    r"strec@(\d+)": r"StRecall@\1",
    r"(\w+)-IA((?:\(.*\))?(?:@\d+)?)": r"IA(\1\2)",
    r"D-(\w+(?:\(.*\))?(?:@\d+)?)": r"D(\1)",
    r"D#-(\w+(?:\(.*\))?(?:@\d+)?)": r"Dsharp(\1)",
}


def ours(name: str) -> str | None:
    """What we call a measure of ndeval or of the literature on diversity; None if it is neither.

    >>> ours("alpha-nDCG@10"), ours("MAP-IA"), ours("P-IA@5"), ours("D#-nDCG@20"), ours("nDCG@10")
    ('alpha_nDCG@10', 'IA(AP)', 'IA(P@5)', 'Dsharp(nDCG@20)', None)
    """
    for pattern, text in NAMES.items():
        found = re.fullmatch(pattern, name)
        if found:
            return found.expand(text)
    return None
