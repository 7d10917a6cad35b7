"""A source from a git repository, at a commit."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.sources.addresses import SECRET, secret
from pipeline.sources.kind import Kind, Settings
from pipeline.sources.missing import missing_of
from pipeline.sources.places import Places
from pipeline.sources.take import held, take


class Committed(Kind):
    """The files of some paths, as one commit has them."""

    def settled(self, settings: Settings) -> dict[str, Any]:
        """The commit in lower case, as git writes it, and whole numbers: YAML may write 1.0."""
        files = {path: int(number) for path, number in settings["files"].items()}
        return {**settings, "commit": settings["commit"].lower(), "files": files}

    def problems(self, settings: Settings) -> Iterator[tuple[str, str]]:
        """Without a commit or paths it is not known what is wanted."""
        if settings["commit"] is None:
            yield "commit", "is missing; add the 40 digits that `git rev-parse HEAD` prints"
        if not settings["paths"]:
            yield "paths", "is missing; name the files to take, as ['runs/*', 'qrels/*']"
        scheme, mark, _ = settings["git"].partition("://")
        if secret(settings["git"]):
            yield "git", SECRET
        elif mark and scheme.lower() not in {"http", "https", "git", "file"}:
            yield (
                "git",
                f"is '{settings['git']}'; it must be an http://, https://, git:// or file:// "
                "address or a local path",
            )
        elif not mark and (settings["git"].startswith("-") or ":" in settings["git"]):
            yield (
                "git",
                f"is '{settings['git']}'; write the https:// address, which asks for no password",
            )
        for path in settings["paths"] or ():
            if path.startswith("/") or ".." in path.split("/"):
                yield "paths", f"holds '{path}', which leaves the repository; name paths inside it"
        for path in settings["files"]:
            if path not in (settings["paths"] or ()):
                yield "files", f"counts '{path}', which is not in paths; use a path from there"

    def make_at(self, places: Places, folder: Path, settings: Settings) -> None:
        """Take the files from where they are."""
        given = {key: settings[key] for key in ("commit", "paths", "files", "missing")}
        take(folder, url=settings["git"], places=places, **given)

    def more(self, places: Places, folder: Path, settings: Settings) -> list[str]:
        """A mirror that has grown holds files which a part made from it lacks."""
        if not missing_of(folder):
            return []
        given = {key: settings[key] for key in ("commit", "paths")}
        known = held(settings["git"], places=places, **given)
        return [name for name in known if not (folder / name).is_file()]

    def described(self, settings: Settings) -> dict[str, Any]:
        """Where it is from, and what makes it the same for everybody."""
        return {key: settings[key] for key in ("git", "commit")}


committed = Committed(
    name="git",
    title="from a git repository at a commit",
    order=3,
    fetched=True,
    keys={
        "git": {
            "description": "A repository to take files from, an `http(s)://`, `git://` or "
            "`file://` address or a local path; needs `commit` and `paths`.",
            "type": ["string", "null"],
            "minLength": 1,
            "default": None,
        },
        "commit": {
            "description": "The commit, in full; needed with `git`.",
            "type": ["string", "null"],
            "pattern": "^[0-9A-Fa-f]{40}$",
            "x-must": "be the 40 hexadecimal digits of a commit, as `git rev-parse HEAD` prints",
            "default": None,
        },
        "paths": {
            "description": "The files to take, as paths and globs inside the repository (`**` "
            "crosses folders; a folder means all in it); needed with `git`.",
            "type": ["array", "null"],
            "minItems": 1,
            "uniqueItems": True,
            "items": {"type": "string", "minLength": 1},
            "default": None,
        },
        "files": {
            "description": "How many files some of the `paths` have at that commit, so that a "
            "mirror which is a plain folder can be told from a whole one.",
            "type": "object",
            "x-name": "path",
            "additionalProperties": {"type": "integer", "minimum": 1},
            "default": {},
        },
        "missing": {
            "description": "Files that a mirror lacks are an `error`, or named in a warning "
            "(`warn`) and done without.",
            "enum": ["error", "warn"],
            "default": "error",
        },
    },
)
