"""`fathom trec_eval`: every argument goes to the drop-in as it is."""

import click

EPILOG = """\b
Examples:
  fathom trec_eval qrels.txt bm25.run
  fathom trec_eval -q -c -m ndcg_cut.10 -m map qrels.txt run1 run2 run3
  fathom trec_eval -m all_trec qrels.txt - < run"""


class Raw(click.Command):
    """A command that takes its arguments as they are, but for --help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """All of them are for trec_eval; they are in `ctx.obj`."""
        ctx.obj = args
        return super().parse_args(ctx, ["--help"] if args == ["--help"] else [])


@click.command(
    cls=Raw,
    epilog=EPILOG,
    context_settings={"help_option_names": ["--help"]},
    options_metavar="[OPTIONS OF TREC_EVAL] QRELS RUN...",
)
@click.pass_obj
def command(arguments: list[str]) -> int:
    """Do what trec_eval does, with its options and in its format.

    One call with several runs is faster than one call per run. `fathom trec_eval -h` lists the
    options.
    """
    from pipeline.api.trec_eval import process

    return process(arguments)
