"""Whether the pool of the config is the one that was judged: what may be said of who gave to it."""

from dataclasses import dataclass

from pipeline.report.results import Files
from pipeline.storage import sheets

ENOUGH = 0.5  # of the judged documents: below it, another pool was judged


@dataclass(frozen=True)
class Pooled:
    """The pool against the judgements."""

    judged: int
    judged_in_pool: int
    teams: int  # that gave to it; runs without a team are none

    @property
    def share(self) -> float:
        """How much of what is judged the pool holds."""
        return self.judged_in_pool / self.judged if self.judged else 0.0

    @property
    def trusted(self) -> bool:
        """Whether leaving a team out of it says something about the campaign."""
        return self.teams > 1 and self.share >= ENOUGH


def read_pooled(files: Files) -> Pooled:
    """Count in the tables of the pool; without them there is no pool to speak of."""
    if not files.has("pool/topics.csv") or not files.has("pool/teams.csv"):
        return Pooled(0, 0, 0)
    topics = sheets.read(files.tables["pool/topics.csv"])
    teams = sheets.read(files.tables["pool/teams.csv"])
    return Pooled(
        judged=sum(int(row["judged"]) for row in topics),
        judged_in_pool=sum(int(row["judged_in_pool"]) for row in topics),
        teams=sum(bool(row["team"]) and row["pooled_runs"] != "0" for row in teams),
    )
