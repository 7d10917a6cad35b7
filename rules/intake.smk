# The intake desk: what is wrong or odd in what was handed in, before evaluation and in its light.
#
# in:  runs, labels, topics; rankings and what reading them found, gains
# out: results/{campaign}/check/index.html, check/problems.csv; checks.csv


rule checks:
    """Run forensics: what is odd in the inputs."""
    input:
        facts=needs("rankings", "rankings/{}.json"),
        rankings="results/{campaign}/rankings.parquet",
        gains=needs("gains"),
        topics="results/{campaign}/topics.tsv",
        teams="results/{campaign}/teams.csv",
        code=code("checks"),
    output:
        "results/{campaign}/checks.csv",
    log:
        "results/{campaign}/logs/checks.log",
    benchmark:
        "results/{campaign}/benchmarks/checks.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(300, runs=1.5),
        runtime=runtime(10, runs=0.02),
    params:
        unknown_topics=setting(lambda c, _: c.policies.unknown_topics),
        team=setting(lambda c, _: c.runs.team),
    script:
        "../scripts/checks.py"


rule desk:
    """All that is wrong or odd with what was handed in, without evaluating it."""
    input:
        runs=needs("runs"),
        labels=needs("desk_files"),
        topics=needs("topics_file"),
        teams=needs("team_table"),
        people=needs("people_files"),
        code=code("desk"),
    output:
        page="results/{campaign}/check/index.html",
        table="results/{campaign}/check/problems.csv",
    log:
        "results/{campaign}/logs/desk.log",
    benchmark:
        "results/{campaign}/benchmarks/desk.tsv"
    conda:
        "../environment.yml"
    threads: 1
    resources:
        mem_mb=memory(400, runs=2),
        runtime=runtime(15, runs=0.05),
    params:
        title=setting(lambda c, _: c.title),
        runs=setting(lambda c, _: c.runs),
        labels=needs("desk_labels"),
        further=needs("desk_further"),
        topics=setting(lambda c, _: c.topics),
        sources=needs("sources"),
        people=setting(lambda c, _: c.people),
        policies=needs("desk_policies"),
    script:
        "../scripts/desk.py"
