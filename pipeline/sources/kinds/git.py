"""A source from a git repository, at a commit."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictStr

from pipeline.config.base import Matching, Mistakes, Section, Text, Unique, Whole
from pipeline.sources.addresses import SECRET, secret
from pipeline.sources.kind import Settings, SourceKind
from pipeline.sources.places import Places, read_missing
from pipeline.sources.take import held, take

Commit = Annotated[
    StrictStr,
    Matching(
        "[0-9A-Fa-f]{40}",
        "be the 40 hexadecimal digits of a commit, as `git rev-parse HEAD` prints",
    ),
    AfterValidator(str.lower),
]


class Git(Section):
    """The files of some paths, as one commit has them."""

    git: Text
    """A repository to take files from, an `http(s)://`, `git://` or `file://` address or a local
    path; needs `commit` and `paths`."""
    commit: Commit
    """The commit, in full, as `git rev-parse HEAD` prints it; needed with `git`."""
    paths: Annotated[tuple[Text, ...], Unique] = Field(min_length=1)
    """The files to take, as paths and globs inside the repository (`**` crosses folders; a folder
    means all in it); needed with `git`."""
    files: dict[StrictStr, Annotated[Whole, Field(ge=1)]] = Field(
        {}, json_schema_extra={"x-name": "path"}
    )
    """How many files some of the `paths` have at that commit, so that a mirror which is a plain
    folder can be told from a whole one."""
    missing: Literal["error", "warn"] = "error"
    """Files that a mirror lacks are an `error`, or named in a warning (`warn`) and left out."""

    def problems(self) -> Mistakes:
        """The address must be one that asks for no password, and paths stay inside."""
        scheme, mark, _ = self.git.partition("://")
        if secret(self.git):
            yield ("git",), *SECRET
        elif mark and scheme.lower() not in {"http", "https", "git", "file"}:
            fix = "it must be an http://, https://, git:// or file:// address or a local path"
            yield ("git",), f"is '{self.git}'", fix
        elif not mark and (self.git.startswith("-") or ":" in self.git):
            fix = "write the https:// address, which asks for no password"
            yield ("git",), f"is '{self.git}'", fix
        for path in self.paths:
            if path.startswith("/") or ".." in path.split("/"):
                yield ("paths",), f"'{path}' leaves the repository", "name paths inside it"
        for path in self.files:
            if path not in self.paths:
                yield ("files",), f"counts '{path}', which is not in paths", "use a path from there"


class GitSource(SourceKind):
    """The files of some paths, as one commit has them."""

    def make(self, folder: Path, settings: Settings, places: Places) -> None:
        own = {key: settings[key] for key in ("commit", "paths", "files", "missing")}
        take(folder, url=settings["git"], places=places, **own)

    def more(self, folder: Path, settings: Settings, places: Places) -> list[str]:
        """A mirror that has grown holds files which a part made from it lacks."""
        if not read_missing(folder):
            return []
        known = held(settings["git"], settings["commit"], settings["paths"], places)
        return [name for name in known if not (folder / name).is_file()]

    def described(self, settings: Settings) -> dict[str, Any]:
        return {key: settings[key] for key in ("git", "commit")}


git_source = GitSource(
    name="git", title="from a git repository at a commit", order=3, fetched=True, model=Git
)
