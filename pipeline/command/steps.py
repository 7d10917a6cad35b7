"""Commands for the steps of an organiser: check, pool, fuse, agree."""

from itertools import chain
from pathlib import Path
from typing import Any

import click

from pipeline.command.files import (
    PATH,
    POSITIVE,
    as_options,
    label_texts,
    labels_options,
    option,
    read_labels,
    run_files,
    runs_argument,
)
from pipeline.command.output import Output, Table, Value, output_options, say, writable, write
from pipeline.errors import InputError, Problem

SHORT = ("kappa", "kappa_quadratic", "jaccard", "fleiss", "alpha_ordinal")


@click.command()
@runs_argument
@labels_options(required=False)
@option("--topics", type=PATH, help="Topics file.")
@option("--team", help="Regular expression; its first group is the team in a run's name.")
@option("--html", type=PATH, help="Also write an HTML page with the problems of each run.")
@option("--strict", is_flag=True, help="Exit with 1 for warnings, too.")
@output_options
def check(
    runs: tuple[str, ...], qrels: str | None, further: tuple[str, ...], topics: Path | None,
    team: str | None, html: Path | None, strict: bool, out: Output,
) -> int:  # fmt: skip
    """Report errors and warnings about runs and labels.

    RUNS are files, patterns or folders, or configs of campaigns (.yaml). All files are read;
    nothing is evaluated. The page of a campaign is results/<campaign>/check/index.html.
    """
    from pipeline import api
    from pipeline.config.runs import Teams
    from pipeline.intake.check import assign_teams
    from pipeline.intake.findings import failed
    from pipeline.intake.page import COLUMNS, summary, write_page

    if all(Path(name).suffix in (".yaml", ".yml") for name in runs):
        return check_campaigns([Path(name) for name in runs], strict=strict)
    with as_options(), run_files(runs) as files:
        texts = label_texts(qrels, further)
        labels = {name: read_labels(name, text) for name, text in texts.items()}
        problems = api.check(files, labels, topics=topics, team=team)
        if html:
            teams = assign_teams(files, settings=Teams(name=team) if team else None, table=None)
            with writable(html):
                write_page(problems, title="Input check", runs=files, teams=teams, out=html)
    rows = [tuple(getattr(problem, name) for name in COLUMNS) for problem in problems]
    if rows or not out.for_people:
        out.show(Table(COLUMNS, rows))
    say(f"{len(files)} {'run' if len(files) == 1 else 'runs'}: {summary(problems)}")
    return int(failed(problems, strict=strict))


def check_campaigns(configs: list[Path], *, strict: bool = False) -> int:
    """Check the campaigns of configs and print where their pages are; returns the exit code."""
    from pipeline.campaign.check import check
    from pipeline.intake.findings import failed
    from pipeline.intake.page import summary

    code = 0
    for findings, folder in chain.from_iterable(map(check, configs)):
        click.echo(f"{summary(findings)}: see {folder / 'index.html'}")
        code |= failed(findings, strict=strict)
    return code


@click.command()
@runs_argument
@option("--method", default="depth",
        help="depth, take, uniform, stratified, move_to_front or bandit.")  # fmt: skip
@option("--depth", default=10, type=POSITIVE, help="Documents per run and topic (depth, uniform).")
@option("--size", default=100, type=POSITIVE,
        help="Documents per topic (the other methods, except stratified).")  # fmt: skip
@option("--by", "fusion", default="rrf", help="Fusion method of 'take'.")
@option("--stratum", "strata", multiple=True, metavar="RANK:SHARE",
        help="For 'stratified': sample this share down to this rank.")  # fmt: skip
@option("--qrels", metavar="FILE[:SCALE]", help="Labels for methods that replay judgements "
        "(move_to_front, bandit).")  # fmt: skip
@option("--seed", default=1, help="Seed of samples and shuffles.")
@option("--judge", type=PATH, help="Also write the pool for assessors, as shuffled qrels.")
@output_options
def pool(
    runs: tuple[str, ...], method: str, strata: tuple[str, ...], qrels: str | None, seed: int,
    judge: Path | None, out: Output, **settings: Any,
) -> None:  # fmt: skip
    """Choose what assessors should judge.

    RUNS are files, patterns or folders. Each row has a topic, a document, the number of runs that
    retrieve it, its best rank, and its inclusion probability.
    """
    from pipeline import api
    from pipeline.pooling.declaration import METHODS
    from pipeline.pooling.pool import COLUMNS, by_topic
    from pipeline.pooling.relevation import qrels_lines, shuffled

    if method in METHODS and METHODS[method].replays and not qrels:
        fix = "name their file with --qrels"
        raise InputError(Problem(f"--method {method}", "needs labels, which it replays", fix))
    if method in METHODS and "strata" in METHODS[method].reads and not strata:
        fix = "add them, for example --stratum 10:1"
        raise InputError(Problem(f"--method {method}", "needs strata", fix))
    labels = read_labels("topicality", qrels) if qrels else None
    with as_options(), run_files(runs) as files:
        shares = [_stratum(text) for text in strata]
        rows = api.pool(files, method=method, strata=shares, labels=labels, seed=seed, **settings)
    if judge:  # written first, since a pipe may close early
        lines = qrels_lines(shuffled(by_topic(rows), seed=seed))
        write("".join(f"{line}\n" for line in lines).encode(), judge)
    out.show(Table(COLUMNS, rows))


