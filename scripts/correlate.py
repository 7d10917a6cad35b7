from pathlib import Path

from pipeline.runs.teams import read_teams
from pipeline.statistics.correlation.step import correlate
from pipeline.statistics.means import write_means
from pipeline.statistics.significance.step import summarise
from pipeline.storage.step import step

with step(snakemake) as settings:
    given, output = snakemake.input, snakemake.output
    out = Path(output.means)
    teams = read_teams(Path(given.teams))
    write_means([Path(path) for path in given.overall], teams=teams, out=out)
    correlate(
        out,
        scores=[Path(path) for path in given.scores],
        out=Path(output.correlations),
        swaps=Path(output.swaps),
        **settings["correlations"],
    )
    summarise([Path(path) for path in given.summaries], out=Path(output.discrimination))
