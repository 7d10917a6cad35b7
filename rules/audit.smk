# The audit: what was published, computed again under named policies.
#
# in:  published results, run files, rankings, labels, gains      out: results/{campaign}/audit.csv, audit.json


rule audit:
    """Every published value beside ours, and the policy that explains a difference."""
    input:
        published=given("published"),
        runs=given("runs"),
        originals=given("labels", "further", "audited"),
        rankings=ancient(F.rankings),
        labels=files(label_folders),
        gains=ancient(F.folder / "gains"),
        topics=ancient(F.topics),
        after=after("audit"),
    output:
        audit=F.audit,
        summary=F.audit_summary,
        record=F.record("audit"),
    log:
        log("audit"),
    benchmark:
        benchmark("audit")
    priority: 1
    conda:
        ENVIRONMENT
    resources:
        **limits(500, per_mb=3, minutes=30),
    params:
        **parameters("audit"),
    script:
        "../scripts/audit.py"
