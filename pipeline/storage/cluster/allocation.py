"""One job on Slurm that runs a whole campaign inside: the same command, on a node.

The profile calls `enter` while Snakemake reads it. On the node, where it reads it again, it goes on
as on any machine; everywhere else the command becomes a wait for the job that runs it.
"""

import fcntl
import hashlib
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from types import FrameType
from typing import IO

from pipeline.errors import InputError
from pipeline.storage.cluster import slurm
from pipeline.storage.cluster.knobs import FILE, Knobs
from pipeline.storage.lock import FOLDER

INSIDE = "FATHOM_ALLOCATION"  # set for the command inside the job


def enter(knobs: Knobs, arguments: Sequence[str] | None = None) -> None:
    """Go on inside the job; outside, run the command in one and end as it ends."""
    if os.environ.get(INSIDE):
        return
    given = list(sys.argv[1:] if arguments is None else arguments)
    if {"-n", "--dry-run", "--dryrun", "--lint", "--version", "-h", "--help"} & set(given):
        return  # nothing to run
    try:
        sys.exit(_run(knobs, given))
    except (InputError, slurm.SilentError) as error:
        sys.exit(f"fathom: {error}")


def _run(knobs: Knobs, arguments: Sequence[str]) -> int:
    asked = hashlib.sha256(shlex.join(arguments).encode()).hexdigest()[:8]
    with _alone(asked):
        slurm.cancel_orphans(asked, mark=FOLDER / f"allocation-{asked}" / "submitted")
        (FOLDER / f"allocation-{asked}" / "submitted").touch()
        command = srun(knobs, name=f"{slurm.prefix(asked)}-allocation", arguments=arguments)
        environment = {**os.environ, INSIDE: "1"}
        # Ended with this process, and not by the terminal before it has told its job to end.
        running = subprocess.Popen(
            command, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

        def pass_on(number: int, _: FrameType | None) -> None:
            running.send_signal(number)

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, pass_on)
        assert running.stderr is not None
        killed = False
        for line in running.stderr:
            sys.stderr.write(line)
            killed = killed or slurm.killed_for_memory(line)
        code = running.wait()
        if killed:
            print(
                f"fathom: the job was killed for memory: it took more than the "
                f"{knobs.allocation_memory} MB it had asked for; raise `allocation_memory` in "
                f"{FILE} and run the same command again, which goes on where it stopped",
                file=sys.stderr,
            )
        return code


def srun(knobs: Knobs, *, name: str, arguments: Sequence[str]) -> list[str]:
    """The command that runs Snakemake in a job of its own."""
    options = {
        "--job-name": name,
        "--cpus-per-task": knobs.allocation_cores,
        "--mem": f"{knobs.allocation_memory}M",
        "--time": knobs.allocation_minutes,
        "--partition": knobs.partition,
        "--account": knobs.account,
    }
    chosen = [f"{option}={value}" for option, value in options.items() if value is not None]
    fixed = ["srun", "--ntasks=1", "--nodes=1", "--disable-status", "--unbuffered", *chosen]
    cores = [] if _cores(arguments) else ["--cores", str(knobs.allocation_cores)]
    command = [sys.executable, "-m", "snakemake", *cores, *arguments]
    return [*fixed, *shlex.split(knobs.options), *command]


def _cores(arguments: Sequence[str]) -> bool:
    return any(one in ("-c", "--cores") or one.startswith("--cores=") for one in arguments)


def _alone(asked: str) -> IO[str]:
    """The lock of this command in this folder; a job of it that nobody waits for is an orphan."""
    path = FOLDER / f"allocation-{asked}" / "waiting"
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.open("a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        raise InputError(
            f"the same command is running here already ({lock.readline().strip()}); wait until it "
            "has ended, or end it"
        ) from None
    lock.truncate(0)
    lock.write(f"process {os.getpid()} on {socket.gethostname()}\n")
    lock.flush()
    return lock
