"""`fathom trec_eval`: every argument goes to the drop-in as it is."""

import click

EPILOG = """\b
Examples:
  fathom trec_eval qrels.txt bm25.run
  fathom trec_eval -q -c -m ndcg_cut.10 -m map qrels.txt run1 run2 run3
  fathom trec_eval -m all_trec qrels.txt - < run"""


@click.command(
    epilog=EPILOG,
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
    add_help_option=True,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """Do what trec_eval does, with its options and in its format.

    Several runs may follow each other, which is faster than one call each. `fathom trec_eval -h`
    is trec_eval's own help.
    """
    from pipeline.api.trec_eval import main

    return main(list(arguments))
