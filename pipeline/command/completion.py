"""`fathom completion`: shell completion of the command."""

import os
import sys

import click

SHELLS = {
    "bash": 'eval "$(fathom completion bash)"   in ~/.bashrc',
    "zsh": 'eval "$(fathom completion zsh)"    in ~/.zshrc',
    "fish": "fathom completion fish | source    in ~/.config/fish/config.fish",
}
EPILOG = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in SHELLS.values())


@click.command(epilog=EPILOG)
@click.argument("shell", type=click.Choice(list(SHELLS)), required=False)
def command(shell: str | None) -> None:
    """Print what makes a shell complete the command.

    SHELL is bash, zsh or fish; by default the shell you use.
    """
    from click.shell_completion import get_completion_class

    from pipeline.command.main import fathom

    name = shell or os.path.basename(os.environ.get("SHELL", ""))  # noqa: PTH119
    kind = get_completion_class(name) if name in SHELLS else None
    if kind is None:
        raise click.UsageError(
            f"there is no completion for '{name}'; name one of {', '.join(SHELLS)}"
        )
    sys.stdout.write(kind(fathom, {}, "fathom", "_FATHOM_COMPLETE").source() + "\n")
