# Pages: cleansed and counted in shards, put together, and a user model on top; baselines search them.
#
# in:  web pages, and which of them are needed; topics
# out: results/{campaign}/pages/{shard}.parquet, readability.parquet, pages/problems.csv,
#      estimates/{dimension}.parquet, baselines/


rule cleanse:
    """One shard's pages without navigation, scripts and boilerplate: counts, and text if kept."""
    input:
        pages=files(lambda steps, w: paths_of(steps, [steps.page_files(int(w.shard))])),
        needed=files(needed_by),
        after=after("cleanse/{shard}"),
    output:
        counts=F.shard("{shard}"),
        record=F.record("cleanse/{shard}"),
    log:
        log("cleanse/{shard}"),
    benchmark:
        benchmark("cleanse/{shard}")
    conda:
        ENVIRONMENT
    resources:
        **limits(800, minutes=120),
    params:
        **parameters("cleanse/{shard}"),
    script:
        "../scripts/cleanse.py"


rule readability:
    """All shards in one table, and the dimensions that a user model estimates from it."""
    input:
        shards=files(shards),
        needed=files(needed_by),
        after=after("readability"),
    output:
        readability=F.readability,
        problems=F.page_problems,
        estimates=directory(F.folder / "estimates"),
        record=F.record("readability"),
    log:
        log("readability"),
    benchmark:
        benchmark("readability")
    conda:
        ENVIRONMENT
    resources:
        **limits(400, per_mb=2, minutes=20),
    params:
        **parameters("readability"),
    script:
        "../scripts/readability.py"


rule baselines:
    """Systems made by searching the pages with the topics."""
    input:
        shards=files(shards),
        topics=ancient(F.topics),
        file=given("topics"),
        after=after("baselines"),
    output:
        rankings=F.baseline_rankings,
        runs=F.baseline_runs,
        record=F.record("baselines"),
    log:
        log("baselines"),
    benchmark:
        benchmark("baselines")
    conda:
        ENVIRONMENT
    resources:
        **limits(500, per_mb=5, minutes=60),
    params:
        **parameters("baselines"),
    script:
        "../scripts/baselines.py"
