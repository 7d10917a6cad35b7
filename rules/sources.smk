# Input folders that a job makes: fetched from a pinned address, or generated from a seed.
#
# in:  the config, and what a generated source is made for      out: results/{campaign}/sources/{source}/


rule fetch:
    """Fetch and check, or generate, one source folder."""
    input:
        files=files(
            lambda steps, w: paths_of(steps, steps.inputs.of("sources", w.source))
        ),
        after=after("fetch/{source}"),
    output:
        folder=directory(F.source("{source}")),
        record=F.record("fetch/{source}"),
    log:
        log("fetch/{source}"),
    benchmark:
        benchmark("fetch/{source}")
    conda:
        ENVIRONMENT
    resources:
        **limits(400, minutes=120),
    params:
        **parameters("fetch/{source}"),
    script:
        "../scripts/fetch.py"
