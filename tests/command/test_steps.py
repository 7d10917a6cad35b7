"""The organiser's steps on plain files, through a real process."""

import csv
import fcntl
import io
import json
import re
import signal
import subprocess
import termios
import time
from pathlib import Path

import pytest

from pipeline.command.main import main
from pipeline.storage.text import natural
from tests.command.process import FATHOM, fathom, good, refused

RUNS = {
    "a_one": {"1": "d1 d2 d3", "2": "d4 d5"},
    "a_two": {"1": "d2 d1 d6", "2": "d5 d7"},
    "b_one": {"1": "d3 d9", "2": "d4 d8"},
}
QRELS = {"1": {"d1": 2, "d2": 0, "d3": 1}, "2": {"d4": 1, "d5": 0, "d8": -1}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("files")
    (place / "runs").mkdir()
    for name, topics in RUNS.items():
        lines = [
            f"{topic} Q0 {document} {rank} {10 - rank} {name}\n"
            for topic, documents in topics.items()
            for rank, document in enumerate(documents.split(), 1)
        ]
        (place / "runs" / name).write_text("".join(lines))
    lines = [f"{t} 0 {d} {v}\n" for t, documents in QRELS.items() for d, v in documents.items()]
    (place / "q.txt").write_text("".join(lines))
    return place


def test_check_counts_problems_and_says_what_it_assumed(folder: Path) -> None:
    done = fathom("check", "runs", "--qrels", "q.txt", "-f", "json", cwd=folder)
    assert done.returncode == 0
    assert b"labels -1, 0, 1, 2; assumed scale 0 to 2" in done.stderr
    assert b"3 runs: 0 errors, 0 warnings" in done.stderr
    assert json.loads(done.stdout) == []


def test_check_ends_with_1_if_a_run_is_broken(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("1 Q0 d1 1 x tag\n1 Q0 d1 2\n")
    done = fathom("check", tmp_path, "--html", tmp_path / "page.html", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert [(row["severity"], row["line"]) for row in rows] == [("error", "1"), ("error", "2")]
    assert "'x'" in rows[0]["what"]
    assert done.returncode == 1
    assert "is not a number" in (tmp_path / "page.html").read_text()


def test_pool_of_depth_two_by_hand(folder: Path) -> None:
    text = good("pool", "runs/*", "--depth", 2, "-f", "tsv", "--judge", "judge.txt", cwd=folder)
    rows = [line.split("\t") for line in text.splitlines()]
    assert rows[0] == ["topic", "document", "runs", "best_rank", "probability"]
    # within two ranks: d1 and d2 are in two runs, d3 in one, and d6 (third) in none
    assert [row[:4] for row in rows[1:]] == [
        ["1", "d1", "2", "1"], ["1", "d2", "2", "1"], ["1", "d3", "1", "1"], ["1", "d9", "1", "2"],
        ["2", "d4", "2", "1"], ["2", "d5", "2", "1"], ["2", "d7", "1", "2"], ["2", "d8", "1", "2"],
    ]  # fmt: skip
    judge = [line.split() for line in (folder / "judge.txt").read_text().splitlines()]
    assert {label for *_, label in judge} == {"-1"}
    assert sorted((t, d) for t, _, d, _ in judge) == sorted((r[0], r[1]) for r in rows[1:])
    assert [t for t, *_ in judge] == sorted((t for t, *_ in judge), key=natural)


def test_fuse_by_hand_and_through_a_pipe(folder: Path) -> None:
    text = good("fuse", "runs/a_one", "runs/a_two", "--tag", "both", cwd=folder)
    first = [line.split() for line in text.splitlines() if line.startswith("1 ")]
    # reciprocal ranks: d1 and d2 have 1/61 + 1/62 each, then d6 and d3 have 1/63; ids descend
    assert [fields[2] for fields in first] == ["d2", "d1", "d6", "d3"]
    assert float(first[0][4]) == pytest.approx(1 / 61 + 1 / 62, abs=1e-15)
    assert {fields[5] for fields in first} == {"both"}
    again = fathom("fuse", "-", "runs/b_one", cwd=folder, stdin=text.encode())
    assert again.returncode == 0
    assert b"2 Q0 d4 1 " in again.stdout


def test_agree_by_hand(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1 0 d1 1\n1 0 d2 1\n1 0 d3 0\n1 0 d4 0\n")
    (tmp_path / "b.txt").write_text("1 0 d1 1\n1 0 d2 0\n1 0 d3 0\n1 0 d4 0\n")
    text = good("agree", "x=a.txt", "b.txt", "-f", "csv", "--samples", 50, cwd=tmp_path)
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["set_a"], row["set_b"], row["documents"]) == ("x", "b", "4")
    # 3 of 4 equal; by chance 2/4 * 1/4 + 2/4 * 3/4 = 1/2, so kappa is (3/4 - 1/2) / (1 - 1/2)
    assert (row["raw"], row["kappa"], row["jaccard"]) == ("0.75", "0.5", "0.5")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["pool", "runs", "--method", "bandi"], "'bandit'?"),
        (["pool", "runs", "--method", "bandit"], "--qrels"),
        (["pool", "runs", "--method", "stratified"], "--stratum 10:1"),
        (["pool", "runs", "--method", "stratified", "--stratum", "x"], "--stratum: 'x'"),
        (["pool", "nothing*"], "fathom: nothing*: "),
        (["fuse", "runs/a_one"], "RUNS: "),
        (["fuse", "runs", "--method", "rff"], "'rrf'?"),
        (["fuse", "runs", "--tag", "two words"], "--tag: 'two words'"),
        (["agree", "q.txt"], "at least two"),
        (["agree", "q.txt", "q.txt"], "'q'; name them, for example expert=q.txt"),
        (["agree", "q.txt", "x=q.txt", "--confidence", "1"], "--confidence: is 1"),
        (["agree", "q.txt", "x=q.txt", "--seed", "-1"], "--seed: is -1"),
        (["fuse", "runs", "--k", "-1"], "--k: is -1"),
        (["pool", "runs", "--method", "stratified", "--stratum", "0:1"], "--stratum: is 0"),
        (["check", "runs", "--team", "("], "--team: '('"),
        (["compare", "runs", "--qrels", "q.txt", "--seed", "-1"], "--seed: is -1"),
        (["check", "runs", "--qrels", "q.txt:0..x"], "'x' in '0..x'"),
        (["check", "runs", "--qrels", "q.txt:0..2,hihg"], "'hihg'"),
        (["check", "runs", "-l", "qread.txt"], "--labels 'qread.txt'"),
        (["check", "runs", "-l", "a=q.txt", "-l", "a=q.txt"], "--labels: 'a'"),
        (["measures", "RBP(p=2)"], "above 0 and below 1"),
        (["run", "nothing"], "demo, "),
        (["run", "no/such.yaml"], "no/such.yaml: "),
        (["measures", "nDGC"], "'nDCG'?"),
    ],
)
def test_what_is_wrong_is_one_line(
    folder: Path,
    arguments: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """In this process, to spare a start each; `test_a_broken_file` is the same by another."""
    monkeypatch.chdir(folder)
    assert main(arguments) == 1
    out, err = capfd.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if "assumed" not in line]
    assert len(lines) == 1
    assert told in lines[0]


