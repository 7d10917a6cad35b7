"""What the results would have been, had a team or a run not given to the pool."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.report.findings import Findings, Rows, table
from pipeline.report.pooled import read_pooled
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import sheets

FILES = ("reusability/summary.csv", "reusability/runs.csv")


@dataclass(frozen=True)
class News:
    """Of all teams (or runs) left out in turn: whose run falls furthest, and how many fall."""

    kind: str
    furthest: Mapping[str, str] | None  # the row of the furthest fall; None: nobody falls
    fallen: int
    leaders: tuple[Mapping[str, str], ...]  # of those who lead a measure, who would not any more

    @property
    def fall(self) -> int:
        """How many ranks the furthest falls."""
        return _fall(self.furthest) if self.furthest else 0


@section("reusability", place=130, template="reusability.html.j2", title="Reusability", needs=FILES)
def reusability(results: Results) -> Content:
    """How far runs fall when what only they gave to the pool becomes unjudged."""
    summary, runs = (sheets.read(results.files.tables[name]) for name in FILES)
    pooled = read_pooled(results.files)
    kinds = list(dict.fromkeys(row["kind"] for row in runs))
    tables = (
        table("By measure", summary, open=True),
        *(
            table(f"Each {kind} left out", [row for row in runs if row["kind"] == kind])
            for kind in kinds
        ),
    )
    told = [news([row for row in runs if row["kind"] == kind], kind) for kind in kinds]
    return Content({"findings": Findings(tables), "pooled": pooled, "news": told})


def news(rows: Rows, kind: str) -> News:
    """What an organiser should know of one way of leaving out."""
    fallen = {row["run"] for row in rows if _fall(row) > 0}
    furthest = max(rows, key=_fall, default=None)
    return News(
        kind=kind,
        furthest=furthest if furthest and _fall(furthest) > 0 else None,
        fallen=len(fallen),
        leaders=tuple(row for row in rows if row["rank"] == "1" and row["rank_out"] != "1"),
    )


def _fall(row: Mapping[str, str]) -> int:
    return int(row["rank_out"]) - int(row["rank"])
