# What other judgements would have made of the ranking: thresholds, teams left out, other assessors.
#
# in:  gains, labels, rankings, scores
# out: results/{campaign}/judging/ (sweep.csv, reusability/{summary,runs}.csv, agreement/{dimension}.csv,
#      agreement/{dimension}.swaps.csv, variations/{needs,runs}.csv)


rule judging:
    """Threshold sensitivity, reusability, agreement of judgement sets, query variations."""
    input:
        gains=ancient(F.folder / "gains"),
        labels=files(label_folders),
        rankings=ancient(F.rankings),
        teams=ancient(F.teams),
        scores=files(
            lambda steps, w: [
                steps.results.scores(slug)
                for slug in steps.measures
                if steps.campaign.variations
            ]
        ),
        after=after("judging"),
    output:
        folder=directory(F.judging),
        record=F.record("judging"),
    log:
        log("judging"),
    benchmark:
        benchmark("judging")
    priority: 1
    conda:
        ENVIRONMENT
    resources:
        **limits(500, per_mb=6, minutes=60),
    params:
        **parameters("judging"),
    script:
        "../scripts/judging.py"
