"""The least and the most each figure can be, whatever the unjudged documents are worth.

A user who reacts to what is found makes this harder than filling in the worst and best gains: a
better document may end the walk before the good ones. Where filling is proven to bound, it is
used. Elsewhere C(i) is free: at every rank it may take any value between its lowest and its
highest over all possible gains, whichever suits the bound; the true value is one of these choices.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.cwl.model import FIGURES_OF_A_WALK, UserModel, two_valued
from pipeline.measures.cwl.seen import Seen
from pipeline.measures.declaration import Bounds, Value
from pipeline.storage.arrays import Floats

TINY = 1e-14
ROUNDS = 100  # Dinkelbach's iteration takes three or four


def bounds(model: UserModel, figure: str, view: View, **params: Value) -> Bounds:
    """Lower and upper end of a figure of a user model."""
    if model.bounds is not None:
        return model.bounds(view, figure, **params)
    upper = view.gains.view(view.wanted, mix=view.mix, scenario="upper").at(view.cut)
    low, high = model.seen(view), model.seen(upper)
    read = FIGURES_OF_A_WALK[figure].read
    fills = model.fills == "always" or (model.fills == "binary" and two_valued(view))
    if model.answers == "none" or (fills and figure in ("EU", "ETU")):
        return read(model.walk(low, params)), read(model.walk(high, params))
    if figure == "EC" and view.gains.cost is None:
        same = np.full(len(view.topic), low.usual_cost)
        return same, same
    least, most = _chances(model, low, high, params)
    if figure in ("ED", "ETC", "ETU"):  # all rise with every C
        # The tail follows the gains that make C least or most.
        poor, rich = (low, high) if model.answers == "rises" else (high, low)
        short, long = model.walk(poor, params, least), model.walk(rich, params, most)
        if figure != "ETU":
            return read(short), read(long)
        return replace(short, seen=low).utility, replace(long, seen=high).utility
    ends = (low.gain, high.gain) if figure == "EU" else (low.cost, low.cost)
    tails = _tails(model, low, high, params)
    outside = (low.beyond, high.beyond) if figure == "EU" else (low.usual_cost,) * 2
    return (
        ratio(ends[0], least, most, tails, outside[0], most_of=False),
        ratio(ends[1], least, most, tails, outside[1], most_of=True),
    )


def _chances(
    model: UserModel, low: Seen, high: Seen, params: Mapping[str, Value]
) -> tuple[Floats, Floats]:
    """The least and the most C can be at every rank."""
    if callable(model.answers):
        return model.answers(low, high, **params)
    least, most = model.go_on(low, params), model.go_on(high, params)
    return (least, most) if model.answers == "rises" else (most, least)


def _tails(
    model: UserModel, low: Seen, high: Seen, params: Mapping[str, Value]
) -> tuple[Floats, Floats]:
    """Documents looked at behind the last rank by one who goes on there: least and most."""
    rows = len(low.view.topic)
    if model.tail is None or low.view.cut is not None:
        return np.zeros(rows), np.zeros(rows)
    one, other = (model.tail(met, np.ones(rows), **params) for met in (low, high))
    return np.minimum(one, other), np.maximum(one, other)


def ratio(
    worth: Floats,
    least: Floats,
    most: Floats,
    tails: tuple[Floats, Floats],
    outside: float,
    *,
    most_of: bool,
) -> Floats:
    """The extreme of sum P(i) worth(i) / sum P(i) over every C between `least` and `most`.

    Dinkelbach: for a ratio r the best C maximises sum P(i) (worth(i) - r), which is decided from
    the last rank up (going on is good where what follows is worth more than r); the ratio it
    reaches is the next r, until it stays.
    """
    sign = 1.0 if most_of else -1.0
    rows, depth = max(len(worth), len(least), len(most)), worth.shape[1]
    columns = [np.ascontiguousarray(np.broadcast_to(a, (rows, depth)).T)
               for a in (worth, least, most)]  # fmt: skip
    # From a ratio no choice of C can miss, or a row could stop before it has begun.
    now = np.full(rows, 0.0 if most_of else max(float(worth.max(initial=0.0)), outside))
    for _ in range(ROUNDS):
        tail = np.where(sign * (outside - now) > 0, tails[1], tails[0])
        total, count = outside * tail, tail
        for value, low, high in zip(*(column[::-1] for column in columns), strict=True):
            chance = np.where(sign * (total - now * count) > 0, high, low)
            total, count = value + chance * total, 1 + chance * count
        then = total / count
        if not (sign * (then - now) > TINY * np.maximum(1, now)).any():
            return np.asarray(then)
        now = then
    return now
