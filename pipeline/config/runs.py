"""The submitted runs, and how the team of each is found."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StrictStr

from pipeline.config.base import (
    Choice,
    Expression,
    Mistakes,
    OneFile,
    Patterns,
    Section,
    group,
)

WAYS = ("name", "path", "table")
Team = Annotated[StrictStr, group("put the team in brackets, for example '^([^_]+)_'")]


class Teams(Section):
    """How teams are found; one of the first three is given."""

    name: Team | None = None
    """Regular expression searched in a run's name; its first group is the team."""
    path: Team | None = None
    """The same in the path of a run's file, for example `([^/]+)/IRTask1/` where each team has a
    folder."""
    table: OneFile | None = None
    """A file with the columns `run` and `team`, named in its first line, separated by commas or
    tabs."""
    none: Expression | None = Field(None, min_length=1)
    """Beside one of these: a regular expression searched in a run's name. A run that matches
    belongs to no team on purpose, for example the organisers' own, and is not listed as without
    one."""

    def problems(self) -> Mistakes:
        """One way is enough, and needed."""
        ways = [way for way in WAYS if getattr(self, way) is not None]
        if len(ways) != 1:
            found = " and ".join(ways) if ways else "none"
            yield (), f"gives {found} of {', '.join(WAYS)}", "give one of them"

    @property
    def told(self) -> str:
        """How, in the words of the config."""
        if self.table is not None:
            return f"runs.team.table '{self.table}'"
        if self.path is not None:
            return f"runs.team.path '{self.path}'"
        return f"runs.team '{self.name}'"


def _named(given: Any) -> Any:
    return {"name": given} if isinstance(given, str) else given


class Runs(Section):
    """Where the submitted runs are, in which format, and whose they are."""

    files: Patterns
    """Path, glob, or list of them, plain or gzip; a run is named after its file, without `.gz`."""
    format: Annotated[StrictStr, Choice("run format")] = "trec"
    """The format of the run files; "Formats of runs" shows each."""
    team: Annotated[Teams, BeforeValidator(_named)] | None = Field(
        None, json_schema_extra={"x-also": "string"}
    )
    """How the team of a run is found: a regular expression searched in the run's name, whose first
    group is the team, or a map with one of the keys `name`, `path` and `table`. Without it teams
    stay empty; a run in which no team is found is listed."""
