"""The worker that tries all ways: it answers the indices and the reason of a page by each."""

import json
import sys
from dataclasses import dataclass
from typing import Any

from pipeline.pages.cleanse import clean
from pipeline.pages.cleanse.worker import Answering, serve
from pipeline.pages.readability.engine import ENGINES
from pipeline.pages.readability.row import row
from pipeline.pages.readability.ways import Way, ways


@dataclass(frozen=True, kw_only=True)
class Trial:
    """The way a campaign goes, and the language its pages should be in."""

    chosen: Way
    language: str | None


def trying(trial: Trial) -> Answering:
    """The function from a page to what each way makes of it."""
    every = ways(trial.chosen)

    def answer(page: bytes) -> tuple[bytes, str]:
        texts: dict[tuple[str, bool], tuple[str, str]] = {}
        found: list[Any] = []
        for way in every:
            kind = (way.method, way.sentence_ends)
            if kind not in texts:
                texts[kind] = clean(
                    page,
                    method=way.method,
                    sentence_ends=way.sentence_ends,
                    language=trial.language,
                )
            found.append(row(*texts[kind], ENGINES[way.engine]))
        return json.dumps(found).encode(), ""

    return answer


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    serve(
        trying(Trial(chosen=Way(**given["chosen"]), language=given["language"])),
        at_work=int(sys.argv[2]),
    )
