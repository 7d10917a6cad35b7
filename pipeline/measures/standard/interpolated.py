"""Interpolated precision at recall points, and its mean over eleven of them."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.gains.places import ordinal
from pipeline.measures.bounding import anything
from pipeline.measures.declaration import Param, measure
from pipeline.storage.arrays import Floats

ROUNDS = Param(
    "up",
    choices=("up", "nearest"),
    meaning="how the documents wanted are rounded: floor(x + 0.9) as in trec_eval 9, or to the "
    "nearest whole number as in trec_eval 10",
)
POINTS = tuple(tenth / 10 for tenth in range(11))


def _best_from(view: View) -> Floats:
    """[row, n]: the best precision at the n-th relevant document or behind it; 0 in the end.

    Between two relevant documents precision falls, so it is best at one of them.
    """
    key = ("interpolated", tuple(view.wanted.items()), view.mix, view.scenario, view.cut)
    if view.given is None and key in view.gains.cache:
        kept: Floats = view.gains.cache[key]  # eleven points of recall ask for it
        return kept
    row, rank = view.hits
    count = ordinal(row)
    most = int(count.max(initial=0))
    precision = np.zeros((len(view.length), most + 1))
    precision[row, count - 1] = count / (rank + 1)
    best: Floats = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    if view.given is None:
        view.gains.cache[key] = best
    return best


def _at(view: View, best: Floats, recall: float, rounds: str) -> Floats:
    exact = recall * view.relevant
    wanted = np.floor(exact + 0.9) if rounds == "up" else np.floor(exact + 0.5)
    # The first document stands for none at all; the last column for more than were found.
    place = np.clip(wanted.astype(np.int64) - 1, 0, best.shape[1] - 1)
    values: Floats = np.take_along_axis(best, place[:, None], axis=1)[:, 0]
    return values


@measure(
    "IPrec",
    title="Interpolated precision at a recall point",
    formula="max of P@k over all k with c or more relevant documents, c = floor(recall * R + 0.9)",
    citation="Buckley & Voorhees, in TREC, MIT Press, 2005; trec_eval iprec_at_recall",
    params={
        "recall": Param(default=0.1, low=0, high=1, meaning="share of the relevant to be found"),
        "rounds": ROUNDS,
    },
)
def interpolated_precision(view: View, *, recall: float, rounds: str) -> Floats:
    """The best precision a user who wants that much recall can have; 0 if it is never reached.

    trec_eval rounds the documents wanted by adding 0.9, in double precision as here.
    """
    return _at(view, _best_from(view), recall, rounds)


def _mean(view: View, *, rounds: str) -> Floats:
    best = _best_from(view)
    values: Floats = np.mean([_at(view, best, point, rounds) for point in POINTS], axis=0)
    return values


@measure(
    "IPrec11",
    title="Interpolated precision averaged over eleven recall points",
    formula="mean of IPrec at recall 0, 0.1, ..., 1",
    citation="Buckley & Voorhees, in TREC, MIT Press, 2005; trec_eval 11pt_avg",
    params={"rounds": ROUNDS},
    rises=False,
    bounds=anything(_mean),
)
def eleven_points(view: View, *, rounds: str) -> Floats:
    """The area under the recall-precision graph, as it was taken before average precision."""
    return _mean(view, rounds=rounds)
