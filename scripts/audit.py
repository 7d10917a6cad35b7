from functools import partial
from pathlib import Path

from pipeline.audit.ingested import Ingested
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
    find = partial(expand, sources=params.sources)
    how = {name: one and restored(Labels, one) for name, one in params.labels.items()}
    audit(
        find(settings.published),
        bench=Bench(
            runs=find(params.runs),
            form=params.form,
            labels=labelled([*map(Path, given.labels)], how, find=find),
            others=relabelled(settings.labels, find=find),
            topics=[t.id for t in read_counted(Path(given.topics)) if t.counts],
            policies=params.own,
            ingested=Ingested(Path(given.rankings), [*map(Path, given.facts)], params.own["order"]),
            own=read_gains(
                {Path(p).stem: Path(p) for p in given.gains}, unjudged=params.own["unjudged"]
            ),
        ),
        policies=settings.policies,
        measures=settings.measures,
        out=Path(snakemake.output.audit),
        summary=Path(snakemake.output.summary),
    )
