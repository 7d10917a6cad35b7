from functools import partial
from pathlib import Path

from pipeline.audit import Bench, audit, labelled
from pipeline.campaign import expand
from pipeline.gains import read as read_gains
from pipeline.job import job
from pipeline.topics import read_counted

with job(snakemake.log):
    params, given = snakemake.params, snakemake.input
    audit(
        expand(params.published, sources=params.sources),
        bench=Bench(
            runs=expand(params.runs, sources=params.sources),
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
