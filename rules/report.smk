# The report: one self-contained page a campaign.
#
# in:  everything above      out: results/{campaign}/report/index.html


rule report:
    """Leaderboard, plots, what was odd in the inputs, and how it was made."""
    input:
        means="results/{campaign}/means.csv",
        scores=of_campaign(
            "results/{campaign}/scores/{part}.parquet",
            lambda c: [m.slug for m in c.measures],
        ),
        correlations="results/{campaign}/correlations.csv",
        checks="results/{campaign}/checks.csv",
        audit=audit_files("audit.json"),
        topics="results/{campaign}/topics.tsv",
        judging=judging_files,
        reading=reading_files,
        originals=originals,
        code=report_code,
    output:
        "results/{campaign}/report/index.html",
    log:
        "results/{campaign}/logs/report.log",
    benchmark:
        "results/{campaign}/benchmarks/report.tsv"
    conda:
        "../environment.yml"
    params:
        title=lambda wildcards: campaign(wildcards).title,
        scatter=lambda wildcards: campaign(wildcards).scatter,
        policies=lambda wildcards: dataclasses.asdict(campaign(wildcards).policies),
        dimensions=lambda wildcards: {
            name: dataclasses.asdict(dimension.labels or dimension.estimate)
            for name, dimension in campaign(wildcards).dimensions.items()
        },
        measures=lambda wildcards: [m.name for m in campaign(wildcards).measures],
        command=command,
    script:
        "../scripts/report.py"
