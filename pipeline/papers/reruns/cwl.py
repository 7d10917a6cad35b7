"""Azzopardi, Moffat, Thomas & Zuccon 2021: the C/W/L tutorial, measures as user models."""

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
from pipeline.papers.outcome import PageSection, PageTable, RerunResult, Texts
from pipeline.papers.paper import Paper, PaperInputs, PaperKeys
from pipeline.papers.published import ComparedFigure, Figures, compared, read
from pipeline.report.charts import Chart
from pipeline.storage.arrays import Floats

TEXTS = Texts(Path(__file__).with_name("cwl.txt"))
BINARY = Scale(0, 1, "high", 1, None, ())
FULL = (1, 0, 1, 1, 1, 1, 0, 0, 0, 1)  # AP of 0.78
LACKING = (0, 1, 0, 0, 1, 1, 1, 0, 0, 1)  # one of six relevant documents is not retrieved
RELEVANT_RANKS = (2, 5, 6, 7, 10)  # of LACKING
ONE_LACKING = "AP with one not retrieved"
# The tutorial's questions: which of two result pages is better?
QUESTIONS: Mapping[str, tuple[Sequence[int], Sequence[int]]] = {
    "1": ((1, 1, 0, 0, 0, 0), (0, 0, 0, 1, 0, 0)),
    "2": ((1, 1, 0, 0, 0, 0), (1, 1, 0, 1, 0, 0)),
    "3": ((0, 0, 0, 1, 1, 1), (1, 0, 0, 0, 0, 0)),
}
ACCOUNTS = {
    "AP": "AP",
    "its user in C/W/L, EU(AP)": "EU(AP)",
    "over retrieved documents only, TrAP": "TrAP",
    "a user who wants n clicks, PAP": "PAP(gain=binary)",
    "RR": "RR",
    "expected depth of AP's user, ED(AP)": "ED(AP)",
}
LEVEL = 1e-12
CUT = 10  # cutoff of the models that need one
DIMENSION = "gain"
COLUMNS, HEIGHT, AROUND = 3, 120, 62  # panels per row, their height, and that of titles and axes
Choices = Mapping[str, Mapping[str, tuple[float, float]]]  # question, user: utility of both pages


class CwlKeys(PaperKeys):
    """The ranking for which user models are plotted, and further user models."""

    gains: Annotated[tuple[Share, ...], Field(min_length=1)] = (0, 0, 1, 0.5, 1)
    """Gains, rank by rank, of the ranking for which user models are plotted; by default the
    tutorial's example (bad, bad, good, fair, good)."""
    ranks: Whole = Field(20, ge=2, le=1000)
    """Number of ranks to plot."""
    models: tuple[Text, ...] = ()
    """Further user models to plot, for example `"RBP(p=0.95)"`; every registered model, also your
    own, is plotted with its default parameters."""

    def problems(self) -> Mistakes:
        if len(self.gains) > self.ranks:
            yield ("gains",), f"has more entries than the {self.ranks} ranks", "raise ranks"
        for place, text in enumerate(self.models):
            try:
                figure("ED", text)
            except InputError as error:
                yield ("models", place), str(error), "correct it"


@dataclass(frozen=True, kw_only=True)
class User:
    """A user model on a ranking; `synonyms` are other models with the same C there."""

    name: str
    synonyms: tuple[str, ...]
    formula: str
    citation: str
    continuation: Floats  # C, W and L at each rank
    weight: Floats
    last: Floats
    depth: float  # ED
    utility: float  # EU

    @property
    def label(self) -> str:
        return " = ".join((self.name, *self.synonyms))


