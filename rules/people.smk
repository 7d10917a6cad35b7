# Is the evaluation good: preference and satisfaction data against what each measure says.
#
# in:  scores, preferences and ratings
# out: results/{campaign}/people/{measures,comparisons}.csv


rule people:
    """How often each measure agrees with people, and whether another agrees more."""
    input:
        scores=each_measure("scores"),
        people=given("people"),
        after=after("people"),
    output:
        measures=F.people("measures"),
        comparisons=F.people("comparisons"),
        record=F.record("people"),
    log:
        log("people"),
    benchmark:
        benchmark("people")
    conda:
        ENVIRONMENT
    resources:
        **limits(400, per_mb=4, minutes=20),
    params:
        **parameters("people"),
    script:
        "../scripts/people.py"
