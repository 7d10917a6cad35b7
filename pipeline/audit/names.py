"""What other tools call a measure, in our words.

Each entry is data: a pattern of the tool's name for it, and ours with the pattern's groups. A name
of which the engine knows nothing stays unknown; the audit counts it and goes on.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.errors import InputError
from pipeline.gains.gains import Gains
from pipeline.measures import Measure, parse
from pipeline.measures.measure import Combined, Single
from pipeline.storage.arrays import Floats

TREC_EVAL = {
    r"map": "AP",
    r"map_cut_(\d+)": r"AP@\1",
    r"gm_map": "GMAP",
    r"Rprec": "Rprec",
    r"bpref": "Bpref",
    r"recip_rank": "RR",
    r"P_?(\d+)": r"P@\1",
    r"recall_(\d+)": r"R@\1",
    r"success_(\d+)": r"Success@\1",
    r"ndcg": "nDCG",
    r"ndcg_cut_(\d+)": r"nDCG@\1",
    r"iprec_at_recall_([\d.]+)": r"IPrec(recall=\1)",
    r"set_P": "SetP",
    r"set_recall": "SetR",
    r"set_F": "SetF",
    r"num_ret": "NumRet",
    r"num_rel": "NumRel",
    r"num_rel_ret": "NumRelRet",
}
UBIRE = {r"(u?RBP(?:gr)?)\(([\d.]+)\)": r"\1(p=\2)"}
TOOLS = {"trec_eval": TREC_EVAL, "ubire": UBIRE}


@dataclass(frozen=True)
class NumberOfTopics:
    """What the means are over (trec_eval's num_q): no measure, but the first thing to agree on."""

    name: str = "number of topics"

    def value(self, gains: Gains) -> Floats:
        """1 for every topic."""
        return np.ones(len(gains.topic))

    def overall(self, values: Floats, gains: Gains) -> Floats:
        """The topics of each run."""
        return np.asarray(values.reshape(len(gains.runs), -1).sum(axis=1))


Known = Measure | NumberOfTopics


def measure_of(
    tool: str, name: str, *, own: Mapping[str, str], dimensions: Sequence[str]
) -> Known | None:
    """Our measure for a tool's, or None; `own` is the campaign's mapping and goes first.

    A tool's name may have a suffix, as `trec_eval-graded`: it is looked up by how it starts.
    """
    for key in (f"{tool} {name}", name):
        if key in own:
            return parse(own[key], dimensions=dimensions)
    if tool.startswith("trec_eval") and name == "num_q":
        return NumberOfTopics()
    tables = [table for known, table in TOOLS.items() if tool.startswith(known)]
    texts = [
        found.expand(ours)
        for table in tables or TOOLS.values()
        for pattern, ours in table.items()
        if (found := re.fullmatch(pattern, name))
    ]
    for text in [*texts, name]:
        try:
            measure = parse(text, dimensions=dimensions)
        except InputError:
            continue
        if isinstance(measure, Single | Combined) and not measure.scored:
            return measure
    return None
