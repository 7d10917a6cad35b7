# Runs, ranked once for all measures, and systems fused from them.
#
# in:  run files, a table of teams if there is one
# out: results/{campaign}/rankings.parquet, teams.csv


rule ingest:
    """Read, check and rank one batch of runs."""
    input:
        runs=needs("run_files", "batch"),
        code=code("ingest"),
    output:
        rankings="results/{campaign}/rankings/{batch}.parquet",
        facts="results/{campaign}/rankings/{batch}.json",
    log:
        "results/{campaign}/logs/ingest/{batch}.log",
    benchmark:
        "results/{campaign}/benchmarks/ingest/{batch}.tsv"
    priority: 2
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, batch=3),
        runtime=runtime(10, batch=0.05),
    params:
        made=needs("made_runs"),
        sources=needs("sources"),
        form=setting(lambda c, _: c.runs.format),
        batches=needs("batch_count"),
        policies=setting(
            lambda c, _: {
                name: getattr(c.policies, name)
                for name in ("order", "depth", "duplicates", "bad_scores")
            }
        ),
    script:
        "../scripts/ingest.py"


rule fuse:
    """Systems made by fusing the submitted runs."""
    input:
        batches=needs("batches", "rankings/{}.parquet"),
        code=code("fuse"),
    output:
        rankings="results/{campaign}/rankings/fused.parquet",
        facts="results/{campaign}/rankings/fused.json",
    log:
        "results/{campaign}/logs/fuse.log",
    benchmark:
        "results/{campaign}/benchmarks/fuse.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=2),
        runtime=runtime(10, runs=0.1),
    params:
        systems=needs("fused_systems"),
    script:
        "../scripts/fuse.py"


rule rankings:
    """Put the batches together into one file."""
    input:
        batches=needs("rankings", "rankings/{}.parquet"),
        code=code("rankings"),
    output:
        "results/{campaign}/rankings.parquet",
    log:
        "results/{campaign}/logs/rankings.log",
    benchmark:
        "results/{campaign}/benchmarks/rankings.tsv"
    priority: 2
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=2),
        runtime=runtime(10, runs=0.02),
    script:
        "../scripts/rankings.py"


rule run_teams:
    """The team of each run, from its name, its path or a table."""
    input:
        facts=needs("rankings", "rankings/{}.json"),
        table=needs("team_table"),
        code=code("run_teams"),
    output:
        "results/{campaign}/teams.csv",
    log:
        "results/{campaign}/logs/run_teams.log",
    benchmark:
        "results/{campaign}/benchmarks/run_teams.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300),
        runtime=runtime(5),
    params:
        team=setting(lambda c, _: c.runs.team),
        sources=needs("sources"),
    script:
        "../scripts/run_teams.py"
