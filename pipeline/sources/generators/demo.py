"""The embedded demo as a source."""

from pathlib import Path

from pipeline.sources.generator import generator


@generator("demo", title="the embedded demo, a whole campaign's inputs", order=1)
def demo(folder: Path, *, seed: int) -> None:
    """Write the demo's runs, labels, topics and pages."""
    from pipeline.sources.demo import generate  # its texts, which a config check need not load

    generate(folder, seed=seed)
