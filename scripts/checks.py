from pathlib import Path

from pipeline.intake.checks import check
from pipeline.runs.teams import Teams, read_teams
from pipeline.storage.plain import restored
from pipeline.storage.step import step
from pipeline.labels.topics import read_counted

with step(snakemake):
    team = snakemake.params.team and restored(Teams, snakemake.params.team)
    topics = read_counted(Path(snakemake.input.topics))
    check(
        [Path(path) for path in snakemake.input.facts],
        rankings=Path(snakemake.input.rankings),
        gains={Path(path).stem: Path(path) for path in snakemake.input.gains},
        topics=[topic.id for topic in topics if topic.counts],
        known_topics=[topic.id for topic in topics],
        unknown_topics=snakemake.params.unknown_topics,
        teams=read_teams(Path(snakemake.input.teams)) if team else None,
        nobodys=team.nobodys if team else lambda _: False,
        out=Path(snakemake.output[0]),
    )
