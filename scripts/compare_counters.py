from pathlib import Path

from pipeline.judging.counters import compare_counters
from pipeline.labels.topics import read_counted
from pipeline.measures.own import load_all
from pipeline.pages.readability.ways import Way
from pipeline.storage.step import step

with step(snakemake):
    given, params = snakemake.input, snakemake.params
    load_all(params.own)
    compare_counters(
        [Path(path) for path in given.pages],
        gains={Path(path).stem: Path(path) for path in given.gains},
        rankings=Path(given.rankings),
        topics=[t.id for t in read_counted(Path(given.topics)) if t.counts],
        measures=params.measures,
        estimates=params.estimates,
        unjudged=params.unjudged,
        chosen=Way(**params.chosen),
        out=Path(snakemake.output[0]),
    )
