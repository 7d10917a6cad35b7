"""The input check: reads all input files, evaluates nothing, reports all problems."""

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
from pipeline.intake.coverage import Labelled, few_retrieved, other_topics
from pipeline.intake.findings import Finding, findings, first_few, identical, in_order
from pipeline.intake.inputs import PEOPLE, Inputs
from pipeline.labels.qrels import QRELS_LINE
from pipeline.labels.tables import tabulate
from pipeline.labels.topics import read as read_topics
from pipeline.people.reading import KnownNames
from pipeline.runs.format import RUN_LINE
from pipeline.runs.rank import lost_order
from pipeline.runs.reader import Run, RunPolicies, RunReader, run_name, same_names
from pipeline.runs.teams import is_unaffiliated, read_table, teams_of
from pipeline.storage.text import read_bytes

T = TypeVar("T")
MOST = 25  # bad lines reported per file; a file of another format has only bad lines


def inspect(inputs: Inputs) -> list[Finding]:
    """All problems: of topics and labels first, then run by run."""
    report: list[Finding] = []
    listed = _topics(inputs, report)
    labelled = {name: _labels(name, inputs, report) for name in inputs.files}
    first = next(iter(labelled.values()), set())
    counting = listed if inputs.topics_from == "topics" else {topic for topic, _ in first}
    known = listed | {topic for pairs in labelled.values() for topic, _ in pairs}
    reader = _reader(inputs)
    runs: list[Run] = []
    for path in sorted(inputs.runs, key=lambda path: (run_name(path), str(path))):
        run, problems = read_all(path, reader.read, what="run", line=RUN_LINE)
        if run is not None:
            run = replace(run, name=run_name(path), path=path)
            problems += _run(run, inputs)
            topics = reader.topics()
            in_run = {topics[t] for t in run.rows.group_topic.tolist()}
            problems += _run_topics(path, in_run, counting=counting, known=known)
            runs.append(run)
        report += findings(problems, "run", run_name(path))
    for problem in same_names(inputs.runs):
        report += findings([problem], "run", run_name(Path(problem.where)))
    numbers = [at for at, topic in enumerate(reader.topics()) if not counting or topic in counting]
    report += _same_rankings(runs, topics=numbers)
    report += assign_teams(inputs.runs, settings=inputs.team, table=inputs.team_table).problems
    measured = {name: pairs for name, pairs in labelled.items() if name not in inputs.further}
    if retrieved := _retrieved(runs, reader):
        report += few_retrieved(measured, files=inputs.files, retrieved=retrieved)
    report += other_topics(measured, files=inputs.files, counting=counting)
    report += _people(inputs, topics=counting)
    return in_order(report)


def read_all(
    path: Path, read: Callable[[Path], T], *, what: str, line: str
) -> tuple[T | None, list[Problem]]:
    """The result of `read` for a file without its bad lines, and a problem for each bad line.

    A reader stops at a bad line. This function blanks the line in a copy and reads the copy.
    """
    problems: list[Problem] = []
    lines: list[bytes] = []
    with tempfile.TemporaryDirectory() as folder:
        copy = path
        while True:
            try:
                return read(copy), problems
            except InputError as error:
                new = [_moved(problem, copy, path) for problem in error.problems]
            bad = [problem.line for problem in new if problem.line]
            if not bad:  # a problem of the whole file; it is empty if all lines were bad
                return None, problems or new
            problems += new
            if len(problems) >= MOST:
                what = f"has more than {MOST} bad lines; only these are listed"
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


def _topics(inputs: Inputs, report: list[Finding]) -> set[str]:
    settings, file = inputs.topics, inputs.topics_file
    if file is None or settings is None:
        return set()
    read = partial(read_topics, rename=settings.id, query=settings.query)
    topics, problems = read_all(file, read, what="topics file", line="id<TAB>query")
    report += findings(problems, "topics")
    return set(topics or ())


