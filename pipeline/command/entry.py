"""What the installed script calls; trec_eval's drop-in begins without what the others need."""

import os
import sys


def entry() -> None:
    """Run `fathom` with the arguments of the process."""
    name, *arguments = sys.argv[1:] or [""]
    if name == "trec_eval" and arguments != ["--help"]:
        # A pool of threads for products of matrices, of which there are none here, would take a
        # third of the time that numpy needs to begin.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from pipeline.api.trec_eval import process

        sys.exit(process(arguments))
    from pipeline.command import main

    main.entry()
