# Published experiments, rerun: every printed figure beside ours, with a verdict and its reason.
#
# in:  results of the campaigns a paper uses, as far as they are available
# out: results/{paper}/index.html, published.csv, tables/, figures/


checkpoint available:
    """Which campaigns a paper uses are available; its page says what is missing."""
    output:
        note=P.available,
        record=P.record("available"),
    log:
        log("available", "paper"),
    benchmark:
        benchmark("available", "paper")
    conda:
        ENVIRONMENT
    resources:
        **limits(400, minutes=120),
    params:
        **parameters("available"),
    script:
        "../scripts/available.py"


rule paper:
    """A paper's experiment rerun: its page, its printed figures beside ours, tables, figures."""
    input:
        results=results_used,
        after=after("paper"),
    output:
        page=P.folder / "index.html",
        published=P.published,
        tables=directory(P.folder / "tables"),
        figures=directory(P.folder / "figures"),
        record=P.record("paper"),
    log:
        log("paper", "paper"),
    benchmark:
        benchmark("paper", "paper")
    conda:
        ENVIRONMENT
    resources:
        **limits(600, per_mb=4, minutes=60),
    params:
        **parameters("paper"),
    script:
        "../scripts/paper.py"