def _labels(name: str, inputs: Inputs, report: list[Finding]) -> Labelled:
    settings, files, intents = inputs.labels[name], inputs.files[name], inputs.intents.get(name)
    scale, key, subtopics = settings.scale, settings.key, settings.subtopics
    read = partial(tabulate, scale=scale, key=key, subtopics=subtopics, conflict=settings.conflict)
    pairs: Labelled = set()
    problems: list[Problem] = []
    for path in files:
        table, new = read_all(path, lambda path: read([path]), what="qrels", line=QRELS_LINE)
        problems += new
        if table is not None:
            topics = (topic or "" for topic in table["topic"].to_pylist())
            pairs |= set(zip(topics, table["document"].to_pylist(), strict=True))
    if not problems and (len(files) > 1 or intents):
        try:
            read(files, intents=intents)
        except InputError as error:  # files that contradict each other
            problems += [p if p.where else p.at(files[0]) for p in error.problems]
    if scale.threshold == (scale.lowest if scale.better == "high" else scale.highest):
        worst = f"the threshold {scale.threshold:g} is the worst label"
        what = f"{worst}, so every labelled document counts as relevant"
        fix = f"set dimensions.{name}.threshold to a better label, unless this is intended"
        problems.append(Problem(files[0], what, fix, "warning"))
    report += findings(problems, "labels", name)
    return pairs


def _reader(inputs: Inputs, *, strict: str = "") -> RunReader:
    """A reader that only counts duplicates and bad scores, except those named by `strict`."""
    policies = RunPolicies(
        order=inputs.order,
        depth=inputs.depth,
        duplicates="error" if strict == "duplicates" else "first",
        bad_scores="error" if strict == "bad_scores" else "last",
        form=inputs.form,
        setting=inputs.setting,
    )
    return RunReader(policies)


def _run(run: Run, inputs: Inputs) -> Iterator[Problem]:
    summary, rows = run.summary, len(run.rows.document)
    for key in ("duplicates", "bad_scores"):
        if getattr(summary, key):
            yield from _repaired(run, inputs, key=key, policy=getattr(inputs, key))
    if rows > 1 and summary.tied == rows:
        what = "every document is tied with another, so the order of document ids decides"
        fix = "write scores that give the order, or set policies.order to 'rank'"
        yield Problem(run.path, what, fix, "warning")
    elif number := summary.top10_differs:
        topics = f"{number:,} {'topic' if number == 1 else 'topics'}"
        what = f"ranks and scores disagree on the top 10 of {topics}"
        other = "score" if inputs.order == "rank" else "rank"
        fix = f"make them agree, or set policies.order to '{other}' (now '{inputs.order}')"
        yield Problem(run.path, what, fix, "warning")
    if lost := lost_order(run, inputs.order):
        what = (
            f"{lost:,} of {rows:,} scores differ from the next one but are equal as 32-bit "
            "floats, which trec_eval compares, so their order is lost"
        )
        fix = "scale the scores, or set policies.order to 'score64' or 'rank'"
        yield Problem(run.path, what, fix, "warning")


def _repaired(run: Run, inputs: Inputs, *, key: str, policy: str) -> Iterator[Problem]:
    """The problem that the reader raises; a warning if a policy repairs it."""
    try:
        _reader(inputs, strict=key).read(run.path)
    except InputError as error:
        fix = f"nothing, if policies.{key} '{policy}' is intended"
        for problem in error.problems:
            yield problem if policy == "error" else replace(problem, severity="warning", fix=fix)


def _run_topics(
    path: Path, in_run: set[str], *, counting: set[str], known: set[str]
) -> Iterator[Problem]:
    if known and not in_run & known:
        ids = f"it has {first_few(in_run)}; they have {first_few(known)}"
        what = f"shares no topic with labels or topics ({ids})"
        yield Problem(path, what, "write the topic ids of the campaign")
    elif known:
        if unknown := in_run - known:
            what = f"{len(unknown)} unknown topics: {first_few(unknown)}"
            yield Problem(path, what, "correct the ids, or remove the topics", "warning")
        if missing := counting - in_run:
            number = f"{len(missing)} of {len(counting)} topics"
            what = f"{number} have no documents and score 0: {first_few(missing)}"
            yield Problem(path, what, "add documents for every topic", "warning")


