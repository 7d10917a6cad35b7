from pathlib import Path

from pipeline.labels.topics import read_counted
from pipeline.pages.baselines.settings import Baseline
from pipeline.pages.baselines.step import retrieve
from pipeline.storage.plain import restored
from pipeline.storage.step import step

with step(snakemake):
    systems = snakemake.params.systems
    topics = read_counted(Path(snakemake.input.topics))
    retrieve(
        {Path(path).name: Path(path) for path in snakemake.input.indices},
        queries={topic.id: topic.text for topic in topics},
        systems={name: restored(Baseline, given) for name, given in systems.items()},
        out=Path(snakemake.output.rankings),
        facts=Path(snakemake.output.facts),
    )
