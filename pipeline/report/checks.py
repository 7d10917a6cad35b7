"""What was odd in the inputs: checks.csv with the runs worth a look first.

What most runs share is said once, in a sentence, but does not make a run odd: in a campaign where
every run ties scores, marking every row would hide the one that lacks topics.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import InputError
from pipeline.intake.meeting import FALL, FEW
from pipeline.report.wording import counted
from pipeline.storage import sheets

_JUDGED = "judged@"
_SHARES = ("tied_share", _JUDGED)  # columns that are shares of 1, by how they start
_HIDDEN = ("run", "team", "file")  # shown beside the findings, not as findings


@dataclass(frozen=True)
class Rule:
    """A column (by how its name starts), when it is odd, and how to say so for n runs."""

    column: str
    odd: Callable[[str], bool]
    one: str
    many: str


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
class Checks:
    """All of checks.csv: the runs with something odd (most first), the others, and a summary."""

    columns: tuple[str, ...]
    texts: frozenset[str]  # the columns that hold words, not numbers
    odd: tuple[Checked, ...]
    plain: tuple[Checked, ...]
    sentences: tuple[str, ...]


def _positive(cell: str) -> bool:
    """A count above 0, or a list of names: whatever is neither blank nor zero."""
    number = _number(cell)
    return bool(cell.strip()) if number is None else number > 0


def _above(limit: float) -> Callable[[str], bool]:
    return lambda cell: (number := _number(cell)) is not None and number > limit


def _below(limit: float) -> Callable[[str], bool]:
    return lambda cell: (number := _number(cell)) is not None and number < limit


_RULES = (
    Rule("identical_to", _positive, "run equals another run", "runs equal another run"),
    Rule("no_team", _positive, "run is without a team", "runs are without a team"),
    Rule("missing_topics", _positive, "run lacks topics", "runs lack topics"),
    Rule("unknown_topics", _positive, "run has unknown topics", "runs have unknown topics"),
    Rule("duplicates", _positive, "run repeats documents", "runs repeat documents"),
    Rule(
        "bad_scores",
        _positive,
        "run has scores that are not numbers",
        "runs have scores that are not numbers",
    ),
    Rule(
        "tied_share",
        _above(0.1),
        "run ties more than a tenth of its scores",
        "runs tie more than a tenth of their scores",
    ),
    Rule(
        "lost_order",
        _positive,
        "run has scores that differ but tie as 32-bit floats (policies.order: score64 keeps them)",
        "runs have scores that differ but tie as 32-bit floats (policies.order: score64 keeps "
        "them)",
    ),
    Rule(
        "top10_differs",
        _positive,
        "run has another top 10 by rank than by score",
        "runs have another top 10 by rank than by score",
    ),
    Rule(
        "judged@",
        _below(0.5),
        "run has less than half of its top 10 judged in some dimension",
        "runs have less than half of their top 10 judged in some dimension",
    ),
    Rule("repairs", _positive, "run was repaired", "runs were repaired"),
)


def read_checks(path: Path) -> Checks:
    """Read checks.csv; columns this module has no rule for are shown and never odd."""
    names = tuple(next(sheets.lines(path), []))
    if "run" not in names:
        raise InputError(f"{path}: there is no column 'run' in the header.")
    records = sheets.read(path)
    columns = tuple(name for name in names if name not in _HIDDEN)
    counts = {rule.column: _count(rule, records, columns) for rule in _RULES}
    telling = [rule for rule in _RULES if not _common(counts[rule.column], len(records))]
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
        sentences=(
            *_hardly_judged(records, columns),
            *(
                _sentence(rule, counts[rule.column], len(records))
                for rule in _RULES
                if counts[rule.column]
            ),
        ),
    )


def _hardly_judged(records: list[dict[str, str]], columns: tuple[str, ...]) -> Iterator[str]:
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
        if share >= FEW and share >= FALL * shares[best]:
            continue
        beside = (
            f"; for {best.partition(' ')[2]} {_percent(shares[best])} are" if name != best else ""
        )
        yield (
            f"Hardly any of the first 10 documents is judged for {name.partition(' ')[2]} "
            f"({_percent(share)}{beside}): check the ids and topics of its labels"
        )


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %")


def _holds_words(records: list[dict[str, str]], column: str) -> bool:
    return any(record[column] and _number(record[column]) is None for record in records)


def _count(rule: Rule, records: list[dict[str, str]], columns: tuple[str, ...]) -> int:
    """How many runs the rule finds odd."""
    mine = [name for name in columns if name.startswith(rule.column)]
    return sum(any(rule.odd(record[name]) for name in mine) for record in records)


def _common(count: int, runs: int) -> bool:
    return runs > 3 and 2 * count > runs


def _sentence(rule: Rule, count: int, runs: int) -> str:
    if not _common(count, runs):
        return counted(count, rule.one, rule.many)
    many = rule.many.removeprefix("runs ")
    return f"All {runs:,} runs {many}" if count == runs else f"Most runs ({count} of {runs}) {many}"


def _finding(column: str, cell: str, *, rules: Sequence[Rule]) -> Finding:
    met = next((r for r in _RULES if column.startswith(r.column) and r.odd(cell)), None)
    number = _number(cell)
    if number is None:
        text = cell
    elif column.startswith(_SHARES):
        text = _percent(number)
    else:
        text = f"{int(number):,}" if number == int(number) else f"{number:.4f}"
    return Finding(text=text, odd=met in rules, sort=cell, rule=met)


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if abs(value) < 1e15 else None
