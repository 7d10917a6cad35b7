"""The intake desk: all that is wrong or odd with what was handed in, without evaluating it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pyarrow as pa

from pipeline.errors import InputError
from pipeline.intake.meeting import other_topics, unmet
from pipeline.intake.people import answers
from pipeline.intake.problem import Problem, in_order, odd, some, wrong
from pipeline.intake.reading import read_all
from pipeline.intake.teams import assigned
from pipeline.labels.qrels import QRELS_LINE
from pipeline.labels.reading import Labels
from pipeline.labels.tables import tabulate
from pipeline.labels.topics import Topics
from pipeline.labels.topics import read as read_topics
from pipeline.runs.format import FORMATS
from pipeline.runs.teams import Teams
from pipeline.runs.trec import RUN_LINE, Run, RunReader, run_name


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What is read, and the policies it is read under."""

    runs: Sequence[Path]
    labels: Mapping[str, Sequence[Path]]
    topics: Path | None
    form: str
    team: Teams | None
    order: str
    depth: int
    duplicates: str
    bad_scores: str
    topics_from: str  # whose topics count: `labels` (of the first dimension) or `topics`
    team_table: Path | None = None
    further: Sequence[str] = ()  # of the labels those that measures do not read
    intents: Mapping[str, Path | None] = field(default_factory=dict)  # weights of subtopics
    people: Mapping[str, Sequence[Path]] = field(default_factory=dict)  # what they were asked
    made: Sequence[str] = ()  # runs that no file holds: baselines and fused ones


def inspect(desk: Desk, *, settings: Mapping[str, Labels], topics: Topics | None) -> list[Problem]:
    """All problems, of topics and labels first, then run by run."""
    found: list[Problem] = []
    asked = _topics(desk, topics, found)
    labelled = {
        name: _labels(name, files, settings[name], found, intents=desk.intents.get(name))
        for name, files in desk.labels.items()
    }
    first = next(iter(labelled.values()), set())
    counting = asked if desk.topics_from == "topics" else {topic for topic, _ in first}
    known = asked | {topic for pairs in labelled.values() for topic, _ in pairs}
    readers = {order: _reader(desk, order) for order in {desk.order, "score64"}}
    runs: list[Run] = []
    for path in sorted(desk.runs, key=lambda one: (run_name(one), str(one))):
        run = _run(path, desk=desk, readers=readers, counting=counting, known=known, found=found)
        if run is not None:
            runs.append(run)
    found += _together(desk, runs)
    found += assigned(desk.runs, given=desk.team, table=desk.team_table).problems
    own = {name: pairs for name, pairs in labelled.items() if name not in desk.further}
    if retrieved := _retrieved(runs, readers[desk.order]):
        found += unmet(own, files=desk.labels, retrieved=retrieved)
    found += other_topics(own, files=desk.labels, counting=counting)
    scored = {*map(run_name, desk.runs), *desk.made}
    found += answers(desk.people, topics=counting, runs=scored)
    return in_order(found)


def _topics(desk: Desk, given: Topics | None, found: list[Problem]) -> set[str]:
    if desk.topics is None or given is None:
        return set()
    read, told = read_all(
        desk.topics,
        lambda path: read_topics(path, match=given.match, replace=given.replace, query=given.query),
        what="topics file",
        line="id<TAB>query",
    )
    for line, what, fix in told:
        found.append(wrong("topics", "", desk.topics, line, what, fix))
    return set(read or ())


def _labels(
    name: str,
    files: Sequence[Path],
    given: Labels,
    found: list[Problem],
    *,
    intents: Path | None = None,
) -> set[tuple[str, str]]:
    """The (topic, document) pairs that have a label."""
    pairs: set[tuple[str, str]] = set()
    good = True
    for path in files:
        table, told = read_all(
            path,
            lambda one: _tabulated([one], given),
            what="qrels",
            line=QRELS_LINE,
        )
        good = good and not told
        for line, what, fix in told:
            found.append(wrong("labels", name, path, line, what, fix))
        if table is not None:
            topics = (topic or "" for topic in table["topic"].to_pylist())
            pairs |= set(zip(topics, table["document"].to_pylist(), strict=True))
    if good and (len(files) > 1 or intents):
        try:
            _tabulated(files, given, intents=intents)
        except InputError as error:  # files that contradict each other
            what, _, fix = str(error).rpartition("; ")
            found.append(wrong("labels", name, files[0], None, what, fix))
    scale = given.scale
    worst = scale.lowest if scale.better == "high" else scale.highest
    if scale.threshold == worst:
        found.append(
            odd(
                "labels",
                name,
                files[0],
                f"the threshold {scale.threshold:g} is the worst label, so every labelled "
                "document counts as relevant",
                f"raise dimensions.{name}.threshold, unless that is meant",
            )
        )
    return pairs


def _tabulated(files: Sequence[Path], given: Labels, *, intents: Path | None = None) -> pa.Table:
    return tabulate(
        files,
        scale=given.scale,
        key=given.key,
        conflict=given.conflict,
        subtopics=given.subtopics,
        intents=intents,
    )


def _reader(desk: Desk, order: str) -> RunReader:
    # Duplicates and bad scores are counted by the reader; the desk applies the policies itself.
    return RunReader(order=order, depth=desk.depth, duplicates="first", bad_scores="last")


