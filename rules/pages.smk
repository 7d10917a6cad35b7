# Pages: cleansed, their readability estimated, and a user model on top.
#
# in:  web pages      out: results/{campaign}/readability.parquet, estimates/{dimension}.parquet


rule cleanse:
    """The text of every page, without navigation, scripts and boilerplate."""
    input:
        pages=files(lambda inputs, wildcards: inputs.pages),
        code=code("cleanse"),
    output:
        "results/{campaign}/pages/text.parquet",
    log:
        "results/{campaign}/logs/cleanse.log",
    benchmark:
        "results/{campaign}/benchmarks/cleanse.tsv"
    conda:
        "../environment.yml"
    threads: 2
    params:
        patterns=lambda wildcards: campaign(wildcards).pages.files,
        sources=sources,
    script:
        "../scripts/cleanse.py"


rule readability:
    """FOG and its kin for every page."""
    input:
        text="results/{campaign}/pages/text.parquet",
        code=code("readability"),
    output:
        "results/{campaign}/readability.parquet",
    log:
        "results/{campaign}/logs/readability.log",
    benchmark:
        "results/{campaign}/benchmarks/readability.tsv"
    conda:
        "../environment.yml"
    script:
        "../scripts/readability.py"


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
