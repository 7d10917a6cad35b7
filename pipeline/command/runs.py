"""Commands about runs and labels: evaluate, compare, explain, trec_eval, measures."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.command.files import (
    PATH,
    POSITIVE,
    as_options,
    evaluated,
    labels_options,
    option,
    policy_options,
    runs_argument,
)
from pipeline.command.output import Output, Table, Value, output_options, say, write
from pipeline.errors import InputError, Problem

if TYPE_CHECKING:
    from pipeline.api.result import Evaluation

ENDS = ("value", "lower", "upper")
MOST = 12  # pairs with a plot by topic in the HTML page; its table has all pairs


@click.command()
@runs_argument
@labels_options()
@policy_options
@option("--by-topic", "-q", is_flag=True, help="One row per run and topic as well as the means.")
@option("--bounds", is_flag=True, help="Also lower and upper bounds: how far unjudged "
        "documents could change the score.")  # fmt: skip
@output_options
def evaluate(
    runs: tuple[str, ...], by_topic: bool, bounds: bool, out: Output, **settings: Any
) -> None:
    """Score runs.

    RUNS are files (plain or gzip), patterns, folders, or - for standard input. With further
    dimensions (-l) and no -m, default measures of these dimensions are added.
    """
    evaluation = evaluated(runs, **settings)
    if by_topic and not out.wide:
        rows: list[tuple[Value, ...]] = [tuple(row) for row in evaluation.rows()]
        out.show(Table(("run", "topic", "measure", *ENDS), rows))
    else:
        out.show(_score_table(evaluation, by_topic=by_topic, ends=ENDS if bounds else ENDS[:1]))


def _score_table(evaluation: "Evaluation", *, by_topic: bool, ends: tuple[str, ...]) -> Table:
    """One row per run, one column per measure and bound; with `by_topic` also rows per topic."""
    columns = [(name, end) for name in evaluation.measures for end in ends]
    names = [name if end == "value" else f"{name} {end}" for name, end in columns]
    means = [evaluation.overall(name, end=end).tolist() for name, end in columns]
    rows: list[tuple[Value, ...]] = list(zip(evaluation.runs, *means, strict=True))
    if not by_topic:
        return Table(("run", *names), rows, title=f"{len(evaluation.topics)} topics")
    tables = [
        evaluation.values(name) if len(ends) == 1 else getattr(evaluation.scores(name), end)
        for name, end in columns
    ]
    by_topic_rows: list[tuple[Value, ...]] = []
    for place, (run, *overall) in enumerate(rows):
        scores = (table[place].tolist() for table in tables)
        by_topic_rows += ((run, *row) for row in zip(evaluation.topics, *scores, strict=True))
        by_topic_rows.append((run, "all", *overall))
    return Table(("run", "topic", *names), by_topic_rows)


@click.command()
@runs_argument
@labels_options()
@policy_options
@option("--alpha", default=0.05, type=click.FloatRange(0.0001, 0.5),
        help="Significance level; confidence intervals have level 1 - alpha.")  # fmt: skip
@option("--seed", default=1, help="Seed of the permutations.")
@option("--html", type=PATH, help="Also write an HTML page with plots.")
@output_options
def compare(
    runs: tuple[str, ...], alpha: float, seed: int, html: Path | None, out: Output, **settings: Any
) -> None:
    """Test which runs are significantly better.

    RUNS are two files or more. The first table has means with confidence intervals and significance
    groups (letters). The second has pairs of runs: difference, confidence interval, effect size
    (mean difference divided by its standard deviation), and the p values of the paired t test, a
    permutation test and the randomised Tukey HSD.
    """
    evaluation = evaluated(runs, usual=("nDCG@10", "AP"), **settings)
    with as_options():
        compared = evaluation.compare(alpha=alpha, seed=seed)
    pairs = list(compared.pairs())
    if html:
        from pipeline.report.markup import environment

        template = environment(Path(__file__).parent).get_template("compare.html.j2")
        page = template.render(compared=compared, pairs=pairs, differences=_differences, most=MOST)
        write(page.encode(), html)
    if out.for_people:
        click.echo(f"{compared}\n")
    else:
        out.show(Table(tuple(pairs[0]), [tuple(row.values()) for row in pairs]))


def _differences(
    pair: dict[str, Any], by_topic: list[tuple[str, dict[str, float]]]
) -> list[tuple[float, str, float, float]]:
    """Difference, topic and both scores of a pair of runs, in descending order of difference."""
    scores = ((topic, values[pair["run_a"]], values[pair["run_b"]]) for topic, values in by_topic)
    return sorted(((a - b, topic, a, b) for topic, a, b in scores), key=lambda row: -row[0])


@click.command()
@click.argument("run")
@labels_options()
@policy_options
@option("--topic", "-t", required=True, help="Id of the topic.")
@option("--against", metavar="RUN", help="Another run to compare with.")
@option("--top", default=20, type=POSITIVE,
        help="Number of documents in the table; the other formats have all.")  # fmt: skip
@output_options
def explain(
    run: str, topic: str, against: str | None, top: int, out: Output, **settings: Any
) -> None:
    """Show where a score comes from, document by document.

    RUN is a run file. Each row has a document of the ranking, its labels, its gain under the
    measure, the weight of its rank, and its contribution to the score.
    """
    if len(settings["measures"]) > 1:
        raise click.UsageError("give one measure (-m)")
    evaluation = evaluated((run, *([against] if against else [])), usual=("nDCG@10",), **settings)
    other = evaluation.runs[1] if against else None
    with as_options():
        explained = evaluation.explain(evaluation.runs[0], topic, against=other)
    rows = explained.rows()
    columns = tuple(rows[0]) if rows else ("rank", "document")
    if out.for_people:
        click.echo(f"{explained.heading}\n")
    for row in rows:
        row |= {name: _grade(row[name]) for name in evaluation.dimensions}
    shown = rows[:top] if out.for_people else rows
    out.show(Table(columns, [tuple(row.values()) for row in shown]))
    if len(rows) > len(shown):
        click.echo(f"... and {len(rows) - top} more documents")
    for note in explained.notes:
        say(note)


def _grade(label: float | None) -> Value:
    """A label as assessors write it: 2, not 2.0."""
    return int(label) if label is not None and label == int(label) else label


class RawCommand(click.Command):
    """A command that leaves its arguments unparsed, except --help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.obj = args
        return super().parse_args(ctx, ["--help"] if args == ["--help"] else [])