def _run(
    path: Path,
    *,
    desk: Desk,
    readers: Mapping[str, RunReader],
    counting: set[str],
    known: set[str],
    found: list[Problem],
) -> Run | None:
    name = run_name(path)
    lines = FORMATS[desk.form]
    run, told = read_all(
        path,
        lambda copy: readers[desk.order].ranked(copy, lines(copy)),
        what="run",
        line=RUN_LINE,
    )
    found += [wrong("run", name, path, line, what, fix) for line, what, fix in told]
    if run is None:
        return None
    run = Run(name, path, run.rows, run.summary, run.tag)
    found += _policies(run, desk, lines(path))
    found += _answered(run, readers[desk.order].topics(), counting=counting, known=known)
    if not told and desk.order == "score":
        exact = readers["score64"].ranked(path, lines(path))
        lost = run.summary.tied - exact.summary.tied
        if lost > 0:
            found.append(
                odd(
                    "run", name, path,
                    f"{lost:,} of {run.summary.rows:,} scores are different, but equal as 32-bit "
                    "numbers, which trec_eval compares: their order is lost",
                    "scale the scores, or set policies.order to 'score64' or 'rank'",
                )
            )  # fmt: skip
    return run


def _policies(run: Run, desk: Desk, content: bytes) -> Iterator[Problem]:
    summary = run.summary
    if summary.duplicates:
        topic, _, document, *_ = _fields(content, summary.duplicate_line)
        what = f"document '{document}' is there twice in topic '{topic}'"
        told = what + _such(summary.duplicates)
        yield _settled(run, desk.duplicates, "duplicates", summary.duplicate_line, told, "first")
    if summary.bad_scores:
        score = _fields(content, summary.bad_score_line)[4]
        told = f"the score '{score}' is not finite" + _such(summary.bad_scores)
        yield _settled(run, desk.bad_scores, "bad_scores", summary.bad_score_line, told, "last")
    if summary.rows > 1 and summary.tied == summary.rows:
        yield odd(
            "run", run.name, run.path, "every document has the score of another: the order is "
            "that of the document ids", "send scores that say the order, or set policies.order "
            "to 'rank'",
        )  # fmt: skip
    elif summary.top10_differs:
        topics = "topic" if summary.top10_differs == 1 else "topics"
        yield odd(
            "run", run.name, run.path,
            f"ranks and scores disagree on the first ten of {summary.top10_differs:,} {topics}",
            f"make them agree; policies.order is '{desk.order}'",
        )  # fmt: skip


def _settled(run: Run, policy: str, key: str, line: int, told: str, repair: str) -> Problem:
    """Something that a policy lets through or not."""
    if policy == "error":
        fix = f"correct the lines, or set policies.{key} to '{repair}'"
        return wrong("run", run.name, run.path, line, told, fix)
    fix = f"nothing, if policies.{key} '{policy}' is meant"
    return odd("run", run.name, run.path, told, fix, line=line)


def _fields(content: bytes, line: int) -> list[str]:
    return content.split(b"\n")[line - 1].decode("utf-8", "replace").split()


def _such(lines: int) -> str:
    return f" (such lines: {lines:,})" if lines > 1 else ""


def _answered(
    run: Run, topics: Sequence[str], *, counting: set[str], known: set[str]
) -> Iterator[Problem]:
    mine = {topics[t] for t in run.rows.group_topic.tolist()}
    if not known:
        return
    if not mine & known:
        yield wrong(
            "run", run.name, run.path, None,
            f"shares no topic with labels or topics (it has {some(mine)}; they have "
            f"{some(known)})", "write the campaign's topic ids",
        )  # fmt: skip
        return
    if unknown := mine - known:
        yield odd(
            "run", run.name, run.path, f"{len(unknown)} unknown topics: {some(unknown)}",
            "correct the ids, or leave the topics out",
        )  # fmt: skip
    if missing := counting - mine:
        yield odd(
            "run", run.name, run.path,
            f"{len(missing)} of {len(counting)} topics have no answer and score 0: "
            f"{some(missing)}", "send documents for every topic",
        )  # fmt: skip


def _together(desk: Desk, runs: Sequence[Run]) -> Iterator[Problem]:
    """What only shows when runs are compared: equal names, equal rankings."""
    named: defaultdict[str, list[Path]] = defaultdict(list)
    for path in desk.runs:
        named[run_name(path)].append(path)
    for name, paths in named.items():
        for path in paths if len(paths) > 1 else ():
            others = ", ".join(str(other) for other in paths if other != path)
            yield wrong(
                "run", name, path, None, f"has the same name as {others}", "rename one of them"
            )
    same: defaultdict[bytes, list[Run]] = defaultdict(list)
    for run in runs:
        same[run.rows.topic.tobytes() + b"|" + run.rows.document.tobytes()].append(run)
    for group in same.values():
        for run in group if len(group) > 1 else ():
            others = ", ".join(other.name for other in group if other is not run)
            yield odd(
                "run", run.name, run.path,
                f"ranks the same documents in the same order as {others}",
                "ask the team whether the right file was sent",
            )  # fmt: skip


def _retrieved(runs: Sequence[Run], reader: RunReader) -> set[tuple[str, str]]:
    """Every topic and document of every run."""
    topics = reader.topics()
    starts, text = reader.documents()
    documents = [text[a:b].decode("utf-8", "replace") for a, b in pairwise(starts.tolist())]
    found: set[tuple[str, str]] = set()
    for run in runs:
        rows = zip(run.rows.topic.tolist(), run.rows.document.tolist(), strict=True)
        found |= {(topics[t], documents[d]) for t, d in rows}
    return found
