"""What the report says about pools and judgements: their tables, with what stands out in words.

The tables come as the steps wrote them; a campaign that asked for less has fewer. Each section is
plain data for one template, so that a further one is one function here.
"""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.report.story import counted

Rows = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class Table:
    """One table: a caption, its columns, and rows of text; `open` if the reader sees it at once."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    open: bool = False

    def number(self, place: int) -> bool:
        """Whether a column holds numbers."""
        return all(_is_number(row[place]) for row in self.rows if row[place])


@dataclass(frozen=True)
class Section:
    """One section of the page."""

    id: str
    title: str
    hint: str
    sentences: tuple[str, ...]
    tables: tuple[Table, ...]


def read(files: Sequence[Path]) -> list[Section]:
    """The sections that these files, named as the steps name them, can fill."""
    found = {f"{path.parent.name}/{path.name}": _rows(path) for path in files}
    sections = []
    if "pool/topics.csv" in found:
        names = ("topics", "teams", "overlap", "runs")
        sections.append(_pool(*(found[f"pool/{name}.csv"] for name in names)))
    sweep = next((rows for name, rows in found.items() if name.endswith("/sweep.csv")), [])
    if sweep:
        sections.append(_sweep(sweep))
    if "reusability/summary.csv" in found:
        sections.append(
            _reusability(found["reusability/summary.csv"], found["reusability/runs.csv"])
        )
    for name in sorted(found):
        folder, file = name.split("/", 1)
        if folder == "agreement" and not file.endswith(".swaps.csv"):
            dimension = file.removesuffix(".csv")
            swaps = found[f"agreement/{dimension}.swaps.csv"]
            sections.append(_agreement(dimension, found[name], swaps))
    if "variations/runs.csv" in found:
        sections.append(_variations(found["variations/runs.csv"], found["variations/needs.csv"]))
    return sections


def _pool(topics: Rows, teams: Rows, overlap: Rows, runs: Rows) -> Section:
    sizes = [int(row["documents"]) for row in topics if int(row["documents"])]
    pooled = [row for row in runs if row["pooled"] == "1"]
    text = [
        f"The pool holds {counted(sum(sizes), 'document')} of {counted(len(sizes), 'topic')} "
        f"({min(sizes)} to {max(sizes)} a topic), given by {len(pooled)} of "
        f"{counted(len(runs), 'run')}."
    ]
    counts = {key: sum(int(row[key]) for row in topics) for key in topics[0] if key != "topic"}
    if counts["judged"]:
        text.append(
            f"Of {counted(counts['judged'], 'judged document')} it holds "
            f"{counts['judged_in_pool']:,} ({_percent(counts['judged_in_pool'], counts['judged'])}"
            f"), of {counted(counts['relevant'], 'relevant one')} {counts['relevant_in_pool']:,} "
            f"({_percent(counts['relevant_in_pool'], counts['relevant'])}); "
            f"{sum(sizes) - counts['judged_in_pool']:,} of its documents are not judged."
        )
    text += _pool_warnings(topics, teams)
    depth = next(key for key in runs[0] if key.startswith("covered@")).removeprefix("covered@")
    return Section(
        "pool",
        "Pool",
        "What assessors should judge, who brought it in, and how much of each run it covers. A "
        "document is unique to a team if no other team's pooled runs gave it.",
        tuple(text),
        (
            _table("Teams", teams, open=True),
            _table(f"Coverage of each run's first {depth}", runs),
            _table("Overlap between teams", overlap),
            _table("Topics", topics),
        ),
    )


def _pool_warnings(topics: Rows, teams: Rows) -> list[str]:
    empty = [row["topic"] for row in topics if row["counts"] == "1" and row["documents"] == "0"]
    single = [row["topic"] for row in topics if row["judged"] == "1"]
    silent = [row["team"] for row in teams if row["pooled_runs"] == "0"]
    told = []
    if empty:
        told.append(f"No pooled run answers {_named('topic', empty)}: nothing would be judged.")
    if single:
        told.append(f"Only one document is judged in {_named('topic', single)}.")
    if silent:
        told.append(f"No run of {_named('team', silent)} gave to the pool.")
    return told


def _sweep(rows: Rows) -> Section:
    text = []
    for dimension in dict.fromkeys(row["dimension"] for row in rows):
        known = [
            row
            for row in rows
            if row["dimension"] == dimension and row["chosen"] == "0" and row["tau_b"]
        ]
        if known:
            worst = min(known, key=lambda row: float(row["tau_b"]))
            text.append(
                f"{dimension.capitalize()}: the ranking moves most at {worst['setting']} under "
                f"{worst['measure']} (tau-b {float(worst['tau_b']):.3f} with the one above, "
                f"{counted(int(worst['top10_changes']), 'run')} of its top 10 replaced)."
            )
    head = [key for key in rows[0] if key not in ("kind", "chosen")]
    tables: list[Table] = []
    for dimension in dict.fromkeys(row["dimension"] for row in rows):
        for kind, word in (("threshold", "thresholds"), ("gains", "gain maps")):
            mine = [r for r in rows if r["dimension"] == dimension and r["kind"] == kind]
            shown = [{**r, "setting": r["setting"] + " *" * (r["chosen"] == "1")} for r in mine]
            columns = [key for key in head if key != "dimension"]
            tables.append(
                _table(f"{dimension.capitalize()}: {word}", shown, columns=columns, open=not tables)
            )
    return Section(
        "sweep",
        "If the line were drawn elsewhere",
        "Each dimension's labels read with another threshold or gain map, and how far the ranking "
        "of the runs then is from the one above. * marks what this campaign uses.",
        tuple(text),
        tuple(table for table in tables if table.rows),
    )


def _reusability(summary: Rows, runs: Rows) -> Section:
    text = []
    for kind in dict.fromkeys(row["kind"] for row in summary):
        known = [r for r in summary if r["kind"] == kind and r.get("largest_rank_change")]
        if known:
            worst = max(known, key=lambda row: int(row["largest_rank_change"]))
            text.append(
                f"Leaving out each {kind} in turn moves its runs by {worst['mean_rank_change']} "
                f"ranks on average under {worst['measure']}, and by up to "
                f"{worst['largest_rank_change']} ({worst['largest_rank_change_of']})."
            )
    if not text:
        text = ["Nobody gave a judged document to the pool alone, so nothing would change."]
    return Section(
        "reusability",
        "Had a team not taken part",
        "The documents that only this team (or run) gave to the pool become unjudged, and all runs "
        "are scored again. Beside the scores: what unjudged documents leave open (residual), and "
        "the same on lists without unjudged documents (condensed). Only the runs at hand can be "
        "asked: what a missing run also gave to the pool looks unique here, so moves are upper "
        "bounds where pooled runs are missing.",
        tuple(text),
        (
            _table("By measure", summary, open=True),
            *(
                _table(f"Each {kind} left out", [row for row in runs if row["kind"] == kind])
                for kind in dict.fromkeys(row["kind"] for row in runs)
            ),
        ),
    )


def _agreement(dimension: str, rows: Rows, swaps: Rows) -> Section:
    whole = [row for row in rows if row["topic"] == "all"]
    text = [
        f"{row['set_a']} and {row['set_b']}: {counted(int(row['documents']), 'document')} judged "
        f"by both, {100 * float(row['raw']):.1f}% alike, kappa {_interval(row, 'kappa')}."
        for row in whole
        if row["kappa"]
    ]
    text += [
        f"With {row['set']} in place of the labels, {row['measure']} ranks the runs with tau-b "
        f"{float(row['tau_b']):.3f} to before; {row['flipped']} of {row['significant']} "
        "significant pairs flip."
        for row in swaps[:1]
        if row["tau_b"]
    ]
    short = [key for key in whole[0] if not key.endswith(("_low", "_high"))]
    return Section(
        f"judgements-{dimension}",
        f"Agreement on {dimension}",
        "Judgement sets of the same documents compared, with bootstrap intervals over documents in "
        "the file; blank where a statistic is not defined, as with one document or one label.",
        tuple(text),
        (
            _table("Over all topics", [_with_intervals(row, short) for row in whole], open=True),
            _table("What a swap does to the ranking", swaps, open=True),
            _table("By topic", [row for row in rows if row["topic"] != "all"], columns=short),
        ),
    )


def _variations(runs: Rows, needs: Rows) -> Section:
    queries = {row["need"]: int(row["queries"]) for row in needs}
    total = sum(queries.values())
    return Section(
        "variations",
        "Query variations",
        "Several queries ask for one information need: the mean over needs, how far needs differ, "
        "and how far a run depends on the wording.",
        (f"{counted(total, 'query', 'queries')} ask for {counted(len(queries), 'need')}.",),
        (_table("Runs", runs, open=True), _table("Needs", needs)),
    )


def _table(
    caption: str, rows: Rows, *, columns: Sequence[str] | None = None, open: bool = False
) -> Table:
    head = tuple(columns or (rows[0] if rows else ()))
    return Table(caption, head, tuple(tuple(row[key] for key in head) for row in rows), open)


def _with_intervals(row: Mapping[str, str], keys: Sequence[str]) -> dict[str, str]:
    return {key: _interval(row, key) if f"{key}_low" in row else row[key] for key in keys}


def _interval(row: Mapping[str, str], key: str) -> str:
    if not row[key]:
        return ""
    value = f"{float(row[key]):.3f}"
    if not row[f"{key}_low"]:
        return value
    return f"{value} [{float(row[f'{key}_low']):.3f}, {float(row[f'{key}_high']):.3f}]"


def _named(word: str, names: Sequence[str]) -> str:
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return f"{word}{'s' if len(names) > 1 else ''} {shown}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "none"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