@Paper.declare(
    "cwl",
    title="The C/W/L tutorial",
    citation="Azzopardi, Moffat, Thomas & Zuccon, User models, metrics and measures of search: a "
    "tutorial on the CWL evaluation framework, CHIIR 2021",
    keys=CwlKeys,
    order=6,
)
def cwl(inputs: PaperInputs) -> RerunResult:
    """The examples of AP, the questions on result pages, and C, W and L of every user model."""
    gains, ranks = inputs.settings["gains"], inputs.settings["ranks"]
    cells = _precision_cells(read(__file__, "cwl.csv"))
    texts = [*every_user(), *inputs.settings["models"]]
    users, on_nothing = (users_on(texts, lists(row, ranks=ranks)) for row in (gains, ()))
    choices = _choices(users)
    first, last = (end(users, key=lambda user: user.depth) for end in (min, max))
    deepest = TEXTS.sentence("finding-depth", users=len(users), first=first, last=last)
    return RerunResult(
        cells=cells,
        findings=[deepest, *_answers(choices)],
        sections=[
            _users(users, on_nothing, gains=gains),
            _questions(choices),
            _precision(cells),
            _page(gains, ranks=ranks),
        ],
    )


def _precision_cells(printed: Figures) -> list[ComparedFigure]:
    full, lacking = _list(FULL), _list(LACKING, elsewhere=1)
    precision = {rank: _value(f"P@{rank}", lacking) for rank in RELEVANT_RANKS}
    rest = _value("AP", lacking) * 6 - sum(precision.values())
    return [
        compared(printed["AP", "six relevant documents of ten", "AP"], _value("AP", full)),
        *(compared(printed[ONE_LACKING, f"P@{r}", "precision"], p) for r, p in precision.items()),
        compared(printed[ONE_LACKING, "not retrieved", "precision"], rest),
    ]


def _list(gains: Sequence[int], *, elsewhere: int = 0) -> Gains:
    """A ranking, with `elsewhere` relevant documents that only another run retrieved."""
    unretrieved = [1] * elsewhere + [0] * (len(gains) - elsewhere)
    return from_labels({"t": np.array([[gains], [unretrieved]], float)}, scales={"t": BINARY})


def _value(text: str, data: Gains) -> float:
    return float(parse(text, dimensions=["t"]).value(data)[0])


def _precision(cells: Sequence[ComparedFigure]) -> PageSection:
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


def _users(users: Sequence[User], empty: Sequence[User], *, gains: Sequence[float]) -> PageSection:
    alone = {user.name: user.depth for user in empty}
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
        choices[number] = {label: (pair[0], pair[1]) for label, pair in utility.items()}
    return choices


def _better(pair: tuple[float, float]) -> str:
    first, second = pair
    return "one" if first > second + LEVEL else "two" if second > first + LEVEL else "neither"


def _answers(choices: Choices) -> list[str]:
    answers = {number: Counter(map(_better, pairs.values())) for number, pairs in choices.items()}
    return [
        TEXTS.sentence("finding-better", number=number, all=better.total(), better=better)
        for number, better in answers.items()
    ]


def _questions(choices: Choices) -> PageSection:
    def words(gains: Sequence[int]) -> str:
        return " ".join("good" if gain else "bad" for gain in gains)

    pages = (f"{number}: {' or '.join(map(words, pair))}" for number, pair in QUESTIONS.items())
    columns = [f"{number}: {end}" for number in choices for end in ("one", "two", "better")]
    rows = []
    for label in next(iter(choices.values())):
        pairs = [values[label] for values in choices.values()]
        rows.append((label, *(value for pair in pairs for value in (*pair, _better(pair)))))
    table = PageTable("questions", "Preference of each user model", ("User model", *columns), rows)
    return TEXTS.section("questions", pages="; ".join(pages), tables=[table])


def _page(gains: Sequence[float], *, ranks: int) -> PageSection:
    (rbp,) = users_on(["RBP(p=0.8)"], lists(gains, ranks=ranks))
    weighted = zip(gains, rbp.weight.tolist(), strict=False)
    rows = [(str(rank), g, w, g * w) for rank, (g, w) in enumerate(weighted, start=1)]
    total = ("sum", sum(gains), None, sum(row[3] for row in rows))
    return TEXTS.section("weight-and-gain", tables=[TEXTS.table("weight-and-gain", [*rows, total])])


