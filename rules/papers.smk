# Published experiments, rerun: every printed figure beside ours, with a verdict and its reason.
#
# in:  results of the campaigns a paper uses, as far as they can be had here
# out: results/{paper}/index.html, published.csv, tables/, figures/


checkpoint at_hand:
    """Which of the campaigns a paper uses can be had here; its page says what it did without."""
    input:
        code=code("at_hand"),
    output:
        "results/{paper}/at_hand.json",
    log:
        "results/{paper}/logs/at_hand.log",
    benchmark:
        "results/{paper}/benchmarks/at_hand.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300),
        runtime=runtime(30),
    params:
        campaigns=lambda wildcards: PAPERS[wildcards.paper].sources(),
    script:
        "../scripts/at_hand.py"


rule paper:
    """A paper's experiment run again: its page, its printed figures beside ours, its tables."""
    input:
        results=results_used,
        code=code("paper"),
    output:
        page="results/{paper}/index.html",
        published="results/{paper}/published.csv",
        charts="results/{paper}/charts.json",
        tables=directory("results/{paper}/tables"),
    log:
        "results/{paper}/logs/paper.log",
    benchmark:
        "results/{paper}/benchmarks/paper.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=runtime(60),
    params:
        paper=lambda wildcards: PAPERS[wildcards.paper].paper.name,
        roles=lambda wildcards: PAPERS[wildcards.paper].roles,
        settings=lambda wildcards: PAPERS[wildcards.paper].settings,
    script:
        "../scripts/paper.py"


rule paper_figures:
    """A paper's charts, as SVG and PDF."""
    input:
        charts="results/{paper}/charts.json",
        code=code("figures"),
    output:
        directory("results/{paper}/figures"),
    log:
        "results/{paper}/logs/figures.log",
    benchmark:
        "results/{paper}/benchmarks/figures.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(500),
        runtime=runtime(15),
    script:
        "../scripts/figures.py"
