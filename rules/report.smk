# The report: a page for the campaign and one for each team, figures and tables for the paper, and the
# campaign's config, to rerun it all.
#
# in:  everything above
# out: results/{campaign}/report/index.html, report/teams/*.{html,csv},
#      report/figures/*.{svg,pdf}, report/tables/*.{csv,tex}, checks.csv, relstrings.tsv, config.yaml;
#      compared with a kept version report/changes.html, changes.csv


rule report:
    """Pages, tables and figures; repairs and warnings by run; the campaign's own config."""
    input:
        originals=files(lambda steps, w: steps.originals),
        tables=[
            ancient(path)
            for path in (F.means, F.correlations, F.discrimination, F.swaps)
        ],
        measures=each_measure("scores", "overall", "significance", "standings"),
        rankings=ancient(F.rankings),
        runs=ancient(F.runs),
        topics=ancient(F.topics),
        teams=ancient(F.teams),
        gains=ancient(F.folder / "gains"),
        labels=files(label_folders),
        pool=[ancient(F.pool_table(name)) for name in POOL_TABLES],
        judging=wanted("judging", F.judging),
        people=wanted("people", F.people("measures"), F.people("comparisons")),
        audit=wanted("audit", F.audit_summary),
        readability=wanted("readability", F.readability, F.page_problems),
        after=after("report"),
    output:
        page=F.page,
        teams=directory(F.team_pages),
        figures=report(
            directory(F.figures),
            patterns=["{figure}.svg"],
            caption="captions/figure.rst",
            category="{campaign}",
            subcategory="Figures",
            labels={"figure": "{figure}"},
        ),
        tables=[
            F.tables / f"{table}.{kind}"
            for table in REPORT_TABLES
            for kind in ("csv", "tex")
        ],
        checks=F.checks,
        strings=F.relevance_strings,
        config=F.config,
        record=F.record("report"),
    log:
        log("report"),
    benchmark:
        benchmark("report")
    conda:
        ENVIRONMENT
    resources:
        **limits(700, per_mb=4, minutes=30),
    params:
        **parameters("report"),
    script:
        "../scripts/report.py"


rule changes:
    """What changed since a kept version: labels, scores, ranks, significant differences."""
    input:
        against=files(lambda steps, w: steps.inputs.against),
        means=ancient(F.means),
        scores=each_measure("scores", "significance"),
        rankings=ancient(F.rankings),
        labels=files(label_folders),
        gains=ancient(F.folder / "gains"),
        after=after("changes"),
    output:
        page=F.changes_page,
        table=F.changes,
        record=F.record("changes"),
    log:
        log("changes"),
    benchmark:
        benchmark("changes")
    conda:
        ENVIRONMENT
    resources:
        **limits(600, per_mb=12, minutes=30),
    params:
        **parameters("changes"),
    script:
        "../scripts/changes.py"
