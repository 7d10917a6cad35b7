"""The command `fathom`; a subcommand is imported only when it runs.

Exit codes: 0 success, 1 a problem with an input (one line each), 2 a usage error, 130 interrupted.
"""

import importlib
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from pipeline.errors import InputError

# The help texts: that of `fathom`, then each group of commands with its module, and each command
# with its summary. They are in a file so that `fathom --help` imports no subcommand.
_HELP, *_GROUPS = Path(__file__).with_name("help.txt").read_text("utf-8").split("\n# ")
GROUPS: dict[str, list[str]] = {}
COMMANDS: dict[str, str] = {}
_MODULES: dict[str, str] = {}
_EPILOGS: dict[str, str] = {}
for _title, *_texts in (text.split("\n## ") for text in _GROUPS):
    _title, _, _module = _title.strip(" )\n").partition(" (")
    for _text in _texts:
        _head, _, _epilog = _text.partition("\n")
        _name, _, COMMANDS[_name] = _head.partition(": ")
        GROUPS.setdefault(_title, []).append(_name)
        _MODULES[_name], _EPILOGS[_name] = _module, f"\b\n{_epilog.strip()}"


class Subcommands(click.Group):
    """A group whose commands are modules, imported when one is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"pipeline.command.{_MODULES[name]}")
        command: click.Command = getattr(module, name)
        command.epilog = _EPILOGS[name]
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click, but an unknown command is answered with the nearest name."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean '{near[0]}'?" if near else "'fathom --help' lists them all"
            raise click.UsageError(f"there is no command '{args[0]}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, COMMANDS[name]) for name in names])


@click.group(
    cls=Subcommands,
    epilog=f"\b\n{_HELP.strip()}",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="fathom-evaluation", message="fathom %(version)s")
def fathom() -> None:
    """Evaluate search: runs against judgements in one dimension of relevance or several."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and print errors; returns the exit code."""
    try:
        code = fathom.main(args=arguments, prog_name="fathom", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        place = error.ctx.command_path if error.ctx else "fathom"
        what = error.format_message().rstrip(".")
        more = "" if what.endswith("?") or "--help" in what else f"; see '{place} --help'"
        click.echo(f"{place}: {what[:1].lower()}{what[1:]}{more}", err=True)
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
    except OSError as error:
        from pipeline.storage.streams import unwritten

        click.echo(f"fathom: {unwritten(error)}", err=True)
        return 1


def entry() -> None:
    """Run the command with the arguments of the process."""
    if hasattr(signal, "SIGPIPE"):  # so that `fathom ... | head` ends without an error
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
