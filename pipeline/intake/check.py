"""The input check: reads everything that was handed in, evaluates nothing, reports all problems."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np

from pipeline.config.runs import Teams
from pipeline.errors import InputError, Problem
from pipeline.intake.coverage import Pairs, other_topics, unmet
from pipeline.intake.findings import Finding, findings, identical, in_order, some
from pipeline.intake.inputs import PEOPLE, Inputs
from pipeline.labels.qrels import QRELS_LINE
from pipeline.labels.tables import tabulate
from pipeline.labels.topics import read as read_topics
from pipeline.people.reading import Known
from pipeline.runs.format import RUN_LINE
from pipeline.runs.rank import lost_order
from pipeline.runs.reader import Run, RunPolicies, RunReader, run_name, same_names
from pipeline.runs.teams import is_unaffiliated, read_table, teams_of
from pipeline.storage.text import read_bytes

T = TypeVar("T")
MOST = 25  # bad lines reported of one file; a file of another format has only bad lines


def inspect(inputs: Inputs) -> list[Finding]:
    """All problems: of topics and labels first, then run by run."""
    found: list[Finding] = []
    asked = _topics(inputs, found)
    labelled = {name: _labels(name, inputs, found) for name in inputs.files}
    first = next(iter(labelled.values()), set())
    counting = asked if inputs.topics_from == "topics" else {topic for topic, _ in first}
    known = asked | {topic for pairs in labelled.values() for topic, _ in pairs}
    reader = _reader(inputs)
    runs: list[Run] = []
    for path in sorted(inputs.runs, key=lambda one: (run_name(one), str(one))):
        run, problems = read_all(path, reader.read, what="run", line=RUN_LINE)
        if run is not None:
            run = replace(run, name=run_name(path), path=path)
            problems += _run(run, inputs)
            topics = reader.topics()
            answered = {topics[t] for t in run.rows.group_topic.tolist()}
            problems += _answered(path, answered, counting=counting, known=known)
            runs.append(run)
        found += findings(problems, "run", run_name(path))
    for problem in same_names(inputs.runs):
        found += findings([problem], "run", run_name(Path(problem.where)))
    numbers = [at for at, topic in enumerate(reader.topics()) if not counting or topic in counting]
    found += _same_rankings(runs, topics=numbers)
    found += assigned(inputs.runs, given=inputs.team, table=inputs.team_table).problems
    own = {name: pairs for name, pairs in labelled.items() if name not in inputs.further}
    if retrieved := _retrieved(runs, reader):
        found += unmet(own, files=inputs.files, retrieved=retrieved)
    found += other_topics(own, files=inputs.files, counting=counting)
    found += _people(inputs, topics=counting)
    return in_order(found)


def read_all(
    path: Path, read: Callable[[Path], T], *, what: str, line: str
) -> tuple[T | None, list[Problem]]:
    """What `read` makes of a file without its bad lines, and a problem for each of these.

    A reader stops at a bad line. That line is blanked in a copy, and the copy is read.
    """
    problems: list[Problem] = []
    lines: list[bytes] = []
    with tempfile.TemporaryDirectory() as folder:
        copy = path
        while True:
            try:
                return read(copy), problems
            except InputError as error:
                new = [_moved(one, copy, path) for one in error.problems]
            bad = [one.line for one in new if one.line]
            if not bad:  # or there were only bad lines, each of which was reported
                return None, problems or new
            problems += new
            if len(problems) >= MOST:
                what = f"more than {MOST} bad lines, the others are not listed"
                return None, [*problems[:MOST], Problem(path, what, new[-1].fix)]
            lines = lines or read_bytes(path, what=what, line=line).split(b"\n")
            if not any(at <= len(lines) and lines[at - 1].strip() for at in bad):
                return None, problems
            for at in bad:
                lines[at - 1] = b""
            copy = Path(folder) / path.name.removesuffix(".gz")
            copy.write_bytes(b"\n".join(lines))


def _moved(problem: Problem, copy: Path, path: Path) -> Problem:
    what = problem.what.replace(f"{copy}, ", "").replace(str(copy), str(path))
    return replace(problem, where=path, what=what)


def _topics(inputs: Inputs, found: list[Finding]) -> set[str]:
    given, file = inputs.topics, inputs.topics_file
    if file is None or given is None:
        return set()
    topics, problems = read_all(
        file,
        lambda path: read_topics(path, rename=given.id, query=given.query),
        what="topics file",
        line="id<TAB>query",
    )
    found += findings(problems, "topics")
    return set(topics or ())


def _labels(name: str, inputs: Inputs, found: list[Finding]) -> Pairs:
    """The (topic, document) pairs that have a label."""
    given, files, intents = inputs.labels[name], inputs.files[name], inputs.intents.get(name)
    scale, key, subtopics = given.scale, given.key, given.subtopics
    read = partial(tabulate, scale=scale, key=key, subtopics=subtopics, conflict=given.conflict)
    pairs: Pairs = set()
    problems: list[Problem] = []
    for path in files:
        table, new = read_all(path, lambda one: read([one]), what="qrels", line=QRELS_LINE)
        problems += new
        if table is not None:
            topics = (topic or "" for topic in table["topic"].to_pylist())
            pairs |= set(zip(topics, table["document"].to_pylist(), strict=True))
    if not problems and (len(files) > 1 or intents):
        try:
            read(files, intents=intents)
        except InputError as error:  # files that contradict each other
            problems += [one if one.where else one.at(files[0]) for one in error.problems]
    if scale.threshold == (scale.lowest if scale.better == "high" else scale.highest):
        worst = f"the threshold {scale.threshold:g} is the worst label"
        what = f"{worst}, so every labelled document counts as relevant"
        fix = f"raise dimensions.{name}.threshold, unless that is meant"
        problems.append(Problem(files[0], what, fix, "warning"))
    found += findings(problems, "labels", name)
    return pairs


# ---- runs -----------------------------------------------------------------------------------


def _reader(inputs: Inputs, *, strict: str = "") -> RunReader:
    """Reads past duplicates and bad scores, which its summary counts, but for what is `strict`."""
    return RunReader(
        RunPolicies(
            order=inputs.order,
            depth=inputs.depth,
            duplicates="error" if strict == "duplicates" else "first",
            bad_scores="error" if strict == "bad_scores" else "last",
            form=inputs.form,
            setting=inputs.setting,
        )
    )


def _run(run: Run, inputs: Inputs) -> Iterator[Problem]:
    """What is the matter with a run that can be read."""
    summary, rows = run.summary, len(run.rows.document)
    for key in ("duplicates", "bad_scores"):
        if getattr(summary, key):
            yield from _repaired(run, inputs, key=key, policy=getattr(inputs, key))
    if rows > 1 and summary.tied == rows:
        what = "every document has the score of another: the order is that of the document ids"
        fix = "send scores that give the order, or set policies.order to 'rank'"
        yield Problem(run.path, what, fix, "warning")
    elif number := summary.top10_differs:
        topics = f"{number:,} {'topic' if number == 1 else 'topics'}"
        what = f"ranks and scores disagree on the first ten of {topics}"
        fix = f"make them agree; policies.order is '{inputs.order}'"
        yield Problem(run.path, what, fix, "warning")
    if lost := lost_order(run, inputs.order):
        what = (
            f"{lost:,} of {rows:,} scores differ from the next one, but not as 32-bit "
            "numbers, which trec_eval compares: their order is lost"
        )
        fix = "scale the scores, or set policies.order to 'score64' or 'rank'"
        yield Problem(run.path, what, fix, "warning")


def _repaired(run: Run, inputs: Inputs, *, key: str, policy: str) -> Iterator[Problem]:
    """The reader's own problem; a warning where a policy repairs it."""
    try:
        _reader(inputs, strict=key).read(run.path)
    except InputError as error:
        fix = f"nothing, if policies.{key} '{policy}' is meant"
        for one in error.problems:
            yield one if policy == "error" else replace(one, severity="warning", fix=fix)


