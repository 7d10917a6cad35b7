"""Records what a process opens and loads: put this folder on PYTHONPATH and name FATHOM_RECORD.

Every file is written down as it is opened, since a worker may be killed; which rule a process
belonged to is written when it ends, and its children are found by their parent's number.
"""

import atexit
import os
import sys

_folder = os.environ.get("FATHOM_RECORD")
if _folder:
    _out = os.open(f"{_folder}/{os.getpid()}.opened", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(_out, f"{os.getppid()}\n".encode())

    def _hook(event: str, arguments: tuple[object, ...]) -> None:
        name = None
        if event == "open":
            name = arguments[0]
        elif event == "import":  # a compiled module is not opened by Python itself
            name = arguments[1]
        if isinstance(name, str | os.PathLike) and "pipeline" in str(name):
            os.write(_out, f"{os.path.abspath(name)}\n".encode())  # noqa: PTH100

    sys.addaudithook(_hook)

    @atexit.register
    def _leave() -> None:
        snakemake = getattr(sys.modules.get("__main__"), "snakemake", None)
        if snakemake is not None:
            out = os.open(f"{_folder}/{os.getpid()}.rule", os.O_WRONLY | os.O_CREAT)
            measure = getattr(snakemake.wildcards, "measure", "")
            os.write(out, f"{snakemake.rule}\n{measure}\n".encode())
