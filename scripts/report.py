from pathlib import Path

from pipeline import facts, report
from pipeline.job import job
from pipeline.topics import read_counted

with job(snakemake.log):
    params = snakemake.params
    report.write(
        out=Path(snakemake.output[0]),
        campaign=snakemake.wildcards.campaign,
        title=params.title,
        means=Path(snakemake.input.means),
        scores=[Path(path) for path in snakemake.input.scores],
        correlations=Path(snakemake.input.correlations),
        checks=Path(snakemake.input.checks),
        audit=Path(snakemake.input.audit[0]) if snakemake.input.audit else None,
        tables=[Path(path) for path in snakemake.input.judging],
        readability=Path(snakemake.input.reading[0]) if snakemake.input.reading else None,
        pages=Path(snakemake.input.reading[1]) if snakemake.input.reading else None,
        scatter=tuple(params.scatter),
        topics={topic.id: topic.text for topic in read_counted(Path(snakemake.input.topics))},
        facts=facts.gather(
            policies=params.policies,
            dimensions=params.dimensions,
            command=params.command,
            originals=[Path(path) for path in snakemake.input.originals],
            measures=params.measures,
        ),
    )
