# Scores: one job per measure over all runs, and the significance of their differences.
#
# in:  gains
# out: results/{campaign}/{scores,overall}/{measure}.parquet, significance/{measure}.csv (pairs),
#      significance/runs/{measure}.csv


rule evaluate:
    """One measure over all runs and topics, with bounds for unjudged documents, and its tests."""
    input:
        gains=ancient(F.folder / "gains"),
        after=after("evaluate/{measure}"),
    output:
        scores=F.scores("{measure}"),
        overall=F.overall("{measure}"),
        pairs=F.significance("{measure}"),
        runs=F.standings("{measure}"),
        summary=F.summary("{measure}"),
        record=F.record("evaluate/{measure}"),
    log:
        log("evaluate/{measure}"),
    benchmark:
        benchmark("evaluate/{measure}")
    conda:
        ENVIRONMENT
    resources:
        **limits(600, per_mb=1, minutes=30),
    params:
        **parameters("evaluate/{measure}"),
    script:
        "../scripts/evaluate.py"
