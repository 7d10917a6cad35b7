# Input folders that a job makes: fetched from a pinned address, or generated from a seed.
#
# in:  the config, and what a generated source is made for      out: results/{campaign}/sources/{source}/


rule source:
    """Fetch and check, or generate, one source folder."""
    input:
        files=needs("source_files", "source"),
        code=code("source"),
        mirror=grown,
    output:
        directory("results/{campaign}/sources/{source}"),
    log:
        "results/{campaign}/logs/source/{source}.log",
    benchmark:
        "results/{campaign}/benchmarks/source/{source}.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400),
        runtime=runtime(120),
    params:
        source=needs("source", "source"),
    script:
        "../scripts/source.py"
