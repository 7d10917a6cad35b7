"""Where sources are taken from and kept: a mirror, the cache, and what fetching may take.

None of this says what a source holds, so none of it may make a source again: a commit or a digest
names the same bytes wherever they come from. The environment goes before the config, because it is
the machine that is offline or short of space, not the campaign.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import InputError

MIRROR, CACHE = "FATHOM_MIRROR", "FATHOM_CACHE"
DEADLINE = 3600.0  # seconds
LIMIT = 10.0  # GB; what text packs to is 5 to 20 times smaller, a bomb a thousand times


@dataclass(frozen=True, kw_only=True)
class Places:
    """A folder of repositories and files, the folder of what was fetched before, and the bounds.

    Without a cache nothing outlives the source; without a mirror all comes from the net. One source
    may take `deadline` seconds and have `limit` GB, unpacked.
    """

    mirror: Path | None = None
    cache: Path | None = None
    deadline: float = DEADLINE
    limit: float = LIMIT


def places(given: Mapping[str, Any] | None, *, environment: Mapping[str, str]) -> Places:
    """The places of a campaign: `given` is its `fetch` of the config."""
    told = given or {}
    mirror = environment.get(MIRROR) or told.get("mirror")
    cache = environment.get(CACHE) or told.get("cache") or _default()
    if mirror and not Path(mirror).is_dir():
        whose = MIRROR if environment.get(MIRROR) else "fetch.mirror"
        raise InputError(
            f"{whose} is '{mirror}', which is no folder; correct it, "
            "or remove it to use the network"
        )
    return Places(
        mirror=Path(mirror).resolve() if mirror else None,
        cache=Path(cache).expanduser().resolve(),
        deadline=float(told.get("deadline") or DEADLINE),
        limit=float(told.get("limit") or LIMIT),
    )


def here(config: Mapping[str, Any], *, campaign: str) -> Places:
    """The places of one campaign of a checked config, on this machine.

    Inside another workflow the config that a script sees may be that workflow's own, without our
    campaigns; then the environment alone says it.
    """
    known = config.get("campaigns") or {}
    return places((known.get(campaign) or {}).get("fetch"), environment=os.environ)


def folder_in(cache: Path, *names: str) -> Path:
    """A folder of the cache, made if it is not there."""
    folder = cache.joinpath(*names)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"{cache}: the cache cannot be written ({error.strerror}); "
            f"set {CACHE} or fetch.cache to a folder that can"
        ) from None
    return folder


def _default() -> Path:
    from platformdirs import user_cache_path  # each system has its own custom

    return user_cache_path("fathom")
