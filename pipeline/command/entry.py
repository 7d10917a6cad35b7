"""The installed script; `fathom trec_eval` starts without modules that only others need."""

import os
import sys


def entry() -> None:
    """Run `fathom` with the arguments of the process."""
    name, *arguments = sys.argv[1:] or [""]
    if name == "trec_eval" and arguments != ["--help"]:
        # A thread pool for matrix products, which are not used here, takes a third of the time
        # that importing numpy takes.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from pipeline.api.trec_eval import process

        sys.exit(process(arguments))
    from pipeline.command import main

    main.entry()
