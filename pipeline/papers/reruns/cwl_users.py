"""Every user model of the engine as a user: C, W and L rank by rank, and how deep she goes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.errors import InputError
from pipeline.gains.from_labels import from_labels
from pipeline.gains.gains import Gains
from pipeline.labels.scale import Scale
from pipeline.measures import parse
from pipeline.measures.cwl.declare import MODELS
from pipeline.measures.cwl.figures import FIGURES_OF_A_WALK, Walk
from pipeline.measures.measure import Single
from pipeline.storage.arrays import Floats

CUT = 10  # of the models that need one
DIMENSION = "gain"


@dataclass(frozen=True, kw_only=True)
class User:
    """A user on a list; `others` are written differently and go down it alike."""

    name: str
    others: tuple[str, ...]
    title: str
    formula: str
    citation: str
    go_on: Floats  # C, W and L at each rank shown
    weight: Floats
    leave: Floats
    depth: float  # ED
    utility: float  # EU

    @property
    def label(self) -> str:
        """All its names."""
        return " = ".join((self.name, *self.others))


def lists(*gains: Sequence[float], ranks: int) -> Gains:
    """Lists as topics of one run, each with its gains first and nothing behind them."""
    table = np.zeros((1, len(gains), ranks))
    for row, one in enumerate(gains):
        table[0, row, : len(one)] = one
    some = table[table > 0]
    threshold = float(some.min()) if some.size else 1.0  # any gain is relevant to a binary model
    scale = Scale(0, 1, "high", threshold, None, ())
    return from_labels({DIMENSION: table}, scales={DIMENSION: scale})


def every_user() -> list[str]:
    """Each model of the registry, with the parameters it has by default."""
    return [
        name + (f"@{CUT}" if model.cutoff == "required" else "")
        for name, model in sorted(MODELS.items(), key=lambda item: item[0].lower())
    ]


def figure(name: str, text: str) -> Single:
    """A figure of a user model as a measure; other measures are refused."""
    found = parse(f"{name}({text})", dimensions=[DIMENSION])
    if not isinstance(found, Single):
        raise InputError(f"'{text}' is not a user model; write one, as \"RBP(p=0.95)\"")
    return found


def users(texts: Sequence[str], gains: Gains, *, ranks: int) -> list[User]:
    """The users on the first list; those with the same C and the same tail are one."""
    found: dict[tuple[object, ...], list[str]] = {}
    for text in dict.fromkeys(figure("ED", text).name for text in texts):
        one = parse(text, dimensions=[DIMENSION])
        assert isinstance(one, Single)
        model = MODELS[one.declaration.name]
        same = (model.function, model.tail, model.gain, one.cutoff, *sorted(one.params.items()))
        found.setdefault(same, []).append(text.removeprefix("ED(").removesuffix(")"))
    return [_user(names, gains, ranks=ranks) for names in found.values()]


def _user(names: Sequence[str], gains: Gains, *, ranks: int) -> User:
    one = figure("ED", names[0])
    model = MODELS[one.declaration.name]
    walk, chance = _walk(one, gains)
    reach = _row(walk.reach, ranks)
    return User(
        name=names[0],
        others=tuple(names[1:]),
        title=model.title,
        formula=model.formula,
        citation=model.citation,
        go_on=chance[:ranks],
        weight=_row(walk.weights, ranks),
        leave=reach * (1 - chance[:ranks]),
        depth=float(FIGURES_OF_A_WALK["ED"].read(walk)[0]),
        utility=float(FIGURES_OF_A_WALK["EU"].read(walk)[0]),
    )


def _walk(one: Single, gains: Gains) -> tuple[Walk, Floats]:
    """The walk, and C down the first list, 0 behind the last rank the user looks at."""
    model = MODELS[one.declaration.name]
    met = model.seen(gains.view(one.wanted).at(one.cutoff))
    chance = model.go_on(met, one.params)
    shown = _row(chance, next(iter(gains.dimensions.values())).codes.shape[1])
    if one.cutoff is not None:
        shown[one.cutoff - 1 :] = 0.0
    return model.walk(met, one.params), shown


def _row(values: Floats, ranks: int) -> Floats:
    """The first row, as many ranks of it, 0 behind its end."""
    row = np.zeros(ranks)
    have = min(ranks, values.shape[1])
    row[:have] = values[0, :have]
    return row


def points(found: Sequence[User]) -> Iterator[dict[str, object]]:
    """What is plotted of each user, C, W and L at every rank."""
    for user in found:
        for curve, values in (("C", user.go_on), ("W", user.weight), ("L", user.leave)):
            for rank, value in enumerate(values.tolist(), start=1):
                yield {
                    "user": panel(user), "curve": curve, "rank": rank, "value": round(value, 5),
                }  # fmt: skip


def panel(user: User) -> str:
    """The title of a user's panel, its two lines divided by a bar."""
    return f"{user.label} | expected depth {user.depth:,.1f}"
