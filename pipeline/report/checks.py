"""What was odd in the inputs: checks.csv with the runs worth a look first.

Only facts are found here; the words are in the template `odd`, for the report and the team pages.
What most runs share is said once, in a sentence, but does not make a run odd: in a campaign where
every run ties scores, marking every row would hide the one that lacks topics.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pipeline.errors import InputError
from pipeline.intake.meeting import FALL, FEW
from pipeline.report.wording import percent
from pipeline.storage import sheets

_JUDGED = "judged@"
_SHARES = ("tied_share", _JUDGED)  # columns that are shares of 1, by how they start
_HIDDEN = ("run", "team", "file")  # shown beside the findings, not as findings


@dataclass(frozen=True)
class Rule:
    """A column (by how its name starts), and when it is odd."""

    column: str
    odd: Callable[[str], bool]


@dataclass(frozen=True)
class Finding:
    """One cell: the text to show and whether it is odd; `sort` orders the column.

    It is not where most runs share what the `rule` it meets says.
    """

    text: str
    odd: bool
    sort: str
    rule: Rule | None = None


@dataclass(frozen=True)
class Checked:
    """One run's row of checks.csv."""

    run: str
    team: str
    file: str
    findings: tuple[Finding, ...]

    @property
    def oddities(self) -> int:
        """How many of its findings are odd."""
        return sum(finding.odd for finding in self.findings)


@dataclass(frozen=True)
class Shared:
    """How many of the runs a rule finds odd; common if they are most of them."""

    column: str
    count: int
    runs: int
    common: bool


@dataclass(frozen=True)
class Hardly:
    """A dimension whose labels are of almost none of the first documents, and the best one."""

    dimension: str
    share: float
    best: str
    best_share: float


@dataclass(frozen=True)
class Checks:
    """All of checks.csv: the runs with something odd (most first), the others, and a summary."""

    columns: tuple[str, ...]
    texts: frozenset[str]  # the columns that hold words, not numbers
    odd: tuple[Checked, ...]
    plain: tuple[Checked, ...]
    hardly: tuple[Hardly, ...]
    shared: tuple[Shared, ...]
    template: ClassVar[str] = "odd.html.j2"

    @property
    def anything(self) -> bool:
        """Whether there is something to say."""
        return bool(self.hardly or self.shared)


def _positive(cell: str) -> bool:
    """A count above 0, or a list of names: whatever is neither blank nor zero."""
    number = _number(cell)
    return bool(cell.strip()) if number is None else number > 0


def _above(limit: float) -> Callable[[str], bool]:
    return lambda cell: (number := _number(cell)) is not None and number > limit


def _below(limit: float) -> Callable[[str], bool]:
    return lambda cell: (number := _number(cell)) is not None and number < limit


RULES = (
    Rule("identical_to", _positive),
    Rule("no_team", _positive),
    Rule("missing_topics", _positive),
    Rule("unknown_topics", _positive),
    Rule("duplicates", _positive),
    Rule("bad_scores", _positive),
    Rule("tied_share", _above(0.1)),
    Rule("lost_order", _positive),
    Rule("top10_differs", _positive),
    Rule(_JUDGED, _below(0.5)),
    Rule("repairs", _positive),
)


def read_checks(path: Path) -> Checks:
    """Read checks.csv; columns this module has no rule for are shown and never odd."""
    names = tuple(next(sheets.lines(path), []))
    if "run" not in names:
        raise InputError(f"{path}: there is no column 'run' in the header.")
    records = sheets.read(path)
    columns = tuple(name for name in names if name not in _HIDDEN)
    counts = {rule.column: _count(rule, records, columns) for rule in RULES}
    telling = [rule for rule in RULES if not _common(counts[rule.column], len(records))]
    checked = [
        Checked(
            run=record["run"],
            team=record.get("team", ""),
            file=record.get("file", ""),
            findings=tuple(_finding(name, record[name], rules=telling) for name in columns),
        )
        for record in records
    ]
    ordered = sorted(checked, key=lambda row: (-row.oddities, row.run))
    return Checks(
        columns=columns,
        texts=frozenset(name for name in columns if _holds_words(records, name)),
        odd=tuple(row for row in ordered if row.oddities),
        plain=tuple(row for row in ordered if not row.oddities),
        hardly=tuple(_hardly_judged(records, columns)),
        shared=tuple(
            Shared(column, count, len(records), _common(count, len(records)))
            for column, count in counts.items()
            if count
        ),
    )


def _hardly_judged(records: list[dict[str, str]], columns: tuple[str, ...]) -> Iterator[Hardly]:
    """Dimensions whose labels are of almost none of the first documents: of other ids, or topics.

    As at the intake desk: less than 1 in 20, or than a tenth of what the best one has.
    """
    shares = {
        name: sum(found) / len(found)
        for name in columns
        if name.startswith(_JUDGED)
        if (found := [value for row in records if (value := _number(row[name])) is not None])
    }
    best = max(shares, key=lambda name: shares[name], default="")
    for name, share in shares.items():
        if share < FEW or share < FALL * shares[best]:
            yield Hardly(_dimension(name), share, _dimension(best), shares[best])


def _dimension(column: str) -> str:
    return column.partition(" ")[2]


def _holds_words(records: list[dict[str, str]], column: str) -> bool:
    return any(record[column] and _number(record[column]) is None for record in records)


def _count(rule: Rule, records: list[dict[str, str]], columns: tuple[str, ...]) -> int:
    """How many runs the rule finds odd."""
    mine = [name for name in columns if name.startswith(rule.column)]
    return sum(any(rule.odd(record[name]) for name in mine) for record in records)


def _common(count: int, runs: int) -> bool:
    return runs > 3 and 2 * count > runs


def _finding(column: str, cell: str, *, rules: Sequence[Rule]) -> Finding:
    met = next((r for r in RULES if column.startswith(r.column) and r.odd(cell)), None)
    number = _number(cell)
    if number is None:
        text = cell
    elif column.startswith(_SHARES):
        text = percent(number)
    else:
        text = f"{int(number):,}" if number == int(number) else f"{number:.4f}"
    return Finding(text=text, odd=met in rules, sort=cell, rule=met)


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None
