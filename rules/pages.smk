# Pages: cleansed and counted in shards, put together, and a user model on top.
#
# in:  web pages (and what is needed of them: rankings or pool)
# out: results/{campaign}/readability.parquet, pages/missing.txt, estimates/{dimension}.parquet


rule wanted:
    """The documents whose pages are needed, where not all are."""
    input:
        source=wanted_source,
        code=code("wanted"),
    output:
        "results/{campaign}/pages/wanted.txt",
    log:
        "results/{campaign}/logs/wanted.log",
    benchmark:
        "results/{campaign}/benchmarks/wanted.tsv"
    conda:
        "../environment.yml"
    params:
        documents=lambda wildcards: campaign(wildcards).pages.documents,
        depth=lambda wildcards: campaign(wildcards).pages.depth,
    script:
        "../scripts/wanted.py"


rule cleanse:
    """The text of one shard's pages, without navigation, scripts and boilerplate."""
    input:
        pages=shard_files,
        wanted=wanted_list,
        code=[*code("collection"), *package("cleanse")],
    output:
        text="results/{campaign}/pages/text/{shard}.parquet",
        facts="results/{campaign}/pages/text/{shard}.json",
    log:
        "results/{campaign}/logs/cleanse/{shard}.log",
    benchmark:
        "results/{campaign}/benchmarks/cleanse/{shard}.tsv"
    conda:
        "../environment.yml"
    params:
        patterns=lambda wildcards: campaign(wildcards).pages.files,
        sources=sources,
        shards=lambda wildcards: campaign(wildcards).pages.shards,
        cleansing=lambda wildcards: {
            name: getattr(campaign(wildcards).pages, name)
            for name in ("method", "sentence_ends", "seconds")
        },
    script:
        "../scripts/cleanse.py"


rule readability:
    """FOG and its kin for one shard's pages."""
    input:
        text="results/{campaign}/pages/text/{shard}.parquet",
        code=package("readability"),
    output:
        "results/{campaign}/pages/readability/{shard}.parquet",
    log:
        "results/{campaign}/logs/readability/{shard}.log",
    benchmark:
        "results/{campaign}/benchmarks/readability/{shard}.tsv"
    conda:
        "../environment.yml"
    params:
        engine=lambda wildcards: campaign(wildcards).pages.engine,
    script:
        "../scripts/readability.py"


rule merge_pages:
    """All shards in one table; which documents were asked for and not found."""
    input:
        shards=of_campaign(
            "results/{campaign}/pages/readability/{part}.parquet",
            lambda c: range(c.pages.shards),
        ),
        facts=of_campaign(
            "results/{campaign}/pages/text/{part}.json",
            lambda c: range(c.pages.shards),
        ),
        wanted=wanted_list,
        code=code("readability/merging"),
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
    script:
        "../scripts/merge_pages.py"


rule understandability:
    """The probability that a user understands a page, as a dimension of relevance."""
    input:
        readability="results/{campaign}/readability.parquet",
        code=code("understandability"),
    output:
        "results/{campaign}/estimates/{dimension}.parquet",
    log:
        "results/{campaign}/logs/understandability/{dimension}.log",
    benchmark:
        "results/{campaign}/benchmarks/understandability/{dimension}.tsv"
    conda:
        "../environment.yml"
    params:
        estimate=lambda wildcards: dataclasses.asdict(
            campaign(wildcards).dimensions[wildcards.dimension].estimate
        ),
    script:
        "../scripts/understandability.py"
