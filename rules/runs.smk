# Runs, ranked once for all measures, and systems fused from them.
#
# in:  run files, baselines, a table of teams if there is one
# out: results/{campaign}/rankings.parquet, runs.json, teams.csv


rule rank:
    """Every run read, checked and ranked, and systems fused from them."""
    input:
        runs=given("runs"),
        teams=given("teams"),
        baselines=wanted("baselines", F.baseline_rankings, F.baseline_runs),
        after=after("rank"),
    output:
        rankings=F.rankings,
        runs=F.runs,
        teams=F.teams,
        record=F.record("rank"),
    log:
        log("rank"),
    benchmark:
        benchmark("rank")
    priority: 2
    conda:
        ENVIRONMENT
    resources:
        **limits(500, per_mb=4, minutes=30),
    params:
        **parameters("rank"),
    script:
        "../scripts/rank.py"
