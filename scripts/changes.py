from pathlib import Path

from pipeline.changes import step as changes
from pipeline.measures.own import load_all
from pipeline.results import Results
from pipeline.storage.step import step

with step(snakemake) as settings:
    load_all(settings["own"])
    names = ("dimensions", "scored", "costed", "title", "contrast", "unjudged", "alpha")
    changes.write(
        Results(Path("results", snakemake.wildcards.campaign)),
        Path(settings["against"]),
        **{name: settings[name] for name in names},
    )