def _answered(
    path: Path, answered: set[str], *, counting: set[str], known: set[str]
) -> Iterator[Problem]:
    if known and not answered & known:
        ids = f"it has {some(answered)}; they have {some(known)}"
        what = f"shares no topic with labels or topics ({ids})"
        yield Problem(path, what, "write the campaign's topic ids")
    elif known:
        if unknown := answered - known:
            what = f"{len(unknown)} unknown topics: {some(unknown)}"
            yield Problem(path, what, "correct the ids, or leave the topics out", "warning")
        if missing := counting - answered:
            number = f"{len(missing)} of {len(counting)} topics"
            what = f"{number} have no answer and score 0: {some(missing)}"
            yield Problem(path, what, "send documents for every topic", "warning")


def _same_rankings(runs: Sequence[Run], *, topics: Sequence[int]) -> Iterator[Finding]:
    rankings = {}
    for run in runs:
        documents = np.split(run.rows.document, np.cumsum(run.rows.group_size)[:-1])
        mine = dict(zip(run.rows.group_topic.tolist(), documents, strict=True))
        rankings[run.path] = b"|".join(mine[t].tobytes() if t in mine else b"" for t in topics)
    for path, others in identical(rankings).items():
        what = f"ranks the same documents in the same order as {', '.join(map(run_name, others))}"
        fix = "ask the team whether the right file was sent"
        yield from findings([Problem(path, what, fix, "warning")], "run", run_name(path))


