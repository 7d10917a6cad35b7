"""The pool: what assessors should judge, who brought it in, and how much of each run it covers."""

from collections.abc import Sequence

from pipeline.report.findings import Findings, Rows, table
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.report.wording import counted
from pipeline.storage import sheets

FILES = ("pool/topics.csv", "pool/teams.csv", "pool/overlap.csv", "pool/runs.csv")


@section("pool", place=110, template="pool.html.j2", title="Pool", needs=FILES)
def pool(results: Results) -> Content:
    """The pool's tables, with its size, what of it is judged, and what it lacks."""
    topics, teams, overlap, runs = (sheets.read(results.files.tables[name]) for name in FILES)
    depth = next(key for key in runs[0] if key.startswith("covered@")).removeprefix("covered@")
    found = Findings(
        (*_sizes(topics, runs), *_warnings(topics, teams)),
        (
            table("Teams", teams, open=True),
            table(f"Coverage of each run's first {depth}", runs),
            table("Overlap between teams", overlap),
            table("Topics", topics),
        ),
    )
    return Content({"findings": found})


def _sizes(topics: Rows, runs: Rows) -> list[str]:
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
    return text


def _warnings(topics: Rows, teams: Rows) -> list[str]:
    empty = [row["topic"] for row in topics if row["counts"] == "1" and row["documents"] == "0"]
    single = [row["topic"] for row in topics if row["judged"] == "1"]
    absent = [row["team"] for row in teams if row["pooled_runs"] == "0"]
    text = []
    if empty:
        text.append(f"No pooled run answers {_named('topic', empty)}: nothing would be judged.")
    if single:
        text.append(f"Only one document is judged in {_named('topic', single)}.")
    if absent:
        text.append(f"No run of {_named('team', absent)} gave to the pool.")
    return text


def _named(word: str, names: Sequence[str]) -> str:
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return f"{word}{'s' if len(names) > 1 else ''} {shown}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "none"
