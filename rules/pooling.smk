# Pools: what assessors should judge, in the forms they need, and what a pool covers.
#
# in:  rankings, labels if there are any
# out: results/{campaign}/pool.tsv, pool/{topics,teams,overlap,runs}.csv, pool/judge.qrels,
#      pool/relevation/{pool.txt,queries.txt,topics.tsv}


rule pool:
    """What assessors should judge, what it covers, and the files they get."""
    input:
        rankings=ancient(F.rankings),
        labels=ancient(F.folder / "labels"),
        topics=ancient(F.topics),
        teams=ancient(F.teams),
        after=after("pool"),
    output:
        pool=F.pool,
        tables=[F.pool_table(name) for name in POOL_TABLES],
        qrels=F.pool_qrels,
        relevation=[F.relevation(name) for name in RELEVATION],
        record=F.record("pool"),
    log:
        log("pool"),
    benchmark:
        benchmark("pool")
    conda:
        ENVIRONMENT
    resources:
        **limits(400, per_mb=4, minutes=20),
    params:
        **parameters("pool"),
    script:
        "../scripts/pool.py"
