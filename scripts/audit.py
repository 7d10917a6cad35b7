from functools import partial
from pathlib import Path

from pipeline.audit.policies import CampaignData, read_labels, read_label_sets
from pipeline.config.audit import Audit
from pipeline.audit.step import audit
from pipeline.gains.files import read as read_gains
from pipeline.config.dimensions import Labels
from pipeline.labels.topics import read_counted
from pipeline.measures.own import load_all
from pipeline.sources.paths import expand
from pipeline.storage.step import step

with step(snakemake) as settings:
    given = snakemake.input
    load_all(settings["declared"])
    published, policies = Audit.model_validate(settings["audit"]), settings["policies"]
    find = partial(expand, sources=settings["sources"])
    how = {name: one and Labels.model_validate(one) for name, one in settings["labels"].items()}
    gains = {name: Path(given.gains, f"{name}.npz") for name in settings["tables"]}
    audit(
        find(published.published),
        data=CampaignData(
            runs=find(settings["runs"]),
            form=settings["form"],
            labels=read_labels([*map(Path, settings["tables"].values())], how, find=find),
            label_sets=read_label_sets(published.labels, find=find),
            topics=[t.id for t in read_counted(Path(given.topics)) if t.counts],
            policies=policies,
            rankings=Path(given.rankings),
            own_gains=read_gains(gains, unjudged=policies["unjudged"]),
        ),
        policies=published.policies,
        measures=published.measures,
        out=Path(snakemake.output.audit),
        summary=Path(snakemake.output.summary),
    )
