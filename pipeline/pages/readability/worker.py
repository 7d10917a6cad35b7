"""The worker that counts too: it answers counts and indices, and forgets the text."""

import json
import sys
from dataclasses import dataclass

from pipeline.pages.cleanse.worker import Answering, Task, serve
from pipeline.pages.readability.engine import ENGINES
from pipeline.pages.readability.row import pack, row


@dataclass(frozen=True, kw_only=True)
class CountingTask(Task):
    """How pages become counts: by which method they are cleansed, and who counts."""

    engine: str = "fathom"


def counting(task: CountingTask) -> Answering:
    """The function from a page to its packed counts."""
    engine = ENGINES.only(task.engine)

    def answer(page: bytes) -> tuple[bytes, str]:
        *values, why = row(*task.clean(page), engine)
        return pack(values), why

    return answer


if __name__ == "__main__":
    serve(counting(CountingTask(**json.loads(sys.argv[1]))), at_work=int(sys.argv[2]))
