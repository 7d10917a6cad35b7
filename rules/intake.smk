# The intake desk: what is odd in what was handed in.
#
# in:  rankings and what reading them found, gains      out: results/{campaign}/checks.csv


rule checks:
    """Run forensics: what is odd in the inputs."""
    input:
        facts=needs("rankings", "rankings/{}.json"),
        rankings="results/{campaign}/rankings.parquet",
        gains=needs("gains"),
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
        unknown_topics=setting(lambda c, _: c.policies.unknown_topics),
        team=setting(lambda c, _: c.runs.team),
    script:
        "../scripts/checks.py"
