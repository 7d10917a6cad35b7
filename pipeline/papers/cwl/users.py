"""Every user model of the engine as a user: C, W and L rank by rank, how deep she goes, charts."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.gains.from_labels import from_labels
from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.cwl.declare import MODELS
from pipeline.measures.cwl.model import FIGURES_OF_A_WALK, Walk
from pipeline.measures.measure import Single
from pipeline.report.charts import Chart, layered, marks, plain, tips
from pipeline.storage.arrays import Floats

CUT = 10  # of the models that need one
DIMENSION = "gain"
COLUMNS = 3
WIDTH, HEIGHT = 290, 120  # of a panel
AROUND = 62  # a panel's titles and axes


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
        fix = 'write one, for example "RBP(p=0.95)"'
        raise InputError(Problem("", f"'{text}' is not a user model", fix))
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


def chart_users(users: Sequence[User], *, gains: Sequence[float]) -> Chart:
    """C, W and L of every user, the deepest last."""
    import altair as alt

    shown = sorted(users, key=lambda user: user.depth)
    # The title of a user's panel; its two lines are divided by a bar.
    panels = {user.name: f"{user.label} | expected depth {user.depth:,.1f}" for user in shown}
    values = []
    for user in shown:
        curves = {"C": user.go_on, "W": user.weight, "L": user.leave, "gain": np.array(gains)}
        values += [
            {"user": panels[user.name], "curve": curve, "rank": rank, "value": round(value, 5)}
            for curve, row in curves.items()
            for rank, value in enumerate(row.tolist(), start=1)
            if curve != "gain" or value
        ]
    base = alt.Chart().encode(
        x=alt.X("rank:Q", title="Rank", axis=alt.Axis(tickMinStep=1, grid=False)),
        y=alt.Y("value:Q", title=None, scale=alt.Scale(domain=[0, 1])),
        tooltip=tips(
            ("user:N", "User"),
            ("curve:N", "Curve"),
            ("rank:Q", "Rank"),
            ("value:Q", "Value", ".4f"),
        ),
    )
    lines = base.transform_filter(alt.datum.curve != "gain").mark_line(strokeWidth=2)
    list_itself = base.transform_filter(alt.datum.curve == "gain").mark_rule(style="equal")
    colour = alt.Color("curve:N", title=None, scale=alt.Scale(domain=["C", "W", "L"]))
    header = alt.Header(
        labelExpr="split(datum.label, ' | ')", labelLimit=WIDTH + 20, labelLineHeight=15
    )
    facet = alt.Facet("user:N", title=None, sort=list(panels.values()), header=header)
    drawn = alt.layer(
        list_itself.encode(y=alt.Y("value:Q"), y2=alt.datum(0)),
        lines.encode(color=colour),
        data=alt.InlineData(values=values),
    ).properties(width=WIDTH, height=HEIGHT)
    spec = plain(
        drawn.facet(facet=facet, columns=COLUMNS).properties(
            description="C, W and L of every user model, rank by rank."
        )
    )
    around = math.ceil(len(shown) / COLUMNS) * (HEIGHT + AROUND)
    title = "C, W and L, rank by rank"
    return Chart(name="users", title=title, spec=spec, around=around, wide=True)


def chart_depths(users: Sequence[User], nothing: Mapping[str, float]) -> Chart:
    """Expected depth of every user, on the list and where nothing gains."""
    import altair as alt

    shown = sorted(users, key=lambda user: user.depth)
    kinds = ("this list", "nothing gains")
    values = [
        {"user": user.label, "list": kind, "depth": depth, "low": min(pair), "high": max(pair)}
        for user in shown
        for pair in [(user.depth, nothing[user.name])]
        for kind, depth in zip(kinds, pair, strict=True)
    ]
    names = [user.label for user in shown]
    base = marks(values).encode(
        y=alt.Y("user:N", title=None, sort=names, axis=alt.Axis(labelLimit=300))
    )
    title = "Expected depth, in documents"
    low = alt.X("low:Q", title=title, scale=alt.Scale(type="log", nice=False))
    kind: dict[str, Any] = {"title": None, "scale": alt.Scale(domain=list(kinds))}
    spec = layered(
        base.mark_rule(style="open").encode(x=low, x2="high:Q"),
        base.mark_point(filled=True, size=70, opacity=1).encode(
            x=alt.X("depth:Q"),
            color=alt.Color("list:N", **kind),
            shape=alt.Shape("list:N", **kind),
            tooltip=tips(
                ("user:N", "User"), ("list:N", "On"), ("depth:Q", "Expected depth", ",.2f")
            ),
        ),
        height=20 * len(shown),
        description="Expected depth of every user.",
    )
    return Chart(name="depths", title="How deep users go", spec=spec, wide=True)
