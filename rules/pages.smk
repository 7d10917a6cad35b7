# Pages: cleansed and counted in shards, put together, and a user model on top; baselines search them.
# Text goes straight from cleansing into counting, unless someone asks for it.
#
# in:  web pages, and which of them are needed; topics
# out: results/{campaign}/readability.parquet, pages/missing.txt, estimates/{dimension}.parquet,
#      rankings/baselines.parquet


rule cleanse:
    """The text of one shard's pages, where it is kept, without navigation, scripts and boilerplate."""
    input:
        pages=needs("page_files", "shard"),
        needed=needs("needed"),
        code=code("cleanse"),
    output:
        text="results/{campaign}/pages/text/{shard}.parquet",
        facts="results/{campaign}/pages/text/{shard}.json",
    log:
        "results/{campaign}/logs/cleanse/{shard}.log",
    benchmark:
        "results/{campaign}/benchmarks/cleanse/{shard}.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(500),
        runtime=runtime(15, shard=0.1),
    params:
        patterns=setting(lambda c, _: c.pages.files),
        sources=needs("sources"),
        shards=needs("shard_count"),
        cleansing=setting(
            lambda c, _: {
                name: getattr(c.pages, name)
                for name in ("method", "sentence_ends", "language", "seconds")
            }
        ),
    script:
        "../scripts/cleanse.py"


rule readability:
    """FOG and its kin for one shard's pages: from their text where it is kept, else from themselves."""
    input:
        text=needs("kept_text", "shard"),
        pages=needs("counted_pages", "shard"),
        needed=needs("needed"),
        code=code("readability"),
    output:
        table="results/{campaign}/pages/readability/{shard}.parquet",
        facts="results/{campaign}/pages/readability/{shard}.json",
    log:
        "results/{campaign}/logs/readability/{shard}.log",
    benchmark:
        "results/{campaign}/benchmarks/readability/{shard}.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(500),
        runtime=runtime(15, shard=0.1),
    params:
        patterns=setting(lambda c, _: c.pages.files),
        sources=needs("sources"),
        shards=needs("shard_count"),
        seconds=setting(lambda c, _: c.pages.seconds),
        task=setting(
            lambda c, _: {
                name: getattr(c.pages, name)
                for name in ("method", "sentence_ends", "language", "engine")
            }
        ),
    script:
        "../scripts/readability.py"


rule merge_pages:
    """All shards in one table; which documents were asked for and not found."""
    input:
        shards=needs("shards", "pages/readability/{}.parquet"),
        facts=needs("shards", "pages/readability/{}.json"),
        needed=needs("needed"),
        code=code("merge_pages"),
    output:
        readability="results/{campaign}/readability.parquet",
        missing="results/{campaign}/pages/missing.txt",
        summary="results/{campaign}/pages/summary.json",
    log:
        "results/{campaign}/logs/merge_pages.log",
    benchmark:
        "results/{campaign}/benchmarks/merge_pages.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400),
        runtime=runtime(15),
    script:
        "../scripts/merge_pages.py"


rule count_every_way:
    """One shard's pages by every way to cleanse and to count them, where these are compared."""
    input:
        pages=needs("page_files", "shard"),
        compared="results/{campaign}/pages/compared.txt",
        code=code("count_every_way"),
    output:
        "results/{campaign}/pages/counters/{shard}.parquet",
    log:
        "results/{campaign}/logs/count_every_way/{shard}.log",
    benchmark:
        "results/{campaign}/benchmarks/count_every_way/{shard}.tsv"
    conda:
        "../environment.yml"
    params:
        patterns=setting(lambda c, _: c.pages.files),
        sources=needs("sources"),
        shards=needs("shard_count"),
        seconds=setting(lambda c, _: c.pages.seconds),
        language=setting(lambda c, _: c.pages.language),
        chosen=setting(lambda c, _: c.pages.way),
    script:
        "../scripts/count_every_way.py"


rule user_model:
    """The probability that a user understands a page, as a dimension of relevance."""
    input:
        readability="results/{campaign}/readability.parquet",
        code=code("user_model"),
    output:
        "results/{campaign}/estimates/{dimension}.parquet",
    log:
        "results/{campaign}/logs/user_model/{dimension}.log",
    benchmark:
        "results/{campaign}/benchmarks/user_model/{dimension}.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400),
        runtime=runtime(10),
    params:
        estimate=setting(
            lambda c, wildcards: c.dimensions[wildcards.dimension].estimate
        ),
    script:
        "../scripts/user_model.py"


rule index:
    """The pages' text as a search engine reads it, for baselines."""
    input:
        shards=needs("shards", "pages/text/{}.parquet"),
        code=code("index"),
    output:
        directory("results/{campaign}/pages/index/{stemmer}"),
    log:
        "results/{campaign}/logs/index/{stemmer}.log",
    benchmark:
        "results/{campaign}/benchmarks/index/{stemmer}.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(500, pages=0.2),
        runtime=runtime(15, pages=0.02),
    script:
        "../scripts/index.py"


rule baselines:
    """Systems made by searching the pages with the topics."""
    input:
        indices=needs("indices"),
        topics="results/{campaign}/topics.tsv",
        file=needs("topics_file"),
        code=code("baselines"),
    output:
        rankings="results/{campaign}/rankings/baselines.parquet",
        facts="results/{campaign}/rankings/baselines.json",
    log:
        "results/{campaign}/logs/baselines.log",
    benchmark:
        "results/{campaign}/benchmarks/baselines.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(500, pages=0.2),
        runtime=runtime(15, pages=0.02),
    params:
        systems=needs("baselines"),
        topics=setting(lambda c, _: c.topics),
        sources=needs("sources"),
    script:
        "../scripts/baselines.py"
