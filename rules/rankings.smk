# Runs, ranked once for all measures, and systems fused from them.
#
# in:  run files      out: results/{campaign}/rankings.parquet, checks.csv


rule ingest:
    """Read, check and rank one batch of runs."""
    input:
        runs=batch_files,
        code=code("rankings", "trec", "kernel", "_kernel.c"),
    output:
        rankings="results/{campaign}/rankings/{batch}.parquet",
        facts="results/{campaign}/rankings/{batch}.json",
    log:
        "results/{campaign}/logs/ingest/{batch}.log",
    benchmark:
        "results/{campaign}/benchmarks/ingest/{batch}.tsv"
    conda:
        "../environment.yml"
    params:
        made=lambda wildcards: [
            p for p in campaign(wildcards).runs.files if p.startswith("@")
        ],
        sources=sources,
        batches=lambda wildcards: campaign(wildcards).runs.batches,
        policies=lambda wildcards: {
            name: getattr(campaign(wildcards).policies, name)
            for name in ("order", "depth", "duplicates", "bad_scores")
        },
    script:
        "../scripts/ingest.py"


rule fuse:
    """Systems made by fusing the submitted runs."""
    input:
        batches=of_campaign(
            "results/{campaign}/rankings/{part}.parquet",
            lambda c: range(c.runs.batches),
        ),
        code=code("fusion", "rankings"),
    output:
        rankings="results/{campaign}/rankings/fused.parquet",
        facts="results/{campaign}/rankings/fused.json",
    log:
        "results/{campaign}/logs/fuse.log",
    benchmark:
        "results/{campaign}/benchmarks/fuse.tsv"
    conda:
        "../environment.yml"
    params:
        systems=lambda wildcards: [
            dataclasses.asdict(one) for one in campaign(wildcards).fusion.values()
        ],
    script:
        "../scripts/fuse.py"


rule rankings:
    """Put the batches together into one file."""
    input:
        batches=of_campaign("results/{campaign}/rankings/{part}.parquet", batches),
        code=code("rankings"),
    output:
        "results/{campaign}/rankings.parquet",
    log:
        "results/{campaign}/logs/rankings.log",
    benchmark:
        "results/{campaign}/benchmarks/rankings.tsv"
    conda:
        "../environment.yml"
    script:
        "../scripts/rankings.py"


rule checks:
    """Run forensics: what is odd in the inputs."""
    input:
        facts=of_campaign("results/{campaign}/rankings/{part}.json", batches),
        rankings="results/{campaign}/rankings.parquet",
        gains=of_campaign("results/{campaign}/gains/{part}.npz", lambda c: c.dimensions),
        topics="results/{campaign}/topics.tsv",
        code=code("checks"),
    output:
        "results/{campaign}/checks.csv",
    log:
        "results/{campaign}/logs/checks.log",
    benchmark:
        "results/{campaign}/benchmarks/checks.tsv"
    conda:
        "../environment.yml"
    params:
        unknown_topics=lambda wildcards: campaign(wildcards).policies.unknown_topics,
        team=lambda wildcards: campaign(wildcards).runs.team,
    script:
        "../scripts/checks.py"
