from functools import partial
from pathlib import Path

from pipeline.audit.policies import Bench, labelled, relabelled
from pipeline.audit.step import Audit, audit
from pipeline.sources.paths import expand
from pipeline.gains.files import read as read_gains
from pipeline.labels.reading import Labels
from pipeline.storage.plain import restored
from pipeline.measures.own import load_all
from pipeline.storage.step import step
from pipeline.labels.topics import read_counted

with step(snakemake):
    load_all(snakemake.params.declared)
    params, given = snakemake.params, snakemake.input
    settings = restored(Audit, params.settings)
    audit(
        expand(settings.published, sources=params.sources),
        bench=Bench(
            runs=expand(params.runs, sources=params.sources),
            form=params.form,
            labels=labelled(
                [Path(path) for path in given.labels],
                {name: how and restored(Labels, how) for name, how in params.labels.items()},
                find=partial(expand, sources=params.sources),
            ),
            others=relabelled(settings.labels, find=partial(expand, sources=params.sources)),
            topics=[t.id for t in read_counted(Path(given.topics)) if t.counts],
            policies=params.own,
            own=read_gains(
                {Path(path).stem: Path(path) for path in given.gains},
                unjudged=params.own["unjudged"],
            ),
        ),
        policies=settings.policies,
        measures=settings.measures,
        out=Path(snakemake.output.audit),
        summary=Path(snakemake.output.summary),
    )
