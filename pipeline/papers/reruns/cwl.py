"""Azzopardi, Moffat, Thomas & Zuccon 2021: the C/W/L tutorial, measures compared as users."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from pipeline.config.base import Mistakes, Share, Text, Whole
from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.gains.from_labels import from_labels
from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.cwl.declare import MODELS
from pipeline.measures.cwl.walk import WALK_FIGURES
from pipeline.measures.measure import Single
from pipeline.papers.outcome import Outcome, Section, Table, Texts
from pipeline.papers.paper import Given, Paper, PaperKeys
from pipeline.papers.published import Cell, Figures, compared, read
from pipeline.report.charts import Chart
from pipeline.storage.arrays import Floats

TEXTS = Texts(Path(__file__).with_name("cwl.txt"))
BINARY = Scale(0, 1, "high", 1, None, ())
FULL = (1, 0, 1, 1, 1, 1, 0, 0, 0, 1)  # AP of 0.78
LACKING = (0, 1, 0, 0, 1, 1, 1, 0, 0, 1)  # one of six relevant documents is not retrieved
FOUND = (2, 5, 6, 7, 10)
ONE_LACKING = "AP with one not retrieved"
# Test your evaluation intuition: which of two result pages is better?
QUESTIONS: Mapping[str, tuple[Sequence[int], Sequence[int]]] = {
    "1": ((1, 1, 0, 0, 0, 0), (0, 0, 0, 1, 0, 0)),
    "2": ((1, 1, 0, 0, 0, 0), (1, 1, 0, 1, 0, 0)),
    "3": ((0, 0, 0, 1, 1, 1), (1, 0, 0, 0, 0, 0)),
}
ACCOUNTS = {
    "AP": "AP",
    "its user in C/W/L, EU(AP)": "EU(AP)",
    "over the retrieved alone, TrAP": "TrAP",
    "who wants n clicks, PAP": "PAP(gain=binary)",
    "RR": "RR",
    "expected depth of AP's user, ED(AP)": "ED(AP)",
}
LEVEL = 1e-12
CUT = 10  # of the models that need one
DIMENSION = "gain"
COLUMNS, HEIGHT, AROUND = 3, 120, 62  # panels in a row, the height of one, its titles and axes
Choices = Mapping[str, Mapping[str, tuple[float, float]]]  # question, user: utility of both pages


class Keys(PaperKeys):
    """The ranking that users are plotted on, and further users."""

    gains: Annotated[tuple[Share, ...], Field(min_length=1)] = Field(
        (0, 0, 1, 0.5, 1),
        description="Gains, rank by rank, of the ranking the users are plotted on; the tutorial's "
        "example by default (bad, bad, good, fair, good).",
    )
    ranks: Whole = Field(20, ge=2, le=1000, description="Ranks that are plotted.")
    models: tuple[Text, ...] = Field(
        (),
        description='Further user models to plot, for example `"RBP(p=0.95)"`; every model of the '
        "engine, your own too, is there with its default parameters.",
    )

    def problems(self) -> Mistakes:
        """The gains fit the ranks, and there are such models."""
        if len(self.gains) > self.ranks:
            yield ("gains",), f"has more entries than the {self.ranks} ranks shown", "raise ranks"
        for place, text in enumerate(self.models):
            try:
                figure("ED", text)
            except InputError as error:
                yield ("models", place), str(error), "correct it"


@dataclass(frozen=True, kw_only=True)
class User:
    """A user on a list; `others` are written differently and go down it alike."""

    name: str
    others: tuple[str, ...]
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


@Paper.declare(
    "cwl",
    title="The C/W/L tutorial",
    citation="Azzopardi, Moffat, Thomas & Zuccon, User models, metrics and measures of search: a "
    "tutorial on the CWL evaluation framework, CHIIR 2021",
    keys=Keys,
    order=6,
)
def cwl(given: Given) -> Outcome:
    """AP with its examples, the result pages to choose from, and every user model as a user."""
    gains, ranks = given.settings["gains"], given.settings["ranks"]
    cells = _precision_cells(read(__file__, "cwl.csv"))
    texts = [*every_user(), *given.settings["models"]]
    on_list, on_none = (users_on(texts, lists(some, ranks=ranks)) for some in (gains, ()))
    choices = _choices(on_list)
    first, last = (end(on_list, key=lambda user: user.depth) for end in (min, max))
    deepest = TEXTS.sentence("finding-depth", users=len(on_list), first=first, last=last)
    return Outcome(
        cells=cells,
        findings=[deepest, *_answers(choices)],
        sections=[
            _users(on_list, on_none, gains=gains),
            _questions(choices),
            _precision(cells),
            _page(gains, ranks=ranks),
        ],
    )


def _precision_cells(printed: Figures) -> list[Cell]:
    """The figures the tutorial prints of average precision."""
    full, lacking = _list(FULL), _list(LACKING, elsewhere=1)
    precision = {rank: _value(f"P@{rank}", lacking) for rank in FOUND}
    rest = _value("AP", lacking) * 6 - sum(precision.values())
    return [
        compared(printed["AP", "six relevant documents of ten", "AP"], _value("AP", full)),
        *(
            compared(printed[ONE_LACKING, f"P@{r}", "precision"], one)
            for r, one in precision.items()
        ),
        compared(printed[ONE_LACKING, "not retrieved", "precision"], rest),
    ]


def _list(gains: Sequence[int], *, elsewhere: int = 0) -> Gains:
    """A ranking, and so many relevant documents that only another run retrieved."""
    other = [1] * elsewhere + [0] * (len(gains) - elsewhere)
    return from_labels({"t": np.array([[gains], [other]], float)}, scales={"t": BINARY})


def _value(text: str, data: Gains) -> float:
    return float(parse(text, dimensions=["t"]).value(data)[0])


def _precision(cells: Sequence[Cell]) -> Section:
    full, lacking = _list(FULL), _list(LACKING, elsewhere=1)
    rows = [(name, _value(text, full), _value(text, lacking)) for name, text in ACCOUNTS.items()]
    return TEXTS.section(
        "average-precision",
        tables=[
            TEXTS.beside("ap", cells, of="AP"),
            TEXTS.beside("ap-lacking", cells, of=ONE_LACKING),
            TEXTS.table("ap-users", rows),
        ],
    )


def _users(users: Sequence[User], nothing: Sequence[User], *, gains: Sequence[float]) -> Section:
    alone = {user.name: user.depth for user in nothing}
    rows = [
        (
            *(user.label, user.formula, user.depth, alone[user.name], float(user.weight[0])),
            *(user.utility, user.citation),
        )
        for user in users
    ]
    deepest_last = sorted(users, key=lambda user: user.depth)
    return TEXTS.section(
        "users",
        gains=", ".join(f"{gain:g}" for gain in gains),
        charts=[_curves_chart(deepest_last, gains), _depths_chart(deepest_last, alone)],
        tables=[TEXTS.table("users", rows)],
    )


def _choices(users: Sequence[User]) -> Choices:
    choices: dict[str, dict[str, tuple[float, float]]] = {}
    for number, pages in QUESTIONS.items():
        data = lists(*pages, ranks=len(pages[0]))
        utility = {user.label: figure("EU", user.name).value(data).tolist() for user in users}
        choices[number] = {label: (one, two) for label, (one, two) in utility.items()}
    return choices


def _better(pair: tuple[float, float]) -> str:
    one, two = pair
    return "one" if one > two + LEVEL else "two" if two > one + LEVEL else "neither"


def _answers(choices: Choices) -> list[str]:
    return [
        TEXTS.sentence(
            "finding-better",
            number=number,
            all=len(values),
            better=Counter(map(_better, values.values())),
        )
        for number, values in choices.items()
    ]


def _questions(choices: Choices) -> Section:
    def words(gains: Sequence[int]) -> str:
        return " ".join("good" if gain else "bad" for gain in gains)

    pages = (f"{number}: {words(one)} or {words(two)}" for number, (one, two) in QUESTIONS.items())
    columns = [f"{number}: {end}" for number in choices for end in ("one", "two", "better")]
    rows = []
    for label in next(iter(choices.values())):
        pairs = [values[label] for values in choices.values()]
        rows.append((label, *(value for pair in pairs for value in (*pair, _better(pair)))))
    table = Table("questions", "What each user prefers", ("User", *columns), rows)
    return TEXTS.section("questions", pages="; ".join(pages), tables=[table])


def _page(gains: Sequence[float], *, ranks: int) -> Section:
    (rbp,) = users_on(["RBP(p=0.8)"], lists(gains, ranks=ranks))
    weighted = zip(gains, rbp.weight.tolist(), strict=False)
    rows = [
        (str(rank), gain, weight, gain * weight)
        for rank, (gain, weight) in enumerate(weighted, start=1)
    ]
    total = ("sum", sum(gains), None, sum(row[3] for row in rows))
    table = TEXTS.table("weight-and-gain", [*rows, total])
    return TEXTS.section("weight-and-gain", tables=[table])


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


def users_on(texts: Sequence[str], gains: Gains) -> list[User]:
    """The users on the first list; those with the same C and the same tail are one."""
    figures = {one.name: one for one in (figure("ED", text) for text in texts)}
    found: dict[tuple[object, ...], list[Single]] = {}
    for one in figures.values():
        model = MODELS[one.declaration.name]
        same = (model.function, model.tail, model.gain, one.cutoff, *sorted(one.params.items()))
        found.setdefault(same, []).append(one)
    return [_user(alike, gains) for alike in found.values()]


def _user(alike: Sequence[Single], gains: Gains) -> User:
    one = alike[0]
    model = MODELS[one.declaration.name]
    met = model.ranks(gains.view(one.readings).at(one.cutoff))
    walk, ranks = model.walk(met, one.params), gains.dimensions[DIMENSION].codes.shape[1]

    def row(values: Floats) -> Floats:
        """The first one, to the last rank."""
        head = values[0, :ranks]
        return np.pad(head, (0, ranks - len(head)))

    chance = row(model.continuation(met, one.params))
    if one.cutoff is not None:
        chance[one.cutoff - 1 :] = 0.0  # behind the last rank the user looks at
    name, *others = (same.name.removeprefix("ED(").removesuffix(")") for same in alike)
    return User(
        name=name,
        others=tuple(others),
        formula=model.formula,
        citation=model.citation,
        go_on=chance,
        weight=row(walk.weights),
        leave=row(walk.reach) * (1 - chance),
        depth=float(WALK_FIGURES["ED"].read(walk)[0]),
        utility=float(WALK_FIGURES["EU"].read(walk)[0]),
    )


def _curves_chart(users: Sequence[User], gains: Sequence[float]) -> Chart:
    """C, W and L of every user."""
    # The title of a user's panel; its two lines are divided by a bar.
    panels = {user.name: f"{user.label} | expected depth {user.depth:,.1f}" for user in users}
    values: list[dict[str, Any]] = []
    for user in users:
        curves = {"C": user.go_on, "W": user.weight, "L": user.leave, "gain": np.array(gains)}
        values += [
            {"user": panels[user.name], "curve": curve, "rank": rank, "value": round(value, 5)}
            for curve, row in curves.items()
            for rank, value in enumerate(row.tolist(), start=1)
            if curve != "gain" or value
        ]
    return TEXTS.chart(
        "cwl_users.yaml", {"curves": values}, name="users", title="C, W and L, rank by rank",
        around=math.ceil(len(users) / COLUMNS) * (HEIGHT + AROUND), wide=True,
        columns=COLUMNS, height=HEIGHT, panels=list(panels.values()),
    )  # fmt: skip


def _depths_chart(users: Sequence[User], nothing: Mapping[str, float]) -> Chart:
    """Expected depth of every user, on the list and where nothing gains."""
    kinds = ("this list", "nothing gains")
    values = [
        {"user": user.label, "list": kind, "depth": depth, "low": min(pair), "high": max(pair)}
        for user in users
        for pair in [(user.depth, nothing[user.name])]
        for kind, depth in zip(kinds, pair, strict=True)
    ]
    return TEXTS.chart(
        "cwl_depths.yaml", {"depths": values}, name="depths", title="How deep users go", wide=True,
        height=20 * len(users), users=[user.label for user in users], lists=list(kinds),
    )  # fmt: skip
