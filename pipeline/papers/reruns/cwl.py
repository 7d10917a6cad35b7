"""Azzopardi, Moffat, Thomas & Zuccon 2021: the C/W/L tutorial, measures compared as users."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.errors import InputError
from pipeline.gains.from_labels import from_labels
from pipeline.gains.gains import Gains
from pipeline.labels.scale import Scale
from pipeline.measures import parse
from pipeline.papers.outcome import Outcome, Section, Table, side_by_side
from pipeline.papers.paper import Given, Problems, Settings, paper
from pipeline.papers.published import Cell, Printed, compared, read
from pipeline.papers.reruns import cwl_charts, cwl_users
from pipeline.papers.reruns.cwl_users import User

KEYS: dict[str, dict[str, Any]] = {
    "gains": {
        "description": "Gains, rank by rank, of the list the users are plotted on; the tutorial's "
        "example by default (bad, bad, good, fair, good).",
        "type": "array",
        "minItems": 1,
        "items": {"type": "number", "minimum": 0, "maximum": 1},
        "default": [0, 0, 1, 0.5, 1],
    },
    "ranks": {
        "description": "Ranks that are plotted.",
        "type": "integer",
        "minimum": 2,
        "maximum": 1000,
        "default": 20,
    },
    "models": {
        "description": 'Further user models to plot, as `"RBP(p=0.95)"`; every model of the '
        "engine, your own too, is there with its default parameters.",
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "default": [],
    },
}
BINARY = Scale(0, 1, "high", 1, None, ())
FULL = (1, 0, 1, 1, 1, 1, 0, 0, 0, 1)  # AP of 0.78
LACKING = (0, 1, 0, 0, 1, 1, 1, 0, 0, 1)  # one of six relevant documents is not retrieved
FOUND = (2, 5, 6, 7, 10)
# Test your evaluation intuition: which of two result pages is better?
QUESTIONS: Mapping[str, tuple[Sequence[int], Sequence[int]]] = {
    "1": ((1, 1, 0, 0, 0, 0), (0, 0, 0, 1, 0, 0)),
    "2": ((1, 1, 0, 0, 0, 0), (1, 1, 0, 1, 0, 0)),
    "3": ((0, 0, 0, 1, 1, 1), (1, 0, 0, 0, 0, 0)),
}
LEVEL = 1e-12


def problems(settings: Settings) -> Problems:
    """What no schema can say of the keys."""
    if len(settings["gains"]) > settings["ranks"]:
        yield "gains", f"has more entries than the {settings['ranks']} ranks shown; raise ranks"
    for text in settings["models"]:
        try:
            cwl_users.figure("ED", text)
        except InputError as error:
            yield "models", f"holds '{text}': {error}"


@paper(
    "cwl",
    title="The C/W/L tutorial",
    citation="Azzopardi, Moffat, Thomas & Zuccon, User models, metrics and measures of search: a "
    "tutorial on the CWL evaluation framework, CHIIR 2021",
    keys=KEYS,
    problems=problems,
    order=6,
)
def cwl(given: Given) -> Outcome:
    """AP with its examples, the result pages to choose from, and every user model as a user."""
    settings, printed = given.settings, read(__file__, "cwl.csv")
    cells = precision_cells(printed)
    ranks = settings["ranks"]
    texts = [*cwl_users.every_user(), *settings["models"]]
    on_list = cwl_users.users(texts, cwl_users.lists(settings["gains"], ranks=ranks), ranks=ranks)
    on_none = cwl_users.users(texts, cwl_users.lists((), ranks=ranks), ranks=ranks)
    return Outcome(
        cells=cells,
        findings=[_deepest(on_list), *_answers(on_list)],
        sections=[
            _users(on_list, on_none, gains=settings["gains"]),
            _questions(on_list),
            _precision(cells),
            _page(settings["gains"], ranks=ranks),
        ],
    )


# ---- average precision ------------------------------------------------------------------------


def precision_cells(printed: Mapping[tuple[str, str, str], Printed]) -> list[Cell]:
    """The figures the tutorial prints of average precision."""
    full, lacking = _list(FULL), _list(LACKING, elsewhere=1)
    table = "AP with one not retrieved"
    sums = _value("AP", lacking) * 6 - sum(_value(f"P@{rank}", lacking) for rank in FOUND)
    return [
        compared(printed["AP", "six relevant documents of ten", "AP"], _value("AP", full)),
        *(
            compared(printed[table, f"P@{rank}", "precision"], _value(f"P@{rank}", lacking))
            for rank in FOUND
        ),
        compared(printed[table, "not retrieved", "precision"], sums),
    ]


def _list(gains: Sequence[int], *, elsewhere: int = 0) -> Gains:
    """A list, and so many relevant documents that only another run found."""
    other = [1] * elsewhere + [0] * (len(gains) - elsewhere)
    labels = np.array([[gains], [other]], float)
    return from_labels({"t": labels}, scales={"t": BINARY})


def _value(text: str, data: Gains) -> float:
    return float(parse(text, dimensions=["t"]).value(data)[0])


def _precision(cells: Sequence[Cell]) -> Section:
    lacking = _list(LACKING, elsewhere=1)
    rows = [
        (name, _value(text, _list(FULL)), _value(text, lacking))
        for name, text in (
            ("AP", "AP"),
            ("its user in C/W/L, EU(AP)", "EU(AP)"),
            ("over the retrieved alone, TrAP", "TrAP"),
            ("who wants n clicks, PAP", "PAP(gain=binary)"),
            ("RR", "RR"),
            ("expected depth of AP's user, ED(AP)", "ED(AP)"),
        )
    ]
    return Section(
        name="average-precision",
        title="Average precision",
        text=[
            "Relevant documents at ranks 1, 3, 4, 5, 6 and 10 (AP 0.78), and at ranks 2, 5, 6, 7 "
            "and 10 with a sixth that is not retrieved, whose precision counts as 0.",
            "Three accounts of the user give the same figure: AP as defined, the C/W/L user who "
            "leaves at each relevant document so that every precision counts alike, and the one "
            "who wants n relevant documents, n from 1 to R alike.",
        ],
        tables=[
            side_by_side(
                [cell for cell in cells if cell.printed.table == "AP"],
                name="ap",
                title="Average precision, ours above print",
            ),
            side_by_side(
                [cell for cell in cells if cell.printed.table != "AP"],
                name="ap-lacking",
                title="The terms with one document not retrieved",
            ),
            Table(
                name="ap-users",
                title="The user of average precision",
                columns=("Account", "all retrieved", "one not retrieved"),
                rows=rows,
            ),
        ],
    )


# ---- users ------------------------------------------------------------------------------------


def _deepest(found: Sequence[User]) -> str:
    first, last = (end(found, key=lambda user: user.depth) for end in (min, max))
    return (
        f"Of {len(found)} users on this list {last.label} looks at most documents "
        f"({last.depth:,.1f} expected), {first.label} at fewest ({first.depth:,.1f})."
    )


def _users(found: Sequence[User], nothing: Sequence[User], *, gains: Sequence[float]) -> Section:
    alone = {user.name: user.depth for user in nothing}
    shown = ", ".join(f"{gain:g}" for gain in gains)
    return Section(
        name="users",
        title="Users",
        text=[
            "C(i): the chance to go on from rank i to the next. W(i): the share of attention "
            "rank i gets. L(i): the share of users who leave there. "
            f"All on a list with the gains {shown} and nothing behind them, each document at a "
            "cost of 1. Dotted: rank and gain of the list.",
            "A measure is a user: what it values is W times gain, and its expected depth is "
            "1 / W(1). Your own model in pipeline/measures/cwl/models appears here by itself; "
            "other parameters are plotted with the key models.",
        ],
        charts=[cwl_charts.panels(found, gains=gains), cwl_charts.depths(found, alone)],
        tables=[
            Table(
                name="users",
                title="Every user model",
                columns=(
                    "User", "C(i)", "Expected depth", "if nothing gains", "W(1)",
                    "Expected utility", "Source",
                ),
                rows=[
                    (
                        user.label, user.formula, user.depth, alone[user.name],
                        float(user.weight[0]), user.utility, user.citation,
                    )
                    for user in found
                ],
            )
        ],
    )  # fmt: skip


def _choices(found: Sequence[User]) -> dict[str, dict[str, tuple[float, float]]]:
    """For each question and user, the expected utility of both result pages."""
    told: dict[str, dict[str, tuple[float, float]]] = {}
    for number, pages in QUESTIONS.items():
        data = cwl_users.lists(*pages, ranks=len(pages[0]))
        told[number] = {}
        for user in found:
            one, two = cwl_users.figure("EU", user.name).value(data).tolist()
            told[number][user.label] = (one, two)
    return told


def _answers(found: Sequence[User]) -> list[str]:
    sentences = []
    for number, values in _choices(found).items():
        one = sum(a > b + LEVEL for a, b in values.values())
        two = sum(b > a + LEVEL for a, b in values.values())
        sentences.append(
            f"Which result page is better, question {number}: {one} of {len(values)} users "
            f"prefer the first, {two} the second, {len(values) - one - two} see no difference."
        )
    return sentences


def _questions(found: Sequence[User]) -> Section:
    told = _choices(found)

    def choice(pair: tuple[float, float]) -> str:
        one, two = pair
        return "one" if one > two + LEVEL else "two" if two > one + LEVEL else "neither"

    pages = "; ".join(
        f"{number}: {' '.join(map(_word, one))} or {' '.join(map(_word, two))}"
        for number, (one, two) in QUESTIONS.items()
    )
    return Section(
        name="questions",
        title="Which is better?",
        text=[
            f"The tutorial asks which of two result pages is better ({pages}) and leaves the "
            "answer to the audience. It depends on the user: here is the expected utility per "
            "document that each has of both pages, and which she prefers."
        ],
        tables=[
            Table(
                name="questions",
                title="What each user prefers",
                columns=(
                    "User",
                    *(f"{number}: {end}" for number in told for end in ("one", "two", "better")),
                ),
                rows=[
                    (
                        user.label,
                        *(
                            value
                            for number in told
                            for pair in [told[number][user.label]]
                            for value in (*pair, choice(pair))
                        ),
                    )
                    for user in found
                ],
            )
        ],
    )


def _word(gain: float) -> str:
    return "good" if gain else "bad"


def _page(gains: Sequence[float], *, ranks: int) -> Section:
    (rbp,) = cwl_users.users(["RBP(p=0.8)"], cwl_users.lists(gains, ranks=ranks), ranks=ranks)
    rows = [
        (f"{rank}", gain, weight, gain * weight)
        for rank, (gain, weight) in enumerate(
            zip(gains, rbp.weight.tolist(), strict=False), start=1
        )
    ]
    return Section(
        name="weight-and-gain",
        title="Weight times gain",
        text=[
            "How a ranking is assessed: the gain of each rank, weighted by the attention it gets. "
            "Here for RBP(p=0.8, gain=graded) on the list above; the products add up to its value."
        ],
        tables=[
            Table(
                name="weight-and-gain",
                title="RBP, rank by rank",
                columns=("Rank", "Gain", "Weight", "Weight x gain"),
                rows=[*rows, ("sum", sum(gains), None, sum(row[3] for row in rows))],
            )
        ],
    )
