"""Atomic writes: a killed job leaves nothing half-written under a final name.

Files are written as drafts, under a temporary name in the same folder. The draft of a killed job
stays there until the next run removes it (`clear`).

On a cluster the results are in a slow, shared folder. `SCRATCH` names a local folder of the node:
drafts are written there first, then copied to the shared folder.
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
SCRATCH = "FATHOM_SCRATCH"  # environment variable with the path of the node's local folder


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path with the same extension; rename it to `path` on success."""
    final = Path(path)
    draft = _beside(final)
    try:
        with _drafting(draft) as output:
            yield output
            if output != draft:
                shutil.copyfile(output, draft)
        draft.replace(final)
    finally:
        draft.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write a UTF-8 text file atomically; line endings are kept as they are."""
    with atomic(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """Yield a new folder beside `path`; on success it replaces the folder at `path`."""
    final = Path(path)
    draft, old = _beside(final), _beside(final, "old-")
    for leftover in (draft, old):
        shutil.rmtree(leftover, ignore_errors=True)
    try:
        with _drafting(draft) as output:
            output.mkdir()
            yield output
            if output != draft:
                shutil.copytree(output, draft)
        while not _same(draft, final):  # another process may write the same folder
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
        for leftover in (draft, old):
            shutil.rmtree(leftover, ignore_errors=True)


def _same(draft: Path, final: Path) -> bool:
    """Whether both folders hold the same files; the final folder then stays as it is."""
    names = [{p.relative_to(top) for p in top.rglob("*") if p.is_file()} for top in (draft, final)]
    if not final.is_dir() or names[0] != names[1]:
        return False
    return not any(filecmp.cmpfiles(draft, final, map(str, names[0]), shallow=False)[1:])


@contextmanager
def _drafting(draft: Path) -> Iterator[Path]:
    """The path a draft is written to: in the node's local folder if set, else `draft` itself."""
    scratch = Path(os.path.expandvars(os.environ.get(SCRATCH, "")) or "/nowhere")
    if not scratch.is_dir():
        yield draft
        return
    folder = tempfile.TemporaryDirectory(prefix="fathom-", dir=scratch, ignore_cleanup_errors=True)
    with folder as temporary:
        yield Path(temporary, draft.name)


def clear(folder: Path) -> list[Path]:
    """Remove the drafts that killed jobs left below a folder, and return their paths."""
    drafts = sorted(folder.rglob(f"{_DRAFT}*"), reverse=True)
    for draft in drafts:
        if draft.is_dir() and not draft.is_symlink():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.unlink(missing_ok=True)
    return drafts


def _beside(final: Path, kind: str = "") -> Path:
    final.parent.mkdir(parents=True, exist_ok=True)
    return final.with_name(f"{_DRAFT}{kind}{os.getpid()}-{final.name}")
