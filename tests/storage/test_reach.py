"""Locks that reach other machines, and those that do not: what a run says then."""

import os
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.storage import lock
from pipeline.storage.atomic import SCRATCH, atomic, atomic_folder
from pipeline.storage.lock import hold

MOUNT = "36 35 98:0 / {point} rw,noatime shared:1 - {kind} server:/x rw{options}\n"


@pytest.mark.parametrize(
    ("kind", "options", "reason"),
    [
        ("ext4", "", ""),
        ("overlay", ",lowerdir=/a", ""),
        ("nfs4", ",vers=4.2,local_lock=none", ""),
        ("nfs", ",vers=3,local_lock=all", "nfs mounted with local_lock=all"),
        ("nfs4", ",local_lock=flock", "nfs4 mounted with local_lock=flock"),
        ("nfs", ",nolock", "nfs mounted with nolock"),
        ("lustre", ",flock,lazystatfs", ""),
        ("lustre", ",localflock", "lustre mounted without flock"),
        ("gpfs", "", ""),
        ("cifs", ",nobrl", "cifs mounted with nobrl"),
        ("beegfs", "", "unknown file system beegfs"),
    ],
)
def test_what_a_mount_says(tmp_path: Path, kind: str, options: str, reason: str) -> None:
    mounts = tmp_path / "mounts"
    here = MOUNT.format(point=tmp_path, kind=kind, options=options)
    mounts.write_text(MOUNT.format(point="/", kind="tmpfs", options="") + here)
    assert lock.why_not(tmp_path / "a" / "b", mounts=mounts) == reason
    assert lock.why_not(Path("/elsewhere"), mounts=mounts) == ""


def test_a_blank_in_the_place_of_a_mount(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNT.format(point=r"/my\040data", kind="nfs", options=",nolock"))
    assert lock.why_not(Path("/my data/x"), mounts=mounts) == "nfs mounted with nolock"
    assert lock.why_not(Path("/my"), mounts=tmp_path / "none") == ""


@pytest.mark.parametrize("reason", ["", "nfs mounted with nolock"])
def test_a_free_lock_is_proof_only_where_locks_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    left = tmp_path / "locks/mine.lock"
    left.parent.mkdir()
    left.write_text("process 7 on elsewhere\n")
    monkeypatch.setattr(lock, "why_not", lambda path: reason)
    if not reason:
        hold(left.parent, campaign="mine", results=tmp_path).close()
        return
    with pytest.raises(InputError) as refused:
        hold(left.parent, campaign="mine", results=tmp_path)
    assert reason in refused.value.problems[0].what
    assert "process 7 on elsewhere" in refused.value.problems[0].what
    assert str(left) in refused.value.problems[0].fix


def test_a_run_that_ends_by_itself_leaves_no_name(tmp_path: Path) -> None:
    with hold(tmp_path / "locks", campaign="mine", results=tmp_path):
        name = (tmp_path / "locks/mine.lock").read_text()
    lock._release(tmp_path / "locks/mine.lock", f"process {os.getpid() + 1} on here\n")  # of a fork
    assert (tmp_path / "locks/mine.lock").read_text() == name
    lock._release(tmp_path / "locks/mine.lock", name)
    assert (tmp_path / "locks/mine.lock").read_text() == ""


def test_drafts_go_to_the_node_s_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("NODE_TMP", str(scratch))
    monkeypatch.setenv(SCRATCH, "$NODE_TMP")
    with atomic(tmp_path / "shared/x.csv") as draft:
        draft.write_text("whole")
        assert draft.is_relative_to(scratch)
        assert list((tmp_path / "shared").iterdir()) == []
    with atomic_folder(tmp_path / "shared/y") as folder:
        (folder / "z").write_text("z")
        assert folder.is_relative_to(scratch)
    with pytest.raises(ZeroDivisionError), atomic(tmp_path / "shared/x.csv") as draft:
        draft.write_text(f"half {1 / 0}")
    assert (tmp_path / "shared/x.csv").read_text() == "whole"
    assert (tmp_path / "shared/y/z").read_text() == "z"
    assert sorted(path.name for path in (tmp_path / "shared").iterdir()) == ["x.csv", "y"]
    assert list(scratch.iterdir()) == []


def test_a_scratch_folder_that_a_node_lacks_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for given in (str(tmp_path / "absent"), "$NOT_SET_HERE", ""):
        monkeypatch.setenv(SCRATCH, given)
        with atomic(tmp_path / "x.csv") as draft:
            assert draft.parent == tmp_path
            draft.write_text("whole")
