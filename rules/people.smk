# Is the evaluation good: what people prefer and how they rate runs, against what each measure says.
#
# in:  scores, people's preferences and ratings
# out: results/{campaign}/people/{measures,comparisons}.csv


rule people:
    """How often each measure agrees with people, and whether another agrees more."""
    input:
        scores=needs("measured", "scores/{}.parquet"),
        people=needs("people_files"),
        code=code("people"),
    output:
        measures="results/{campaign}/people/measures.csv",
        comparisons="results/{campaign}/people/comparisons.csv",
    log:
        "results/{campaign}/logs/people.log",
    benchmark:
        "results/{campaign}/benchmarks/people.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400),
        runtime=runtime(10),
    params:
        settings=setting(lambda c, _: c.people),
        dimensions=setting(
            lambda c, _: {m.name: list(m.dimensions) for m in c.measures}
        ),
        sources=needs("sources"),
    script:
        "../scripts/people.py"
