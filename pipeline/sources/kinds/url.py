"""A source fetched from an address and checked by its digest."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, StrictStr

from pipeline.config.base import Flag, Matching, Mistakes, Section, Text
from pipeline.sources.addresses import CREDENTIALS, address_problem, has_credentials
from pipeline.sources.kind import Settings, SourceKind
from pipeline.sources.places import Places
from pipeline.storage.text import cut

Digest = Annotated[
    StrictStr,
    Matching("[0-9A-Fa-f]{64}", "be 64 hexadecimal digits, as `sha256sum` prints them"),
    AfterValidator(str.lower),
]


class Url(Section):
    """A pinned file, unpacked if it is an archive."""

    url: Text
    """The file to fetch, an `http(s)://` or `file://` address or a local path; alternatives are
    `git` and `generate`."""
    sha256: Digest
    """The SHA-256 digest the fetched file must have, as `sha256sum` prints it; needed with
    `url`."""
    unpack: Flag = True
    """Unpack a fetched `.tar`, `.tar.gz`, `.tar.bz2`, `.tar.xz` or `.zip`; any other file is kept
    as it is."""

    def problems(self) -> Mistakes:
        if has_credentials(self.url):
            yield ("url",), *CREDENTIALS
        elif problem := address_problem(self.url):
            yield ("url",), f"is {cut(self.url)!r}: {problem[0]}", problem[1]


class UrlSource(SourceKind):
    """A pinned file, unpacked if it is an archive."""

    def local_files(self, settings: Settings) -> dict[str, str]:
        return {} if "://" in settings["url"] else {"url": settings["url"]}

    def make(self, folder: Path, settings: Settings, places: Places) -> None:
        from pipeline.sources.fetch import fetch  # late: it imports network libraries

        fetch(folder, places=places, **settings)

    def described(self, settings: Settings) -> dict[str, Any]:
        return {key: settings[key] for key in ("url", "sha256")}


url_source = UrlSource(
    name="url", title="fetched from an address, with its digest", order=1, fetched=True, model=Url
)