def _retrieved(runs: Sequence[Run], reader: RunReader) -> Pairs:
    """Every topic and document of every run."""
    topics = reader.topics()
    starts, text = reader.documents()
    documents = [text[a:b].decode("utf-8", "replace") for a, b in pairwise(starts.tolist())]
    return {
        (topics[topic], documents[document])
        for run in runs
        for topic, document in zip(run.rows.topic.tolist(), run.rows.document.tolist(), strict=True)
    }


def _people(inputs: Inputs, *, topics: set[str]) -> Iterator[Finding]:
    """All that the comparison with preferences and ratings would refuse."""
    scored = {*map(run_name, inputs.runs), *inputs.made}
    known = Known(topics=sorted(topics), runs=sorted(scored))
    for name, paths in inputs.people.items():
        try:
            PEOPLE[name](paths, known=known)
        except InputError as error:
            yield from findings(error.problems, "people", name)


# ---- teams ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Assigned:
    """The team of each run, '' for none; None where the campaign does not say how to find it."""

    teams: dict[str, str] | None = None
    problems: tuple[Finding, ...] = ()
    unaffiliated: frozenset[str] = frozenset()  # runs without a team on purpose


def assigned(runs: Sequence[Path], *, given: Teams | None, table: Path | None) -> Assigned:
    """The teams of the runs, and the findings about them."""
    if given is None or (given.table is not None and table is None):  # the table is missing
        return Assigned()
    try:
        teams = teams_of({run_name(path): str(path) for path in runs}, given=given, table=table)
        known = read_table(table) if table else {}
        unaffiliated = frozenset(run for run in teams if is_unaffiliated(given, run))
    except InputError as error:
        file = table or Path("runs.team")
        return Assigned(None, tuple(findings((p.at(file) for p in error.problems), "teams")))
    problems: list[Finding] = []
    for path in runs:
        run = run_name(path)
        if not teams[run] and run not in unaffiliated:
            problems += findings([_no_team(path, given)], "run", run)
    if table and (others := known.keys() - teams.keys()):
        number = f"{len(others)} of its {len(known)} runs"
        what = f"{number} are not among the run files: {some(others)}"
        fix = "correct the names, or send the runs; otherwise nothing hangs on them"
        problems += findings([Problem(table, what, fix, "warning")], "teams")
    return Assigned(teams, tuple(problems), unaffiliated)


def _no_team(path: Path, given: Teams) -> Problem:
    if given.table is not None:
        fix = "add a line with its team, or rename the file"
        return Problem(path, f"{given.description} has no such run", fix, "warning")
    where, verb = ("path", "move") if given.path is not None else ("name", "rename")
    what = f"{given.description} finds no team in this {where}"
    return Problem(path, what, f"widen the expression, or {verb} the file", "warning")
