"""Writing files and folders so that a killed job leaves nothing half-written under a final name.

What is being written has a name of its own, a draft, in the same folder. The draft of a job that
was killed stays behind; the next run removes it (`clear`).

On a cluster, where that folder is far away and shared, drafts are written to a folder of the node's
own that `SCRATCH` names, and go to the shared one in one piece.
"""

import errno
import filecmp
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_DRAFT = ".draft-"
SCRATCH = "FATHOM_SCRATCH"  # the variable; its folder is that of the node which writes


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; rename it there on success, remove it on error.

    The temporary name keeps the ending, because writers choose their format by it.
    """
    final = Path(path)
    draft = _beside(final)
    try:
        with _drafting(draft) as written:
            yield written
            if written != draft:
                shutil.copyfile(written, draft)
        draft.replace(final)
    finally:
        draft.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, whole or not at all, the same on every system."""
    with atomic(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Yield a new folder beside `path`; on success it takes that name, and what was there goes."""
    final = Path(path)
    draft, old = _beside(final), _beside(final, "old-")
    for left in (draft, old):
        shutil.rmtree(left, ignore_errors=True)
    try:
        with _drafting(draft) as written:
            written.mkdir()
            yield written
            if written != draft:
                shutil.copytree(written, draft)
        while not _same(draft, final):  # another process may have written it just now
            with suppress(FileNotFoundError):
                final.rename(old)
            try:
                draft.rename(final)
                break
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise
                shutil.rmtree(old, ignore_errors=True)
    finally:
        for left in (draft, old):
            shutil.rmtree(left, ignore_errors=True)


def _same(one: Path, other: Path) -> bool:
    """Whether two folders hold the same files; then the one that is there stays in place."""
    names = [{p.relative_to(top) for p in top.rglob("*") if p.is_file()} for top in (one, other)]
    if not other.is_dir() or names[0] != names[1]:
        return False
    return not any(filecmp.cmpfiles(one, other, map(str, names[0]), shallow=False)[1:])


@contextmanager
def _drafting(draft: Path) -> Iterator[Path]:
    """Where a draft is written: in the node's own folder, if there is one, else where it is."""
    own = Path(os.path.expandvars(os.environ.get(SCRATCH, "")) or "/nowhere")
    if not own.is_dir():
        yield draft
        return
    with tempfile.TemporaryDirectory(prefix="fathom-", dir=own, ignore_cleanup_errors=True) as each:
        yield Path(each, draft.name)


def clear(folder: Path) -> list[Path]:
    """Remove the drafts below a folder that killed jobs left behind, and say which."""
    found = sorted(folder.rglob(f"{_DRAFT}*"), reverse=True)
    for draft in found:
        if draft.is_dir() and not draft.is_symlink():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.unlink(missing_ok=True)
    return found


def _beside(final: Path, kind: str = "") -> Path:
    final.parent.mkdir(parents=True, exist_ok=True)
    return final.with_name(f"{_DRAFT}{kind}{os.getpid()}-{final.name}")
