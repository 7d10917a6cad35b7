"""What the tools themselves print, one file a run: trec_eval's `-q` output, ubire's, and ndeval's.

The first two have a line for each value: the measure, the topic, then the value. ubire separates by
tabs and in its first version puts the run before the value, except in the lines over all topics.
ndeval has a line for each topic, separated by commas, and a first line that names the measures. The
run is the file's name; a campaign adds an ending for what else it computed.
"""

import re
from pathlib import Path

from pipeline.errors import InputError

# The ending of a campaign's file, and who wrote it: nDCG comes from the graded labels.
ENDINGS = {".ndcg": "trec_eval-graded", ".urbp": "ubire", ".csv": "ndeval"}
RUN_TAG = "runid"  # trec_eval prints the run's tag among the measures
UBIRE = re.compile(r"u?RBP(gr)?\(")
NDEVAL = "runid,topic,"  # then the measures
MEAN = "amean"  # ndeval's topic of a mean over topics


def is_output(first: str) -> bool:
    """Whether a file that starts with this line is a tool's output and not a table."""
    if first.startswith(NDEVAL):
        return True
    fields = first.split()
    return fields[:1] == [RUN_TAG] or (len(fields) in (3, 4) and _is_number(fields[-1]))


def run_and_tool(path: Path, *, first: str) -> tuple[str, str]:
    """The run a file is about and the tool that wrote it.

    >>> run_and_tool(Path("evals/CUNI_EN_Run.1.dat.urbp"), first="RBP(0.8) qtest.1 0.5")
    ('CUNI_EN_Run.1.dat', 'ubire')
    """
    name = path.name.removesuffix(".gz")
    for ending, tool in ENDINGS.items():
        if name.endswith(ending):
            return name.removesuffix(ending), tool
    return name, "ubire" if UBIRE.match(first) else "trec_eval"


def rows(path: Path, lines: list[str]) -> list[tuple[int, list[str]]]:
    """The number of each line with run, tool, measure, topic and value, the run's tag left out."""
    run, tool = run_and_tool(path, first=lines[0])
    if lines[0].startswith(NDEVAL):
        return _ndeval(path, lines, run=run)
    found = []
    for number, line in enumerate(lines, start=1):
        fields = line.split()
        if not fields or fields[0] == RUN_TAG:
            continue
        if len(fields) == 4 and fields[2] != run:
            raise InputError(
                f"{path}, line {number}: the run '{fields[2]}' where the file is named after "
                f"'{run}'; rename the file or correct the line"
            )
        if len(fields) not in (3, 4):
            raise InputError(
                f"{path}, line {number}: {len(fields)} fields; write measure, topic and value, "
                "as trec_eval -q and ubire do"
            )
        found.append((number, [run, tool, fields[0], fields[1], fields[-1]]))
    return found


def _ndeval(path: Path, lines: list[str], *, run: str) -> list[tuple[int, list[str]]]:
    _, _, *measures = lines[0].strip().split(",")
    found = []
    for number, line in enumerate(lines[1:], start=2):
        fields = line.strip().split(",")
        if len(fields) != len(measures) + 2:
            raise InputError(
                f"{path}, line {number}: {len(fields)} fields where the first line names "
                f"{len(measures) + 2}; correct the line"
            )
        _, topic, *values = fields
        name = "all" if topic == MEAN else topic
        pairs = zip(measures, values, strict=True)
        found += [(number, [run, "ndeval", measure, name, value]) for measure, value in pairs]
    return found


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text) is not None
