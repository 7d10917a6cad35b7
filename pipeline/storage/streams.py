"""The message of a process that cannot write its output, for example to a full disk."""

import os
import sys
from pathlib import Path


def unwritten(error: OSError) -> str:
    """The message for an OSError; if standard output failed, its buffer is discarded."""
    if error.filename is not None:
        return f"{error.filename}: cannot be read or written ({error.strerror}); check the path"
    # Otherwise Python tries to flush it again at exit, and fails again.
    with Path(os.devnull).open("wb") as null:
        os.dup2(null.fileno(), sys.stdout.fileno())
    return f"standard output: cannot be written ({error.strerror}); redirect it elsewhere"
