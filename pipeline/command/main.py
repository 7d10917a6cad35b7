"""`fathom`: its subcommands, found by name and loaded only when they run.

Exit codes: 0 success, 1 a problem with an input (one line each), 2 a usage error, 130 interrupted.
"""

import importlib
import signal
import sys
from collections.abc import Sequence

import click

from pipeline.errors import InputError

# Each is a module of this room; its sentence is here so that `fathom --help` loads none of them.
COMMANDS = {
    "evaluate": "Score runs.",
    "compare": "Test which runs are significantly better.",
    "explain": "Show where a score comes from, document by document.",
    "trec_eval": "Do what trec_eval does, with its options and in its format.",
    "check": "Report errors and warnings about runs and labels.",
    "pool": "Choose what assessors should judge.",
    "fuse": "Fuse runs into one.",
    "agree": "Compare judgement sets.",
    "measures": "List the measures, or say what one computes.",
    "init": "Write a campaign's config for the files in a folder.",
    "run": "Run a campaign to its report.",
    "keep": "Keep a campaign's results under a name, to see later what changed.",
    "example": "Write the files of a made-up campaign, to try things on.",
    "completion": "Print what makes a shell complete the command.",
}
GROUPS = {
    "Runs and labels": ("evaluate", "compare", "explain", "trec_eval", "measures"),
    "Steps of an organiser": ("check", "pool", "fuse", "agree"),
    "Whole campaigns": ("init", "run", "keep"),
    "Setting up": ("example", "completion"),
}
EPILOG = """\b
Examples:
  fathom evaluate --qrels qrels.txt bm25.run neural.run.gz
  fathom compare --qrels qrels.txt -m nDCG@10 bm25.run neural.run.gz
  fathom init data/ && fathom run fathom.yaml

Exit codes: 0 success, 1 a problem with an input, 2 a usage error."""


class Subcommands(click.Group):
    """A group whose commands are modules, imported when one is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, as the help lists them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of this name."""
        if name not in COMMANDS:
            return None
        found = importlib.import_module(f"pipeline.command.{name}").command
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with the nearest name where there is none."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else "'fathom --help' lists them all"
            raise click.UsageError(f"there is no command '{args[0]}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by what they are for."""
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, COMMANDS[name]) for name in names])


@click.group(
    cls=Subcommands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="fathom-evaluation", message="fathom %(version)s")
def fathom() -> None:
    """Evaluate search: runs against judgements in one dimension of relevance or several."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    try:
        code = _told(arguments)
        sys.stdout.flush()
        return code
    except OSError as error:
        from pipeline.storage.streams import unwritten

        click.echo(f"fathom: {unwritten(error)}", err=True)
        return 1


def _told(arguments: Sequence[str] | None) -> int:
    """Run the command and say what is wrong; the exit code."""
    try:
        ended = fathom.main(args=arguments, prog_name="fathom", standalone_mode=False)
        return int(ended or 0)
    except click.exceptions.Exit as ended_by:
        return ended_by.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        place = error.ctx.command_path if error.ctx else "fathom"
        told = error.format_message().rstrip(".")
        more = "" if told.endswith("?") or "--help" in told else f"; see '{place} --help'"
        click.echo(f"{place}: {told[:1].lower()}{told[1:]}{more}", err=True)
        return 2
    except click.ClickException as error:
        click.echo(f"fathom: {error.format_message()}", err=True)
        return error.exit_code
    except InputError as error:
        for problem in error.problems:
            click.echo(f"fathom: {problem}", err=True)
        return 1
    except (click.Abort, KeyboardInterrupt):
        return 130


def entry() -> None:
    """Run the command with the arguments of the process."""
    if hasattr(signal, "SIGPIPE"):  # `fathom ... | head` ends quietly, as other tools do
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