@click.command(
    cls=RawCommand,
    context_settings={"help_option_names": ["--help"]},
    options_metavar="[OPTIONS OF TREC_EVAL] QRELS RUN...",
)
@click.pass_obj
def trec_eval(arguments: list[str]) -> int:
    """Do what trec_eval does, with its options and in its format.

    One call with several runs is faster than one call per run. `fathom trec_eval -h` lists the
    options. As in trec_eval 10, scores are compared as 64-bit floats, all retrieved documents are
    evaluated (no depth cut without -M), and topics without results count only with -c. To get the
    same means from `fathom evaluate`, use -c, -M 1000 and --float32 here.
    """
    from pipeline.api.trec_eval import process

    return process(arguments)


@click.command()
@click.argument("words", nargs=-1)
@output_options
def measures(words: tuple[str, ...], out: Output) -> None:
    """List the measures, or explain one.

    WORDS are searched in names, titles, formulas, sources, user models, uses and the names of
    other tools. A single word that is a measure, such as nDCG@10, is explained instead.
    """
    from pipeline.measures.reference.show import Row, explain, search

    if len(words) == 1 and out == Output() and (explained := explain(words[0])):
        click.echo(explained)
        return
    rows = search(words)
    if not rows:
        from pipeline.measures import REGISTRY

        what = f"no measure matches '{' '.join(words)}'"
        raise InputError(Problem("WORDS", what, f"did you mean '{REGISTRY.known(words[0])}'?"))
    out.show(Table(Row._fields, rows))
