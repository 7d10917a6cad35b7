"""Reading preferences between runs and ratings of runs, strictly and with all errors at once.

A line of a preferences file is `topic run_a run_b preferred`; the last is one of the two runs or
`tie`. A line of a satisfaction file is `topic run rating`; higher is better. Both may have the
person in one more column, so that several people can judge the same runs.
"""

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.text import cut, number, read_fields

PREFERENCE_LINE = "topic run_a run_b preferred"
RATING_LINE = "topic run rating"
TIE = "tie"
MOST = 25  # problems reported per set of files
DIGITS = 12  # of a mean rating, so that equal ratings stay tied

Complaint = tuple[str, str]  # what the problem is, and how to fix it


@dataclass(frozen=True)
class PreferencePairs:
    """Pairs of runs on topics, by number; sign 1 prefers the first, -1 the second, 0 neither."""

    topic: Ints
    first: Ints
    second: Ints
    sign: Ints


class KnownNames:
    """The topics and runs with scores, each with its position."""

    def __init__(self, *, topics: Sequence[str], runs: Sequence[str]) -> None:
        self.topics, self.runs = ({name: at for at, name in enumerate(s)} for s in (topics, runs))

    def unknown(self, topic: str, runs: Sequence[str]) -> Iterator[Complaint]:
        if topic not in self.topics:
            what = f"the topic '{cut(topic)}' does not count in this campaign"
            yield what, _near(topic, self.topics, "remove the line")
        for run in dict.fromkeys(runs):
            if run not in self.runs:
                fix = _near(run, self.runs, "write the name of the run file without .gz")
                yield f"the run '{cut(run)}' is not in this campaign", fix


def read_preferences(files: Sequence[Path], *, known: KnownNames) -> PreferencePairs:
    """All preferences of the files, in their order."""

    def check(runs: Sequence[str], preferred: str) -> Iterator[Complaint]:
        a, b = map(cut, runs)
        if runs[0] == runs[1]:
            yield f"run '{a}' is compared with itself", "name two runs"
        elif preferred not in (*runs, TIE):
            what = f"the preferred '{cut(preferred)}' is neither '{a}' nor '{b}'"
            yield what, f"write one of the two runs or '{TIE}'"

    rows = [
        (topic, known.runs[a], known.runs[b], (preferred == a) - (preferred == b))
        for topic, (a, b), preferred in _read(files, form=PREFERENCE_LINE, known=known, check=check)
    ]
    pairs = np.array(rows, np.int64)
    if not pairs[:, 3].any():
        what = f"every preference is a {TIE}, so no agreement can be computed"
        raise InputError(Problem(files[0], what, "remove the file from people.preferences"))
    return PreferencePairs(*pairs.T)


def read_ratings(files: Sequence[Path], *, known: KnownNames) -> Floats:
    """[run, topic]: the mean rating over people; NaN without a rating."""

    def check(_: Sequence[str], rating: str) -> Iterator[Complaint]:
        if np.isnan(number(rating)):
            yield f"the rating '{cut(rating)}' is not a number", "correct it, for example to 3"

    ratings_of: dict[tuple[int, int], list[float]] = {}
    for topic, (run,), rating in _read(files, form=RATING_LINE, known=known, check=check):
        ratings_of.setdefault((known.runs[run], topic), []).append(number(rating))
    ratings = np.full((len(known.runs), len(known.topics)), np.nan)
    for place, values in ratings_of.items():
        ratings[place] = round(float(np.mean(values)), DIGITS)
    if not pairs_of(ratings).sign.any():
        what = "no topic has two runs with different ratings, so no agreement can be computed"
        raise InputError(Problem(files[0], what, "rate several runs on the same topic"))
    return ratings


def pairs_of(ratings: Floats) -> PreferencePairs:
    """The pairs of runs rated on the same topic; the one with the higher rating is preferred."""
    first, second = np.triu_indices(len(ratings), k=1)
    gap = ratings[first] - ratings[second]
    pair, topic = np.nonzero(~np.isnan(gap))
    sign = np.sign(gap[pair, topic]).astype(np.int64)
    return PreferencePairs(topic, first[pair], second[pair], sign)


def _read(
    files: Sequence[Path],
    *,
    form: str,
    known: KnownNames,
    check: Callable[[Sequence[str], str], Iterator[Complaint]],
) -> list[tuple[int, list[str], str]]:
    """The position of the topic, the runs and the value of each line; all problems at once."""
    width = len(form.split())
    kind = "preferences file" if form == PREFERENCE_LINE else "satisfaction file"
    problems: list[Problem] = []
    first_lines: dict[tuple[str, frozenset[str], str], tuple[Path, int, str]] = {}
    rows = []
    lines = ((path, *line) for path in files for line in read_fields(path, what=kind, line=form))
    for path, at, fields in lines:
        if len(fields) not in (width, width + 1):
            what = f"has {len(fields)} columns"
            fix = f"write '{form}', optionally followed by the person"
            problems.append(Problem(path, what, fix, line=at))
            continue
        topic, *runs, value, person = [*fields, ""][: width + 1]
        complaints = [*known.unknown(topic, runs), *check(runs, value)]
        before = first_lines.setdefault((topic, frozenset(runs), person), (path, at, value))
        if before[:2] != (path, at):
            complaints.append(_again(path, value, before, person))
        problems += [Problem(path, what, fix, line=at) for what, fix in complaints]
        if not complaints:
            rows.append((known.topics[topic], runs, value))
    if len(problems) > MOST:
        more = Problem(files[0], f"has {len(problems) - MOST} more problems", "correct these first")
        problems = [*problems[:MOST], more]
    if problems:
        raise InputError(*problems)
    return rows


def _again(path: Path, value: str, before: tuple[Path, int, str], person: str) -> Complaint:
    where = f"line {before[1]}" if before[0] == path else f"{before[0]}, line {before[1]}"
    who = f"by '{cut(person)}' " if person else ""
    fix = "keep one of the lines" + ("" if person else ", or name the people in one more column")
    if value == before[2]:
        return f"the same {who}as {where}", fix
    return f"'{cut(value)}' {who}contradicts '{cut(before[2])}' in {where}", fix


def _near(name: str, known: Mapping[str, int], otherwise: str) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean '{close[0]}'?" if close else otherwise
