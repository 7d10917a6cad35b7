"""People's preferences between runs, and their ratings of runs: strictly read, all errors at once.

A file of preferences has lines of `topic run_a run_b preferred`, the last being one of the two runs
or `tie`; a file of ratings has lines of `topic run rating`, higher being better. Either may name
the person in one more column: then several people may speak of the same thing.
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
MOST = 25  # problems of one set of files
DIGITS = 12  # of a mean rating: people who gave the same must stay tied

Complaint = tuple[str, str]  # what is the matter, and its fix


@dataclass(frozen=True)
class Pairs:
    """Two runs on a topic, all by number: sign 1 where people prefer the first, -1 the second.

    Where it is 0 they prefer neither.
    """

    topic: Ints
    first: Ints
    second: Ints
    sign: Ints


class Known:
    """What the campaign has scores for: the place of each topic and run among them."""

    def __init__(self, *, topics: Sequence[str], runs: Sequence[str]) -> None:
        self.topics, self.runs = ({one: at for at, one in enumerate(s)} for s in (topics, runs))

    def unknown(self, topic: str, runs: Sequence[str]) -> Iterator[Complaint]:
        """Names that the campaign does not have."""
        if topic not in self.topics:
            what = f"the topic '{cut(topic)}' does not count in this campaign"
            yield what, _near(topic, self.topics, "remove the line")
        for run in dict.fromkeys(runs):
            if run not in self.runs:
                fix = _near(run, self.runs, "write the name of its file without .gz")
                yield f"the run '{cut(run)}' is not in this campaign", fix


def read_preferences(files: Sequence[Path], *, known: Known) -> Pairs:
    """All preferences of the files, in their order."""

    def check(runs: Sequence[str], preferred: str) -> Iterator[Complaint]:
        a, b = map(cut, runs)
        if runs[0] == runs[1]:
            yield f"run '{a}' is compared with itself", "name two runs"
        elif preferred not in (*runs, TIE):
            what = f"the preferred '{cut(preferred)}' is neither '{a}' nor '{b}'"
            yield what, f"write one of the two, or '{TIE}'"

    rows = [
        (topic, known.runs[a], known.runs[b], (preferred == a) - (preferred == b))
        for topic, (a, b), preferred in _read(files, form=PREFERENCE_LINE, known=known, check=check)
    ]
    pairs = np.array(rows, np.int64)
    if not pairs[:, 3].any():
        what = f"every preference is a {TIE}, so there is nothing to agree with"
        raise InputError(Problem(files[0], what, "take the file out of the config"))
    return Pairs(*pairs.T)


def read_ratings(files: Sequence[Path], *, known: Known) -> Floats:
    """[run, topic]: the mean rating over people; NaN where nobody gave one."""

    def check(_: Sequence[str], rating: str) -> Iterator[Complaint]:
        if np.isnan(number(rating)):
            yield f"the rating '{cut(rating)}' is not a number", "correct it"

    given: dict[tuple[int, int], list[float]] = {}
    for topic, (run,), rating in _read(files, form=RATING_LINE, known=known, check=check):
        given.setdefault((known.runs[run], topic), []).append(number(rating))
    ratings = np.full((len(known.runs), len(known.topics)), np.nan)
    for place, values in given.items():
        ratings[place] = round(float(np.mean(values)), DIGITS)
    if not pairs_of(ratings).sign.any():
        what = "no topic has two runs with different ratings, so there is nothing to agree with"
        raise InputError(Problem(files[0], what, "rate several runs on the same topic"))
    return ratings


def pairs_of(ratings: Floats) -> Pairs:
    """The pairs of runs that are rated on the same topic: the better rated is preferred."""
    first, second = np.triu_indices(len(ratings), k=1)
    gap = ratings[first] - ratings[second]
    pair, topic = np.nonzero(~np.isnan(gap))
    sign = np.sign(gap[pair, topic]).astype(np.int64)
    return Pairs(topic, first[pair], second[pair], sign)


def _read(
    files: Sequence[Path],
    *,
    form: str,
    known: Known,
    check: Callable[[Sequence[str], str], Iterator[Complaint]],
) -> list[tuple[int, list[str], str]]:
    """The place of the topic, the runs and the value of each line; all problems at once."""
    width = len(form.split())
    kind = "preferences file" if form == PREFERENCE_LINE else "satisfaction file"
    problems: list[Problem] = []
    seen: dict[tuple[str, frozenset[str], str], tuple[Path, int, str]] = {}
    rows = []
    lines = ((path, *line) for path in files for line in read_fields(path, what=kind, line=form))
    for path, at, fields in lines:
        if len(fields) not in (width, width + 1):
            what = f"has {len(fields)} columns"
            fix = f"write '{form}', and the person if you like"
            problems.append(Problem(path, what, fix, line=at))
            continue
        topic, *runs, value, person = [*fields, ""][: width + 1]
        found = [*known.unknown(topic, runs), *check(runs, value)]
        before = seen.setdefault((topic, frozenset(runs), person), (path, at, value))
        if before[:2] != (path, at):
            found.append(_again(path, value, before, person))
        problems += [Problem(path, what, fix, line=at) for what, fix in found]
        if not found:
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
    fix = "keep one of them" + ("" if person else ", or name the people in one more column")
    if value == before[2]:
        return f"the same {who}as {where}", fix
    return f"'{cut(value)}' {who}contradicts '{cut(before[2])}' in {where}", fix


def _near(name: str, known: Mapping[str, int], otherwise: str) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean '{close[0]}'?" if close else otherwise
