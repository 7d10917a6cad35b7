"""A source from a git repository at a commit."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictStr

from pipeline.config.base import Matching, Mistakes, Section, Text, Unique, Whole
from pipeline.sources.addresses import CREDENTIALS, has_credentials
from pipeline.sources.kind import Settings, SourceKind
from pipeline.sources.places import Places, read_missing
from pipeline.sources.take import available_files, fetch_paths

Commit = Annotated[
    StrictStr,
    Matching(
        "[0-9A-Fa-f]{40}",
        "be the 40 hexadecimal digits of a commit, as `git rev-parse HEAD` prints",
    ),
    AfterValidator(str.lower),
]


class Git(Section):
    """Files of a git repository at a commit."""

    git: Text
    """The repository with the files, an `http(s)://`, `git://` or `file://` address or a local
    path; needs `commit` and `paths`."""
    commit: Commit
    """The commit, in full, as `git rev-parse HEAD` prints it; needed with `git`."""
    paths: Annotated[tuple[Text, ...], Unique] = Field(min_length=1)
    """The files to copy, as paths and globs inside the repository (`**` crosses folders; a folder
    means all its files); needed with `git`."""
    files: dict[StrictStr, Annotated[Whole, Field(ge=1)]] = Field(
        {}, json_schema_extra={"x-name": "path"}
    )
    """The number of files that a path matches at that commit; with it, files that a plain folder in
    a mirror lacks are noticed."""
    missing: Literal["error", "warn"] = "error"
    """Whether files that a mirror lacks are an `error`, or left out with a warning (`warn`)."""

    def problems(self) -> Mistakes:
        scheme, mark, _ = self.git.partition("://")
        if has_credentials(self.git):
            yield ("git",), *CREDENTIALS
        elif mark and scheme.lower() not in {"http", "https", "git", "file"}:
            fix = "use an http://, https://, git:// or file:// address or a local path"
            yield ("git",), f"is '{self.git}'", fix
        elif not mark and (self.git.startswith("-") or ":" in self.git):
            fix = "use the https:// address, which needs no password"
            yield ("git",), f"is '{self.git}'", fix
        for path in self.paths:
            if path.startswith("/") or ".." in path.split("/"):
                yield ("paths",), f"'{path}' leaves the repository", "use paths inside it"
        for path in self.files:
            if path not in self.paths:
                yield ("files",), f"counts '{path}', which is not in paths", "use a path of paths"


class GitSource(SourceKind):
    """Files of a git repository at a commit."""

    def make(self, folder: Path, settings: Settings, places: Places) -> None:
        keys = {key: settings[key] for key in ("commit", "paths", "files", "missing")}
        fetch_paths(folder, url=settings["git"], places=places, **keys)

    def more(self, folder: Path, settings: Settings, places: Places) -> list[str]:
        """Files missing from the folder that have since been added to the mirror."""
        if not read_missing(folder):
            return []
        available = available_files(settings["git"], settings["commit"], settings["paths"], places)
        return [name for name in available if not (folder / name).is_file()]

    def described(self, settings: Settings) -> dict[str, Any]:
        return {key: settings[key] for key in ("git", "commit")}


git_source = GitSource(
    name="git", title="from a git repository at a commit", order=3, fetched=True, model=Git
)
