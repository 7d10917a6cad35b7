# Rankings met with labels: all a measure sees.
#
# in:  rankings, labels, costs
# out: results/{campaign}/gains/ ({dimension}.npz, sets/{dimension}/{set}.npz, _ties.npz, _costs.npz)
#
# Whatever is scored waits for rankings and gains, so they go first; of what then can go, the longest
# jobs (judging, audit) do, since the report waits for them.


rule gains:
    """The gains of every dimension at every rank of every run, with ties and costs."""
    input:
        rankings=ancient(F.rankings),
        labels=files(label_folders),
        topics=ancient(F.topics),
        costs=given("costs"),
        after=after("gains"),
    output:
        gains=directory(F.folder / "gains"),
        record=F.record("gains"),
    log:
        log("gains"),
    benchmark:
        benchmark("gains")
    priority: 2
    conda:
        ENVIRONMENT
    resources:
        **limits(400, per_mb=8, minutes=20),
    params:
        **parameters("gains"),
    script:
        "../scripts/gains.py"