def _stratum(text: str) -> tuple[int, float]:
    from pipeline.storage.text import number

    to, _, share = text.partition(":")
    if not to.isdecimal() or not 0 <= number(share) <= 1:
        what = f"'{text}' is not RANK:SHARE"
        raise InputError(Problem("--stratum", what, "write it like 100:0.1"))
    return int(to), number(share)


@click.command()
@runs_argument
@option("--method", default="rrf",
        help="Fusion method: rrf, rbp, borda, condorcet, combsum, combmnz, ...")  # fmt: skip
@option("--norm", default="min_max", help="Score normalisation before combsum, combmnz, ...")
@option("--k", default=60.0, help="Constant k of rrf.")
@option("--p", default=0.8, help="Persistence p of rbp.")
@option("--depth", default=1000, type=POSITIVE, help="Documents kept per topic.")
@option("--tag", default="fused", help="Name of the fused run.")
@option("--output", "-o", type=PATH, help="Write to this file instead.")
def fuse(runs: tuple[str, ...], tag: str, output: Path | None, **settings: Any) -> None:
    """Fuse runs into one.

    RUNS are files, patterns or folders.
    """
    from pipeline import api

    if tag.split() != [tag]:
        raise InputError(Problem("--tag", f"'{tag}' is not one word", "remove the spaces"))
    with as_options(), run_files(runs) as files:
        if len(files) < 2:
            raise InputError(Problem("RUNS", "there is only one run", "name two or more"))
        lines = [
            f"{topic} Q0 {document} {rank} {score!r} {tag}\n"
            for topic, ranking in api.fuse(files, **settings).items()
            for rank, (document, score) in enumerate(ranking.items(), start=1)
        ]
    content = "".join(lines).encode()
    if output is not None and output.suffix == ".gz":
        import gzip

        content = gzip.compress(content, mtime=0)
    write(content, output)


@click.command()
@click.argument("sets", nargs=-1, required=True)
@option("--by-topic", "-q", is_flag=True, help="Also one row per topic.")
@option("--samples", "bootstrap", default=1000, type=click.IntRange(10),
        help="Bootstrap samples of documents per confidence interval.")  # fmt: skip
@option("--confidence", default=0.95, help="Level of the confidence intervals.")
@option("--seed", default=1, help="Seed of the bootstrap samples.")
@output_options
def agree(sets: tuple[str, ...], by_topic: bool, out: Output, **settings: Any) -> None:
    """Compare judgement sets.

    SETS are label files of the same documents, written FILE[:SCALE] or NAME=FILE[:SCALE]. The
    statistics are the share of equal labels, Cohen's and Fleiss' kappa, Krippendorff's alpha, and
    the overlap of the relevant documents. The table shows the main statistics; the other formats
    have all of them, with confidence intervals.
    """
    from pipeline import api

    texts: dict[str, str] = {}
    for text in sets:
        head, equals, tail = text.partition("=")
        has_name = equals and "/" not in head and ":" not in head and not Path(text).exists()
        name, file = (head, tail) if has_name else (Path(text.split(":")[0]).stem, text)
        if name in texts:
            what, fix = f"two sets are called '{name}'", f"name them, for example expert={text}"
            raise InputError(Problem("SETS", what, fix))
        texts[name] = file
    all_files = tuple(texts.values())
    labels = {name: read_labels(name, file, like=all_files) for name, file in texts.items()}
    with as_options():
        table = api.agree(labels, **settings)
    rows = [row for row in table if by_topic or row["topic"] == "all"]
    columns = tuple(rows[0])
    if out.wide and not out.file:
        defined = [name for name in SHORT if any(row[name] for row in rows)]
        columns = ("set_a", "set_b", "topic", "documents", "raw", *defined)
        columns += ("alpha_ordinal_low", "alpha_ordinal_high")
    out.show(Table(columns, [tuple(_cell(row[name]) for name in columns) for row in rows]))


def _cell(text: str) -> Value:
    """The number that a text holds, or the text."""
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:
        return text or None
