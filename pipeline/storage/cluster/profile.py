"""What a profile of a cluster asks for while Snakemake reads it, before anything runs."""

import importlib.util
import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pipeline
from pipeline.errors import InputError
from pipeline.storage.atomic import SCRATCH
from pipeline.storage.cluster import knobs, slurm
from pipeline.storage.strict_yaml import check_command


@dataclass(frozen=True)
class Profile:
    """The knobs, and the commands that Snakemake calls."""

    knobs: knobs.Knobs

    @property
    def submit(self) -> str:
        """The command that submits a script."""
        return _module("submit")

    @property
    def status(self) -> str:
        """The command that says what became of a job.

        It is called every second for each job: while one waits or runs, a shell answers, and what
        it costs to start Python is spent on those that have ended.
        """
        asked = 'scontrol --oneliner show job "$0" 2>/dev/null'
        lives = '*" JobState=RUNNING "* | *" JobState=PENDING "*) echo running ;;'
        script = f'case "$({asked})" in {lives} *) {_module("status")} "$0" ;; esac'
        return f"sh -c {shlex.quote(script)}"

    @property
    def resources(self) -> list[str]:
        """Partition and account, as the slurm executor takes them."""
        named = {"slurm_partition": self.knobs.partition, "slurm_account": self.knobs.account}
        options = {"slurm_extra": self.knobs.options or None}
        return [
            f"{name}={value!r}" for name, value in {**named, **options}.items() if value is not None
        ]

    @property
    def prefix(self) -> str:
        """How the slurm executor names the jobs of this command in this folder."""
        name = slurm.prefix(shlex.join(sys.argv[1:])).replace("-", "_")
        os.environ[slurm.JOBS] = name
        return name


def begin(executor: str | None = None, *, own: int = 0) -> Profile:
    """Check the configs and the knobs, tell jobs what they need to know, and give the commands.

    `own` are the MB that Snakemake takes in each job, where no script of ours adds them.
    """
    check_command(sys.argv[1:])
    plugin = f"snakemake-executor-plugin-{executor}"
    if executor and importlib.util.find_spec(plugin.replace("-", "_")) is None:
        sys.exit(f"fathom: this profile needs {plugin}; install it with pip install {plugin}")
    try:
        given = knobs.read()
    except InputError as error:
        sys.exit("\n".join(f"fathom: {line}" for line in str(error).splitlines()))
    knobs.publish(given, own=own)
    if given.scratch:
        os.environ[SCRATCH] = given.scratch
    return Profile(given)


def _module(name: str) -> str:
    library = Path(pipeline.__file__).resolve().parents[1]
    python = shlex.quote(sys.executable)
    return f"PYTHONPATH={shlex.quote(str(library))} {python} -m pipeline.storage.cluster.{name}"
