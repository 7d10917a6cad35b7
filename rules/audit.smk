# The audit: what was published, computed again under named policies.
#
# in:  published results, run files, rankings, labels, gains      out: results/{campaign}/audit.csv, audit.json


rule audit:
    """Every published value beside ours, and the policy that explains a difference."""
    input:
        published=needs("published"),
        runs=needs("runs"),
        rankings="results/{campaign}/rankings.parquet",
        facts=needs("batches", "rankings/{}.json"),
        originals=needs("audited_files"),
        labels=needs("label_tables"),
        gains=needs("gains"),
        topics="results/{campaign}/topics.tsv",
        code=code("audit", measures="all"),
    output:
        audit="results/{campaign}/audit.csv",
        summary="results/{campaign}/audit.json",
    log:
        "results/{campaign}/logs/audit.log",
    benchmark:
        "results/{campaign}/benchmarks/audit.tsv"
    priority: 1
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(500, runs=3),
        runtime=runtime(15, runs=0.1),
    params:
        settings=setting(lambda c, _: c.audit),
        declared=setting(lambda c, _: list(c.measures_from)),
        runs=setting(lambda c, _: c.runs.files),
        form=setting(lambda c, _: c.runs.format),
        labels=needs("audited_labels"),
        own=setting(lambda c, _: c.policies),
        sources=needs("sources"),
    script:
        "../scripts/audit.py"