def _same_rankings(runs: Sequence[Run], *, topics: Sequence[int]) -> Iterator[Finding]:
    rankings = {}
    for run in runs:
        documents = np.split(run.rows.document, np.cumsum(run.rows.group_size)[:-1])
        groups = zip(run.rows.group_topic.tolist(), documents, strict=True)
        bytes_of = {topic: ids.tobytes() for topic, ids in groups}
        rankings[run.path] = b"|".join(bytes_of.get(topic, b"") for topic in topics)
    for path, others in identical(rankings).items():
        what = f"ranks the same documents in the same order as {', '.join(map(run_name, others))}"
        fix = "check that this is the right file"
        yield from findings([Problem(path, what, fix, "warning")], "run", run_name(path))


def _retrieved(runs: Sequence[Run], reader: RunReader) -> Labelled:
    topics = reader.topics()
    starts, text = reader.documents()
    documents = [text[a:b].decode("utf-8", "replace") for a, b in pairwise(starts.tolist())]
    return {
        (topics[topic], documents[document])
        for run in runs
        for topic, document in zip(run.rows.topic.tolist(), run.rows.document.tolist(), strict=True)
    }


def _people(inputs: Inputs, *, topics: set[str]) -> Iterator[Finding]:
    scored = {*map(run_name, inputs.runs), *inputs.made}
    names = KnownNames(topics=sorted(topics), runs=sorted(scored))
    for name, paths in inputs.people.items():
        try:
            PEOPLE[name](paths, known=names)
        except InputError as error:
            yield from findings(error.problems, "people", name)


@dataclass(frozen=True)
class TeamAssignment:
    """The team of each run, '' for none; None if the config does not set `runs.team`."""

    teams: dict[str, str] | None = None
    problems: tuple[Finding, ...] = ()
    unaffiliated: frozenset[str] = frozenset()  # runs that match runs.team.none


def assign_teams(
    runs: Sequence[Path], *, settings: Teams | None, table: Path | None
) -> TeamAssignment:
    """The teams of the runs, and the findings about them."""
    if settings is None or (settings.table is not None and table is None):  # the table is missing
        return TeamAssignment()
    try:
        teams = teams_of({run_name(path): str(path) for path in runs}, given=settings, table=table)
        listed = read_table(table) if table else {}
        unaffiliated = frozenset(run for run in teams if is_unaffiliated(settings, run))
    except InputError as error:
        file = table or Path("runs.team")
        return TeamAssignment(None, tuple(findings((p.at(file) for p in error.problems), "teams")))
    problems: list[Finding] = []
    for path in runs:
        run = run_name(path)
        if not teams[run] and run not in unaffiliated:
            problems += findings([_no_team(path, settings)], "run", run)
    if table and (others := listed.keys() - teams.keys()):
        number = f"{len(others)} of its {len(listed)} runs"
        what = f"{number} are not among the run files: {first_few(others)}"
        fix = "correct the names or add the runs; such lines have no effect"
        problems += findings([Problem(table, what, fix, "warning")], "teams")
    return TeamAssignment(teams, tuple(problems), unaffiliated)


def _no_team(path: Path, settings: Teams) -> Problem:
    if settings.table is not None:
        fix = "add a line with the run and its team, or rename the file"
        return Problem(path, f"{settings.description} has no such run", fix, "warning")
    where, verb = ("path", "move") if settings.path is not None else ("name", "rename")
    what = f"{settings.description} finds no team in this {where}"
    return Problem(path, what, f"widen the expression, or {verb} the file", "warning")
