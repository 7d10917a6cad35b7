# Statistics: means over topics, how far the measures agree, how well each separates runs.
#
# in:  scores, significance
# out: results/{campaign}/means.csv, correlations.csv, swaps.parquet, significance.csv


rule correlate:
    """Means over topics, how alike the measures rank the runs, and their discriminative power."""
    input:
        scores=each_measure("scores"),
        overall=each_measure("overall"),
        summaries=each_measure("summary"),
        teams=ancient(F.teams),
        after=after("correlate"),
    output:
        means=F.means,
        correlations=F.correlations,
        swaps=F.swaps,
        discrimination=F.discrimination,
        record=F.record("correlate"),
    log:
        log("correlate"),
    benchmark:
        benchmark("correlate")
    conda:
        ENVIRONMENT
    resources:
        **limits(500, per_mb=4, minutes=30),
    params:
        **parameters("correlate"),
    script:
        "../scripts/correlate.py"
