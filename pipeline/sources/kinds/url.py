"""A source fetched from an address, with the digest of what must arrive."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.sources.addresses import SCHEMES, SECRET, fault, secret
from pipeline.sources.kind import Kind, Settings
from pipeline.sources.places import Places
from pipeline.storage.text import cut


class Fetched(Kind):
    """A pinned file, unpacked if it is an archive."""

    def settled(self, settings: Settings) -> dict[str, Any]:
        """The digest in lower case, as it is computed."""
        digest = settings["sha256"]
        return {**settings, "sha256": digest and digest.lower()}

    def problems(self, settings: Settings) -> Iterator[tuple[str, str]]:
        """Without a digest the same address could give other bytes."""
        if settings["sha256"] is None:
            yield "sha256", "is missing; add the digest that `sha256sum` prints for the file"
        url = settings["url"]
        scheme, mark, _ = url.partition("://")
        if secret(url):
            yield "url", SECRET
        elif mark and scheme.lower() not in SCHEMES:
            yield (
                "url",
                f"is '{url}'; it must be an http://, https:// or file:// address or a local path",
            )
        elif wrong := fault(url):
            yield "url", f"is {cut(url)!r}; {wrong}"

    def local_files(self, settings: Settings) -> dict[str, str]:
        """A path instead of an address."""
        return {} if "://" in settings["url"] else {"url": settings["url"]}

    def make_at(self, places: Places, folder: Path, settings: Settings) -> None:
        """Fetch or find in the cache or mirror, check, unpack."""
        from pipeline.sources.fetch import fetch  # late: it brings what speaks with servers

        fetch(folder=folder, **asdict(places), **settings)

    def described(self, settings: Settings) -> dict[str, Any]:
        """Where it is from, and what makes it the same for everybody."""
        return {key: settings[key] for key in ("url", "sha256")}


fetched = Fetched(
    name="url",
    title="fetched from an address, with its digest",
    order=1,
    fetched=True,
    keys={
        "url": {
            "description": "What to fetch, an `http(s)://` or `file://` address or a local path; "
            "or give `git` or `generate`.",
            "type": ["string", "null"],
            "minLength": 1,
            "default": None,
        },
        "sha256": {
            "description": "The SHA-256 digest the fetched file must have; needed with `url`.",
            "type": ["string", "null"],
            "pattern": "^[0-9A-Fa-f]{64}$",
            "x-must": "be 64 hexadecimal digits, as `sha256sum` prints them",
            "default": None,
        },
        "unpack": {
            "description": "Unpack a fetched `.tar`, `.tar.gz`, `.tar.bz2`, `.tar.xz` or `.zip`; "
            "any other file is kept as it is.",
            "type": "boolean",
            "default": True,
        },
    },
)
