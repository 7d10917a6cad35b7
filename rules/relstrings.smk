# Relevance strings: every list as its labels read.
#
# in:  gains      out: results/{campaign}/relstrings.tsv


rule relstrings:
    """Every list as its labels read, rank by rank (trec_eval -m relstring)."""
    input:
        gains=of_campaign(
            "results/{campaign}/gains/{part}.npz",
            lambda c: dict.fromkeys((next(iter(c.dimensions)), *c.labelled)),
        ),
        code=code("relstring", "gains", "dimension"),
    output:
        "results/{campaign}/relstrings.tsv",
    log:
        "results/{campaign}/logs/relstrings.log",
    benchmark:
        "results/{campaign}/benchmarks/relstrings.tsv"
    conda:
        "../environment.yml"
    params:
        depth=10,
        unjudged=lambda wildcards: campaign(wildcards).policies.unjudged,
    script:
        "../scripts/relstrings.py"
