# The input check: errors and warnings in what was handed in, without evaluating it.
#
# in:  runs, labels, topics, preference and satisfaction data
# out: results/{campaign}/check/index.html, check/problems.csv


rule inspect:
    """All errors and warnings in what was handed in."""
    input:
        runs=given("runs", "teams"),
        labels=given("labels", "further", "sets", "audited"),
        topics=given("topics"),
        people=given("people"),
        after=after("check"),
    output:
        page=F.check_page,
        table=F.check_table,
        record=F.record("check"),
    log:
        log("check"),
    benchmark:
        benchmark("check")
    conda:
        ENVIRONMENT
    resources:
        **limits(500, per_mb=3, minutes=20),
    params:
        **parameters("check"),
    script:
        "../scripts/check.py"