def test_a_broken_file(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.run").write_text("1 Q0 d1 1 2.0 tag\n1 Q0 d1\n")
    told = refused("fuse", "runs/a_one", tmp_path / "bad.run", cwd=folder)
    assert told.startswith(f"fathom: {tmp_path}/bad.run, line 2: 3 fields ")
    assert told.count("\n") == 1


def test_measures_lists_finds_and_explains() -> None:
    rows = list(csv.DictReader(io.StringIO(good("measures", "-f", "csv"))))
    names = {row["measure"].split("[")[0].split("@")[0] for row in rows}
    assert {"AP", "nDCG", "RBP", "P", "ERR"} <= names
    assert len(rows) > 40
    found = list(csv.DictReader(io.StringIO(good("measures", "moffat", "rank", "-f", "csv"))))
    assert "RBP[@k]" in {row["measure"] for row in found}
    assert len(found) < len(rows)
    told = good("measures", "uRBP(p=0.9)")
    assert told.startswith("uRBP(p=0.9): Understandability-biased rank-biased precision\n")
    assert "g = topicality (binary) * understandability (binary)" in told


def test_a_reader_that_stops_early_is_no_error() -> None:
    done = subprocess.run(
        f"{FATHOM} measures | head -n 1", shell=True, capture_output=True, check=False
    )
    assert done.stderr == b""
    assert done.stdout.startswith(b"measure ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "--qrels", "q.txt", "runs/a_one"),
        ("trec_eval", "q.txt", "runs/a_one"),
        ("fuse", "runs/a_one", "runs/b_one"),
        ("measures",),
        ("--help",),
    ],
)
def test_a_full_disk_is_told(folder: Path, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [FATHOM, *arguments], stdout=full, stderr=subprocess.PIPE, cwd=folder, check=False
        )
    name = "trec_eval" if arguments[0] == "trec_eval" else "fathom"
    assert done.returncode == 1
    last = done.stderr.decode().splitlines()[-1]
    assert last.startswith(f"{name}: standard output: ")
    assert "No space left on device" in last
    assert "Traceback" not in done.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        ("fuse", "runs/a_one", "runs/b_one", "-o"),
        ("check", "runs", "--html"),
        ("compare", "--qrels", "q.txt", "runs/a_one", "runs/b_one", "--html"),
    ],
)
def test_a_folder_is_no_file_to_write(
    folder: Path,
    arguments: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    for place, told in (
        (".", "folder"),
        ("none/x", "'none'"),
        ("/proc/x", "No such file or directory"),
    ):
        assert main([*arguments, place]) == 1
        last = capfd.readouterr().err.splitlines()[-1]
        assert last.startswith(f"fathom: {place}: ")
        assert told in last


def test_an_example_where_none_can_be() -> None:
    told = refused("example", "/proc/x")
    assert "No such file or directory" in told


def test_pipes_that_a_shell_gives_a_path(folder: Path) -> None:
    def shell(command: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, check=False)

    straight = good("evaluate", "--qrels", "q.txt", "runs/a_one", "-f", "csv", cwd=folder)
    piped = shell(f"{FATHOM} evaluate --qrels q.txt <(gzip -c runs/a_one) -f csv")
    assert piped.returncode == 0, piped.stderr.decode()
    figures = [line.split(",")[1:] for line in piped.stdout.decode().splitlines()]
    assert figures == [line.split(",")[1:] for line in straight.splitlines()]
    broken = shell(f"{FATHOM} evaluate --qrels q.txt <(echo 1 Q0 a)")
    assert broken.returncode == 1
    assert re.search(r"^fathom: /dev/fd/\d+, line 1: 3 fields ", broken.stderr.decode(), re.M)
    labels = shell(f"{FATHOM} evaluate --qrels <(cat q.txt) runs/a_one")
    assert labels.returncode == 1
    assert re.search(rb"^fathom: /dev/fd/\d+: .*pipe", labels.stderr)


def test_labels_and_runs_swapped(folder: Path) -> None:
    for command in (("evaluate", "--qrels"), ("trec_eval",)):
        done = fathom(*command, "runs/a_one", "q.txt", cwd=folder)
        assert done.returncode == (1 if command[0] == "evaluate" else 2)
        told = done.stderr.decode()
        assert "runs/a_one, line 1: 6 fields " in told
        assert told.endswith("name the label file\n")


def test_a_wrong_command_is_told_once() -> None:
    told = "fathom: there is no command 'zzz'; 'fathom --help' lists them all\n"
    assert refused("zzz", code=2) == told


def test_without_a_command_the_help() -> None:
    assert refused(code=2).startswith("Usage: fathom [OPTIONS] COMMAND [ARGS]...\n")


@pytest.mark.parametrize("arguments", [("evaluate", "--qrels", "q.txt", "-"),
                                       ("trec_eval", "q.txt", "-")])  # fmt: skip
def test_an_interrupt_ends_it_quietly(folder: Path, arguments: tuple[str, ...]) -> None:
    waits = subprocess.Popen(
        [FATHOM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, cwd=folder,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert waits.stdin is not None
    waits.stdin.write(b"1 Q0 d1 1 1 x\n")
    waits.stdin.flush()
    left = b"\1\0\0\0"
    while left.strip(b"\0"):  # until it reads
        assert waits.poll() is None
        time.sleep(0.05)
        left = fcntl.ioctl(waits.stdin, termios.FIONREAD, left)
    waits.send_signal(signal.SIGINT)
    out, told = waits.communicate(timeout=60)
    assert (waits.returncode, out) == (130, b"")
    assert b"Traceback" not in told
