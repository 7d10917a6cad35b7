"""The pool: what assessors should judge, who brought it in, and how much of each run it covers."""

from dataclasses import dataclass

from pipeline.report.findings import Findings, Rows, table
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import sheets

FILES = ("pool/topics.csv", "pool/teams.csv", "pool/overlap.csv", "pool/runs.csv")


@dataclass(frozen=True)
class Size:
    """How large the pool is, what of it is judged, and what it lacks."""

    sizes: tuple[int, ...]  # documents of each topic that has some
    given: int  # runs that gave to it
    runs: int
    judged: int
    judged_in_pool: int
    relevant: int
    relevant_in_pool: int
    others: tuple[str, ...]  # topics that count in no measure
    empty: tuple[str, ...]  # topics that count, and no pooled run answers
    single: tuple[str, ...]  # topics with one judged document
    absent: tuple[str, ...]  # teams that gave nothing


@section("pool", place=110, template="pool.html.j2", title="Pool", needs=FILES)
def pool(results: Results) -> Content:
    """The pool's tables, with its size, what of it is judged, and what it lacks."""
    topics, teams, overlap, runs = (sheets.read(results.files.tables[name]) for name in FILES)
    depth = next(key for key in runs[0] if key.startswith("covered@")).removeprefix("covered@")
    tables = (
        table("Teams", teams, open=True),
        table(f"Coverage of each run's first {depth}", runs),
        table("Overlap between teams", overlap),
        table("Topics", topics),
    )
    return Content({"findings": Findings(tables), "pool": size(topics, teams, runs)})


def size(topics: Rows, teams: Rows, runs: Rows) -> Size:
    """Count in the tables."""

    def total(column: str) -> int:
        return sum(int(row[column]) for row in topics)

    def having(column: str, value: str, *, counts: str) -> tuple[str, ...]:
        mine = (row for row in topics if row["counts"] in counts)
        return tuple(row["topic"] for row in mine if row[column] == value)

    filled = {row["topic"] for row in topics if int(row["documents"])}
    return Size(
        sizes=tuple(int(row["documents"]) for row in topics if row["topic"] in filled),
        given=sum(row["pooled"] == "1" for row in runs),
        runs=len(runs),
        judged=total("judged"),
        judged_in_pool=total("judged_in_pool"),
        relevant=total("relevant"),
        relevant_in_pool=total("relevant_in_pool"),
        others=tuple(t["topic"] for t in topics if t["counts"] == "0" and t["topic"] in filled),
        empty=having("documents", "0", counts="1"),
        single=having("judged", "1", counts="01"),
        absent=tuple(row["team"] for row in teams if row["pooled_runs"] == "0"),
    )
