"""The end of a process whose output the system does not take, as on a full disk."""

import os
import sys
from pathlib import Path


def unwritten(error: OSError) -> str:
    """The sentence about it; what waits for the standard output is dropped, if it was that."""
    if error.filename is not None:
        return f"{error.filename}: cannot be read or written ({error.strerror}); check the path"
    # Or Python tries again as it ends, and fails again.
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return f"standard output: cannot be written ({error.strerror}); send it elsewhere"
