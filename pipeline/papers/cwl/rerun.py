"""The rerun of the C/W/L tutorial: its examples, and measures compared as users."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pipeline.config.scale import Scale
from pipeline.gains.from_labels import from_labels
from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.papers.cwl.users import User, chart_depths, chart_users, every_user, figure
from pipeline.papers.cwl.users import lists as lists_of
from pipeline.papers.cwl.users import users as users_on
from pipeline.papers.outcome import Outcome, Section, Table, Texts, side_by_side
from pipeline.papers.paper import Given
from pipeline.papers.published import Cell, Figures, compared

TEXTS = Texts(Path(__file__).with_name("page.txt"))
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
ACCOUNTS = {
    "AP": "AP",
    "its user in C/W/L, EU(AP)": "EU(AP)",
    "over the retrieved alone, TrAP": "TrAP",
    "who wants n clicks, PAP": "PAP(gain=binary)",
    "RR": "RR",
    "expected depth of AP's user, ED(AP)": "ED(AP)",
}
LEVEL = 1e-12
Choices = Mapping[str, Mapping[str, tuple[float, float]]]  # question, user: utility of both pages


def rerun(given: Given, printed: Figures) -> Outcome:
    """AP with its examples, the result pages to choose from, and every user model as a user."""
    gains, ranks = given.settings["gains"], given.settings["ranks"]
    cells = precision_cells(printed)
    texts = [*every_user(), *given.settings["models"]]
    on_list, on_none = (
        users_on(texts, lists_of(some, ranks=ranks), ranks=ranks) for some in (gains, ())
    )
    choices = _choices(on_list)
    first, last = (end(on_list, key=lambda user: user.depth) for end in (min, max))
    deepest = (
        f"Of {len(on_list)} users on this list {last.label} looks at most documents "
        f"({last.depth:,.1f} expected), {first.label} at fewest ({first.depth:,.1f})."
    )
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


def precision_cells(printed: Figures) -> list[Cell]:
    """The figures the tutorial prints of average precision."""
    full, lacking = _list(FULL), _list(LACKING, elsewhere=1)
    table = "AP with one not retrieved"
    precision = {rank: _value(f"P@{rank}", lacking) for rank in FOUND}
    rest = _value("AP", lacking) * 6 - sum(precision.values())
    return [
        compared(printed["AP", "six relevant documents of ten", "AP"], _value("AP", full)),
        *(compared(printed[table, f"P@{r}", "precision"], one) for r, one in precision.items()),
        compared(printed[table, "not retrieved", "precision"], rest),
    ]


def _list(gains: Sequence[int], *, elsewhere: int = 0) -> Gains:
    """A ranking, and so many relevant documents that only another run retrieved."""
    other = [1] * elsewhere + [0] * (len(gains) - elsewhere)
    return from_labels({"t": np.array([[gains], [other]], float)}, scales={"t": BINARY})


def _value(text: str, data: Gains) -> float:
    return float(parse(text, dimensions=["t"]).value(data)[0])


def _precision(cells: Sequence[Cell]) -> Section:
    full, lacking = _list(FULL), _list(LACKING, elsewhere=1)
    printed, terms = (
        [cell for cell in cells if (cell.printed.table == "AP") == whole] for whole in (True, False)
    )
    rows = [(name, _value(text, full), _value(text, lacking)) for name, text in ACCOUNTS.items()]
    columns = ("Account", "all retrieved", "one not retrieved")
    return TEXTS.section(
        "average-precision",
        tables=[
            side_by_side(printed, "ap", "Average precision, ours above print"),
            side_by_side(terms, "ap-lacking", "The terms with one document not retrieved"),
            Table("ap-users", "The user of average precision", columns, rows),
        ],
    )


def _users(users: Sequence[User], nothing: Sequence[User], *, gains: Sequence[float]) -> Section:
    alone = {user.name: user.depth for user in nothing}
    columns = (
        *("User", "C(i)", "Expected depth", "if nothing gains", "W(1)"),
        *("Expected utility", "Source"),
    )
    rows = [
        (
            *(user.label, user.formula, user.depth, alone[user.name], float(user.weight[0])),
            *(user.utility, user.citation),
        )
        for user in users
    ]
    return TEXTS.section(
        "users",
        gains=", ".join(f"{gain:g}" for gain in gains),
        charts=[chart_users(users, gains=gains), chart_depths(users, alone)],
        tables=[Table("users", "Every user model", columns, rows)],
    )


def _choices(users: Sequence[User]) -> Choices:
    choices: dict[str, dict[str, tuple[float, float]]] = {}
    for number, pages in QUESTIONS.items():
        data = lists_of(*pages, ranks=len(pages[0]))
        choices[number] = {}
        for user in users:
            one, two = figure("EU", user.name).value(data).tolist()
            choices[number][user.label] = (one, two)
    return choices


def _better(pair: tuple[float, float]) -> str:
    one, two = pair
    return "one" if one > two + LEVEL else "two" if two > one + LEVEL else "neither"


def _answers(choices: Choices) -> list[str]:
    sentences = []
    for number, values in choices.items():
        better = [_better(pair) for pair in values.values()]
        one, two = better.count("one"), better.count("two")
        sentences.append(
            f"Which result page is better, question {number}: {one} of {len(values)} users "
            f"prefer the first, {two} the second, {len(values) - one - two} see no difference."
        )
    return sentences


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
    (rbp,) = users_on(["RBP(p=0.8)"], lists_of(gains, ranks=ranks), ranks=ranks)
    weighted = zip(gains, rbp.weight.tolist(), strict=False)
    rows = [
        (str(rank), gain, weight, gain * weight)
        for rank, (gain, weight) in enumerate(weighted, start=1)
    ]
    total = ("sum", sum(gains), None, sum(row[3] for row in rows))
    columns = ("Rank", "Gain", "Weight", "Weight x gain")
    table = Table("weight-and-gain", "RBP, rank by rank", columns, [*rows, total])
    return TEXTS.section("weight-and-gain", tables=[table])