def lists(*gains: Sequence[float], ranks: int) -> Gains:
    """Rankings as topics of one run, each with its gains at the top and zeros below."""
    table = np.zeros((1, len(gains), ranks))
    for row, ranking in enumerate(gains):
        table[0, row, : len(ranking)] = ranking
    positive = table[table > 0]
    # To a binary model any positive gain is relevant.
    scale = Scale(0, 1, "high", float(positive.min()) if positive.size else 1.0, None, ())
    return from_labels({DIMENSION: table}, scales={DIMENSION: scale})


def every_user() -> list[str]:
    """All registered user models with their default parameters."""
    return [
        name + (f"@{CUT}" if model.cutoff == "required" else "")
        for name, model in sorted(MODELS.items(), key=lambda item: item[0].lower())
    ]


def figure(name: str, text: str) -> Single:
    """A figure (ED, EU) of a user model as a measure; other measures are refused."""
    measure = parse(f"{name}({text})", dimensions=[DIMENSION])
    if not isinstance(measure, Single):
        fix = 'use a user model, for example "RBP(p=0.95)"'
        raise InputError(Problem("", f"'{text}' is not a user model", fix))
    return measure


def users_on(texts: Sequence[str], gains: Gains) -> list[User]:
    """The user models on the first ranking; models with the same C and tail are merged."""
    figures = {measure.name: measure for measure in (figure("ED", text) for text in texts)}
    groups: dict[tuple[object, ...], list[Single]] = {}
    for measure in figures.values():
        model = MODELS[measure.declaration.name]
        params = sorted(measure.params.items())
        behaviour = (model.function, model.tail, model.gain, measure.cutoff, *params)
        groups.setdefault(behaviour, []).append(measure)
    return [_user(group, gains) for group in groups.values()]


def _user(group: Sequence[Single], gains: Gains) -> User:
    measure = group[0]
    model = MODELS[measure.declaration.name]
    documents = model.ranks(gains.view(measure.readings).at(measure.cutoff))
    walk, ranks = model.walk(documents, measure.params), gains.dimensions[DIMENSION].codes.shape[1]

    def row(values: Floats) -> Floats:
        """The values of the first ranking, padded to the last rank."""
        head = values[0, :ranks]
        return np.pad(head, (0, ranks - len(head)))

    chance = row(model.continuation(documents, measure.params))
    if measure.cutoff is not None:
        chance[measure.cutoff - 1 :] = 0.0  # the user looks no further
    name, *synonyms = (item.name.removeprefix("ED(").removesuffix(")") for item in group)
    return User(
        name=name,
        synonyms=tuple(synonyms),
        formula=model.formula,
        citation=model.citation,
        continuation=chance,
        weight=row(walk.weights),
        last=row(walk.reach) * (1 - chance),
        depth=float(WALK_FIGURES["ED"].read(walk)[0]),
        utility=float(WALK_FIGURES["EU"].read(walk)[0]),
    )


def _curves_chart(users: Sequence[User], gains: Sequence[float]) -> Chart:
    # The title of each panel; the chart breaks the line at the bar.
    panels = {user.name: f"{user.label} | expected depth {user.depth:,.1f}" for user in users}
    values: list[dict[str, Any]] = []
    for user in users:
        curves = {"C": user.continuation, "W": user.weight, "L": user.last, "gain": np.array(gains)}
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
    """Expected depth of every user model, on the ranking and on one without relevant documents."""
    kinds = ("this ranking", "nothing relevant")
    values = [
        {"user": user.label, "list": kind, "depth": depth, "low": min(pair), "high": max(pair)}
        for user in users
        for pair in [(user.depth, nothing[user.name])]
        for kind, depth in zip(kinds, pair, strict=True)
    ]
    return TEXTS.chart(
        "cwl_depths.yaml", {"depths": values}, name="depths", title="Expected depth", wide=True,
        height=20 * len(users), users=[user.label for user in users], lists=list(kinds),
    )  # fmt: skip
