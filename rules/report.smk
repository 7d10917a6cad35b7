# The report: a page a campaign and a page a team, both opening offline, figures and tables for the
# paper, and the campaign's config, to make it all again.
#
# in:  everything above
# out: results/{campaign}/report/{index.html,charts.json}, report/teams/*.{html,csv},
#      report/figures/*.{svg,pdf}, report/tables/*.{csv,tex}, config.yaml; against an earlier state
#      report/changes.html, changes.csv


rule recipe:
    """The campaign's part of the config: `snakemake --configfile` makes it again."""
    input:
        code=code("recipe"),
    output:
        "results/{campaign}/config.yaml",
    log:
        "results/{campaign}/logs/recipe.log",
    benchmark:
        "results/{campaign}/benchmarks/recipe.tsv"
    priority: -1
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300),
        runtime=runtime(5),
    params:
        given=lambda wildcards: config["campaigns"][wildcards.campaign],
    script:
        "../scripts/recipe.py"


rule top_documents:
    """The first documents of every run on every topic, for the drill-down."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        code=code("top_documents"),
    output:
        "results/{campaign}/top_documents.parquet",
    log:
        "results/{campaign}/logs/top_documents.log",
    benchmark:
        "results/{campaign}/benchmarks/top_documents.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1),
        runtime=runtime(10, runs=0.02),
    script:
        "../scripts/top_documents.py"


rule judged_lists:
    """The judged documents of every list, for the rooms of the page that compute."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        gains=needs("gains"),
        code=code("judged_lists"),
    output:
        "results/{campaign}/judged_lists.json",
    log:
        "results/{campaign}/logs/judged_lists.log",
    benchmark:
        "results/{campaign}/benchmarks/judged_lists.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400, runs=1.5),
        runtime=runtime(10, runs=0.05),
    params:
        measures=needs("measure_names"),
        own=needs("own_measures"),
        unjudged=setting(lambda c, _: c.policies.unjudged),
        alpha=setting(lambda c, _: c.significance.alpha),
    script:
        "../scripts/judged_lists.py"


rule tables:
    """Tables for the overview paper, as CSV and LaTeX."""
    input:
        means="results/{campaign}/means.csv",
        correlations="results/{campaign}/correlations.csv",
        significance="results/{campaign}/significance.csv",
        runs=needs("measured", "significance/runs/{}.csv"),
        code=code("tables"),
    output:
        expand(
            "results/{{campaign}}/report/tables/{table}.{kind}",
            table=["means", "contrast", "agreement", "discrimination"],
            kind=["csv", "tex"],
        ),
    log:
        "results/{campaign}/logs/tables.log",
    benchmark:
        "results/{campaign}/benchmarks/tables.tsv"
    priority: -1
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400),
        runtime=runtime(5),
    params:
        title=setting(lambda c, _: c.title),
        contrast=setting(lambda c, _: list(c.scatter)),
        measures=needs("measure_names"),
    script:
        "../scripts/tables.py"


rule report:
    """Leaderboard, plots, drill-down, what was odd in the inputs, and how it was made."""
    input:
        means="results/{campaign}/means.csv",
        scores=needs("measured", "scores/{}.parquet"),
        overall=needs("measured", "overall/{}.parquet"),
        standings=needs("measured", "significance/runs/{}.csv"),
        pairs=needs("measured", "significance/{}.csv"),
        correlations="results/{campaign}/correlations.csv",
        significance="results/{campaign}/significance.csv",
        swaps="results/{campaign}/swaps.parquet",
        checks="results/{campaign}/checks.csv",
        audit=needs("audit", "audit.json"),
        topics="results/{campaign}/topics.tsv",
        judging=needs("judging"),
        reading=needs("reading"),
        top_documents="results/{campaign}/top_documents.parquet",
        judged_lists="results/{campaign}/judged_lists.json",
        labels=needs("label_tables"),
        originals=needs("originals"),
        code=code("report"),
    output:
        page="results/{campaign}/report/index.html",
        charts="results/{campaign}/report/charts.json",
    log:
        "results/{campaign}/logs/report.log",
    benchmark:
        "results/{campaign}/benchmarks/report.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(500, runs=1),
        runtime=runtime(15, runs=0.05),
    params:
        title=setting(lambda c, _: c.title),
        scatter=needs("contrast"),
        policies=setting(lambda c, _: c.policies),
        dimensions=needs("described_dimensions"),
        measures=needs("measure_names"),
        own=needs("own_measures"),
        made=needs("described_sources"),
        sources=needs("sources"),
    script:
        "../scripts/report.py"


rule teams:
    """A page for each team, to send to its members, and its scores as CSV."""
    input:
        means="results/{campaign}/means.csv",
        scores=needs("measured", "scores/{}.parquet"),
        standings=needs("measured", "significance/runs/{}.csv"),
        pairs=needs("measured", "significance/{}.csv"),
        checks="results/{campaign}/checks.csv",
        topics="results/{campaign}/topics.tsv",
        rankings="results/{campaign}/rankings.parquet",
        labels=needs("label_tables"),
        code=code("teams"),
    output:
        directory("results/{campaign}/report/teams"),
    log:
        "results/{campaign}/logs/teams.log",
    benchmark:
        "results/{campaign}/benchmarks/teams.tsv"
    priority: -1
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400, runs=0.5),
        runtime=runtime(10),
    params:
        title=setting(lambda c, _: c.title),
        scatter=needs("contrast"),
        measures=needs("measure_names"),
        dimensions=setting(lambda c, _: list(c.dimensions)),
        relevant=setting(lambda c, _: next(iter(c.labelled), None)),
        alpha=setting(lambda c, _: c.significance.alpha),
    script:
        "../scripts/teams.py"


rule figures:
    """The report's charts for the paper, as SVG and PDF."""
    input:
        charts="results/{campaign}/report/charts.json",
        code=code("figures"),
    output:
        report(
            directory("results/{campaign}/report/figures"),
            patterns=["{figure}.svg"],
            caption="captions/figure.rst",
            category="{campaign}",
            subcategory="Figures",
            labels={"figure": "{figure}"},
        ),
    log:
        "results/{campaign}/logs/figures.log",
    benchmark:
        "results/{campaign}/benchmarks/figures.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(500),
        runtime=runtime(15),
    script:
        "../scripts/figures.py"


rule changes:
    """What changed since an earlier state: labels, scores, ranks, pairs told apart."""
    input:
        against=lambda wildcards: list(NEEDS[wildcards.campaign].inputs.against),
        means="results/{campaign}/means.csv",
        scores=needs("measured", "scores/{}.parquet"),
        pairs=needs("measured", "significance/{}.csv"),
        labels=needs("label_tables"),
        gains=needs("gains"),
        rankings="results/{campaign}/rankings.parquet",
        ties=needs("contrasted", "ties.npz"),
        costs=needs("contrasted", "costs.npz"),
        code=code("changes"),
    output:
        page="results/{campaign}/report/changes.html",
        table="results/{campaign}/changes.csv",
    log:
        "results/{campaign}/logs/changes.log",
    benchmark:
        "results/{campaign}/benchmarks/changes.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(600, runs=12),
        runtime=runtime(20),
    params:
        title=setting(lambda c, _: c.title),
        folder=setting(lambda c, _: c.against),
        contrast=needs("contrast"),
        own=needs("own_measures"),
        unjudged=setting(lambda c, _: c.policies.unjudged),
        alpha=setting(lambda c, _: c.significance.alpha),
    script:
        "../scripts/changes.py"
