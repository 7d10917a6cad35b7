"""Input folders that a job makes: fetched from a pinned address, or generated from a seed."""

from pathlib import Path

from pipeline.sources.fetch import fetch


def make(
    folder: Path,
    *,
    url: str | None,
    sha256: str | None,
    unpack: bool,
    generate: str | None,
    seed: int,
) -> None:
    """Make one source folder as the campaign declares it."""
    if generate == "demo":
        from pipeline.sources.demo import generate as generate_demo

        generate_demo(folder, seed=seed)
    elif url is not None and sha256 is not None:
        fetch(url=url, sha256=sha256, folder=folder, unpack=unpack)
    else:
        raise ValueError("a source is either generated or fetched with its sha256")
