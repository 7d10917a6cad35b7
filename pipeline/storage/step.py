"""What every step of the workflow does around its one call into the library."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.storage import usage
from pipeline.storage.lock import controlled, present


@contextmanager
def step(snakemake: Any) -> Iterator[None]:
    """Run a script's body. A user's mistake ends the job with its sentence, never a traceback.

    What went wrong goes into the rule's log, which Snakemake shows, and the controlling process
    tells it at its end, so that the job need not. An error of our own keeps its traceback.
    """
    log = Path(snakemake.log[0])
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("")
    try:
        with present(getattr(snakemake.wildcards, "campaign", None) or snakemake.wildcards.paper):
            yield
            usage.keep(log)
    except InputError as error:
        log.write_text(f"{error}\n", encoding="utf-8")
        sys.exit(1 if controlled() else f"fathom: {error}")
    except Exception:
        log.write_text(traceback.format_exc(), encoding="utf-8")
        raise
