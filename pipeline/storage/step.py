"""What every step of the workflow does around its calls into the library."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.storage import records, usage

CONTROLLED = "FATHOM_CONTROLLED"  # set where a controller of ours prints the problems of jobs
METADATA = Path(".snakemake/metadata")  # Snakemake's own records


@contextmanager
def step(snakemake: Any) -> Iterator[Any]:
    """Run a script's body on its step's settings, then record what it wrote under which key.

    A user's mistake ends the job with its problems, never a traceback. They go into the rule's log,
    which the controller prints at its end; in the workflow of another the job prints them. An error
    of our own keeps its traceback.
    """
    log, record = Path(snakemake.log[0]), Path(snakemake.output.record)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("")
    record.unlink(missing_ok=True)
    if METADATA.is_dir():
        mark(record).touch()
    settings = snakemake.params.settings
    try:
        yield settings
        usage.keep(log)
        outputs = [path for path in snakemake.output if path != str(record)]
        note = settings.get("grown")
        records.write(record, asked=snakemake.params.key, outputs=outputs, note=note)
    except InputError as error:
        log.write_text(f"{error}\n", encoding="utf-8")
        sys.exit(1 if CONTROLLED in os.environ else f"fathom: {error}")
    except Exception:
        log.write_text(traceback.format_exc(), encoding="utf-8")
        raise


def mark(record: Path) -> Path:
    """A file among Snakemake's records that goes where they go; without it ours are worthless."""
    parts = record.parts
    return METADATA / f"fathom-{parts[parts.index('records') - 1]}"
