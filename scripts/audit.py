from functools import partial
from pathlib import Path

from pipeline.audit.policies import Bench, labelled
from pipeline.audit.step import audit
from pipeline.sources.paths import expand
from pipeline.gains.files import read as read_gains
from pipeline.storage.step import step
from pipeline.labels.topics import read_counted

with step(snakemake):
    params, given = snakemake.params, snakemake.input
    audit(
        expand(params.published, sources=params.sources),
        bench=Bench(
            runs=expand(params.runs, sources=params.sources),
            form=params.form,
            labels=labelled(
                [Path(path) for path in given.labels],
                params.labels,
                find=partial(expand, sources=params.sources),
            ),
            topics=[t.id for t in read_counted(Path(given.topics)) if t.counts],
            policies=params.own,
            own=read_gains(
                {Path(path).stem: Path(path) for path in given.gains},
                unjudged=params.own["unjudged"],
            ),
        ),
        policies=params.policies,
        measures=params.names,
        out=Path(snakemake.output.audit),
        summary=Path(snakemake.output.summary),
    )
