# The report: a page a campaign and a page a team, both opening offline, and figures for the paper.
#
# in:  everything above
# out: results/{campaign}/report/index.html, teams/*.html, figures/*.{svg,pdf}, charts.json


rule tops:
    """The first documents of every run on every topic, for the drill-down."""
    input:
        rankings="results/{campaign}/rankings.parquet",
        code=code("tops"),
    output:
        "results/{campaign}/tops.parquet",
    log:
        "results/{campaign}/logs/tops.log",
    benchmark:
        "results/{campaign}/benchmarks/tops.tsv"
    conda:
        "../environment.yml"
    script:
        "../scripts/tops.py"


rule report:
    """Leaderboard, plots, drill-down, what was odd in the inputs, and how it was made."""
    input:
        means="results/{campaign}/means.csv",
        scores=of_measures("results/{campaign}/scores/{part}.parquet"),
        standings=of_measures("results/{campaign}/significance/runs/{part}.csv"),
        pairs=of_measures("results/{campaign}/significance/{part}.csv"),
        correlations="results/{campaign}/correlations.csv",
        swaps="results/{campaign}/swaps.parquet",
        checks="results/{campaign}/checks.csv",
        audit=audit_files("audit.json"),
        topics="results/{campaign}/topics.tsv",
        judging=judging_files,
        reading=reading_files,
        tops="results/{campaign}/tops.parquet",
        labels=label_tables,
        originals=originals,
        code=report_code,
    output:
        page="results/{campaign}/report/index.html",
        charts="results/{campaign}/report/charts.json",
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
        made=lambda wildcards: {
            name: (
                {"generated": given.generate, "seed": given.seed}
                if given.generate
                else {"url": given.url, "sha256": given.sha256}
            )
            for name, given in campaign(wildcards).sources.items()
        },
        command=command,
    script:
        "../scripts/report.py"


rule teams:
    """A page for each team, to send to its members."""
    input:
        means="results/{campaign}/means.csv",
        scores=of_measures("results/{campaign}/scores/{part}.parquet"),
        standings=of_measures("results/{campaign}/significance/runs/{part}.csv"),
        checks="results/{campaign}/checks.csv",
        topics="results/{campaign}/topics.tsv",
        code=report_code,
    output:
        directory("results/{campaign}/report/teams"),
    log:
        "results/{campaign}/logs/teams.log",
    benchmark:
        "results/{campaign}/benchmarks/teams.tsv"
    conda:
        "../environment.yml"
    params:
        title=lambda wildcards: campaign(wildcards).title,
        scatter=lambda wildcards: campaign(wildcards).scatter,
        measures=lambda wildcards: [m.name for m in campaign(wildcards).measures],
        command=command,
    script:
        "../scripts/teams.py"


rule figures:
    """The report's charts for the paper, as SVG and PDF."""
    input:
        charts="results/{campaign}/report/charts.json",
        code=code("report/figures", "report/drawing", "report/report.css"),
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
    script:
        "../scripts/figures.py"
