from pathlib import Path

from pipeline.measures.own import load_all
from pipeline.report import step as report
from pipeline.results import Results
from pipeline.storage.step import step

with step(snakemake) as settings:
    load_all(settings["own"])
    report.write(
        Results(Path("results", snakemake.wildcards.campaign)),
        settings,
        inputs=map(Path, snakemake.input),
        originals=[Path(path) for path in snakemake.input.originals],
    )
