"""A Slurm for the tests: munged, slurmctld and slurmd on this machine, started and stopped by pid.

python -m tests.cluster.daemons start FOLDER      until `stop FOLDER`; for trying things by hand
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TOOLS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "squeue", "scancel")
# Where Slurm's commands look by themselves: jobs of the slurm executor lose the SLURM_CONF they
# were submitted with.
SYSTEM = Path("/etc/slurm")
FILES = ("slurm.conf", "cgroup.conf")
CORES = 4  # jobs that wait for their time limit take some, and no time
_PATIENCE = 30.0  # seconds for a daemon to come up, or to be gone


def missing() -> str:
    """Why there can be no cluster here; empty if there can."""
    absent = [tool for tool in TOOLS if not shutil.which(tool, path=_path())]
    if absent:
        return f"no {', '.join(absent)}; `make cluster` installs Slurm"
    if os.geteuid() != 0:
        return "Slurm's daemons are started as root; run this as root, in a container if need be"
    theirs = [name for name in FILES if _foreign(SYSTEM / name)]
    return f"this machine has a {SYSTEM / theirs[0]} of its own" if theirs else ""


def _path() -> str:
    return f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def _foreign(path: Path) -> bool:
    """Whether a file is of a real installation; a link of ours that a killed test left is not."""
    return path.exists() and not path.is_symlink()


@dataclass(frozen=True)
class Cluster:
    """One node, and all that is written about it in a folder."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """What a user's commands need to find it."""
        return {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def start(self) -> None:
        """All three daemons, up and answering."""
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)  # munge and the node refuse what others may write to
        values = {
            "folder": self.folder, "host": socket.gethostname().split(".")[0],
            "controller_port": _free_port(), "node_port": _free_port(),
            "cores": CORES, "memory": _memory(),
        }  # fmt: skip
        (self.folder / "started.log").write_text("")
        SYSTEM.mkdir(exist_ok=True)
        for name in FILES:
            text = (HERE / name).read_text()
            # The comments of the template speak of what is filled in, so they stay out.
            lines = [line for line in text.splitlines() if not line.startswith("#")]
            (self.folder / name).write_text("\n".join(lines).format(**values) + "\n")
            (SYSTEM / name).unlink(missing_ok=True)
            (SYSTEM / name).symlink_to(self.folder / name)
        self._munge()
        self.start_controller()
        self._daemon("slurmd")
        self.wait(lambda: "idle" in self.ask("sinfo", "--noheader", "--format=%T"), "the node")

    def _munge(self) -> None:
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        options = {
            "--key-file": key, "--socket": self.folder / "munge.socket",
            "--pid-file": self.folder / "munged.pid", "--log-file": self.folder / "munged.log",
            "--seed-file": self.folder / "munge.seed",
        }  # fmt: skip
        self._run("munged", "--force", *(f"{option}={value}" for option, value in options.items()))

    def start_controller(self) -> None:
        """Slurm's own controller, which may have been stopped to see what happens without it."""
        self._daemon("slurmctld")
        self.wait(lambda: "UP" in self.ask("scontrol", "ping"), "slurmctld")

    def _daemon(self, name: str) -> None:
        self._run(name, "-f", str(self.folder / "slurm.conf"))

    def _run(self, *command: str) -> None:
        tool = shutil.which(command[0], path=_path())
        assert tool, f"no {command[0]}"
        # What they say goes to a file: a pipe would stay open for as long as they live.
        with (self.folder / "started.log").open("a") as log:
            done = subprocess.run(
                [tool, *command[1:]], stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False
            )
        said = (self.folder / "started.log").read_text()
        assert done.returncode == 0, f"{command[0]} did not start: {said}"

    def ask(self, *command: str) -> str:
        """What a command of Slurm's answers; nothing where it does not."""
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False
        )
        return done.stdout if done.returncode == 0 else ""

    def wait(self, fact: Callable[[], bool], what: str) -> None:
        until = time.monotonic() + _PATIENCE
        while not fact():
            assert time.monotonic() < until, f"{what} is not there after {_PATIENCE:.0f} s"
            time.sleep(0.1)

    def stop_one(self, name: str) -> None:
        """End one daemon, by the number it wrote down itself."""
        file = self.folder / f"{name}.pid"
        if not file.is_file():
            return
        pid = int(file.read_text().split()[0])
        if not _alive(pid):
            return
        os.kill(pid, signal.SIGTERM)
        self.wait(lambda: not _alive(pid), f"the end of {name}")

    def stop(self) -> None:
        """End the jobs, then the daemons, and take the links away."""
        for job in self.ask("squeue", "--noheader", "--format=%i").split():
            self.ask("scancel", job)
        if (self.folder / "slurmctld.pid").is_file():
            self.wait(lambda: not self.ask("squeue", "--noheader").strip(), "the end of all jobs")
        for name in ("slurmd", "slurmctld", "munged"):
            self.stop_one(name)
        for name in FILES:
            link = SYSTEM / name
            if link.is_symlink() and link.readlink() == self.folder / name:
                link.unlink()


def _alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _memory() -> int:
    """The machine's memory in MB."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20


if __name__ == "__main__":
    if reason := missing():
        sys.exit(reason)
    cluster = Cluster(Path(sys.argv[2]).resolve())
    cluster.start() if sys.argv[1] == "start" else cluster.stop()
    print(f"export SLURM_CONF={cluster.folder / 'slurm.conf'}")
