"""The submitted runs and their teams."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StrictStr

from pipeline.config.base import Choice, Expression, Mistakes, OneFile, Patterns, Section, group

WAYS = ("name", "path", "table")
Team = Annotated[StrictStr, group("put the team in brackets, for example '^([^_]+)_'")]


class Teams(Section):
    """How Fathom finds the team of a run: by one of the first three keys."""

    name: Team | None = None
    """Regular expression searched in the run's name; its first group is the team."""
    path: Team | None = None
    """Regular expression searched in the path of the run's file; its first group is the team, for
    example `([^/]+)/IRTask1/` if each team has a folder."""
    table: OneFile | None = None
    """File with the columns `run` and `team`, with a header line, separated by commas or tabs."""
    none: Expression | None = Field(None, min_length=1)
    """Regular expression searched in the run's name, beside one of the other keys: matching runs
    have no team, for example those of the organisers, and no warning lists them."""

    def problems(self) -> Mistakes:
        """Exactly one of the first three keys is required."""
        ways = [way for way in WAYS if getattr(self, way) is not None]
        if len(ways) != 1:
            chosen = " and ".join(ways) or "none"
            yield (), f"gives {chosen} of {', '.join(WAYS)}", "give one of them"

    @property
    def description(self) -> str:
        """The key of the config that finds teams, with its value."""
        if self.table is not None:
            return f"runs.team.table '{self.table}'"
        if self.path is not None:
            return f"runs.team.path '{self.path}'"
        return f"runs.team '{self.name}'"


def _by_name(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


class Runs(Section):
    """The submitted runs: files, format and teams."""

    files: Patterns
    """Path, glob, or a list of them, plain or gzip. The name of a run is its file name without
    `.gz`."""
    format: Annotated[StrictStr, Choice("run format")] = "trec"
    """Format of the run files."""
    team: Annotated[Teams, BeforeValidator(_by_name)] | None = Field(
        None, json_schema_extra={"x-also": "string"}
    )
    """How Fathom finds the team of a run: a regular expression searched in the run's name, whose
    first group is the team, or a map with one of the keys `name`, `path` and `table`. Fathom lists
    runs without a team, and evaluates them."""
