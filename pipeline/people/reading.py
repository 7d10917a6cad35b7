"""People's preferences between runs, and their ratings of runs: strictly read, all errors at once.

A file of preferences has lines of `topic run_a run_b preferred`, the last being one of the two runs
or `tie`; a file of ratings has lines of `topic run rating`, higher being better. Either may name
the person in one more column: then several people may speak of the same thing.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipeline.errors import InputError
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.text import cut, number, read_fields

PREFERENCE_LINE = "topic run_a run_b preferred"
RATING_LINE = "topic run rating"
TIE = "tie"
MOST = 25  # sentences about one set of files
DIGITS = 12  # of a mean rating: people who gave the same must stay tied


@dataclass(frozen=True)
class Pairs:
    """Two runs on a topic, all by number: sign 1 where people prefer the first, -1 the second.

    Where it is 0 they prefer neither.
    """

    topic: Ints
    first: Ints
    second: Ints
    sign: Ints


class Line(NamedTuple):
    """A line of a file, and where it stands."""

    path: Path
    number: int
    fields: list[str]

    def __str__(self) -> str:
        return f"{self.path}, line {self.number}"


@dataclass(frozen=True)
class Known:
    """What the campaign has scores for: the place of each topic and run among them."""

    topics: Mapping[str, int]
    runs: Mapping[str, int]

    @classmethod
    def of(cls, *, topics: Sequence[str], runs: Sequence[str]) -> "Known":
        """From their names in order."""
        return cls(*({name: at for at, name in enumerate(names)} for names in (topics, runs)))

    def unknown(self, line: Line, *, topic: str, runs: Sequence[str]) -> Iterator[str]:
        """What is wrong with names that the campaign does not have."""
        if topic not in self.topics:
            yield (
                f"{line}: the topic '{cut(topic)}' is none that counts in this campaign; "
                f"{_near(topic, self.topics, 'remove the line')}"
            )
        for run in dict.fromkeys(runs):
            if run not in self.runs:
                yield (
                    f"{line}: the run '{cut(run)}' is not in this campaign; "
                    f"{_near(run, self.runs, 'write the name of its file without .gz')}"
                )


def read_preferences(files: Sequence[Path], *, known: Known) -> Pairs:
    """All preferences of the files, in their order."""
    told: list[str] = []
    seen: dict[tuple[str, frozenset[str], str], tuple[Line, str]] = {}
    rows: list[tuple[int, int, int, int]] = []
    for line in _lines(files, kind="preferences", form=PREFERENCE_LINE):
        fields = _fields(line, form=PREFERENCE_LINE, told=told)
        if fields is None:
            continue
        topic, a, b, preferred, person = fields
        wrong = [*known.unknown(line, topic=topic, runs=(a, b))]
        if a == b:
            wrong.append(f"{line}: run '{cut(a)}' is compared with itself; name two runs")
        elif preferred not in (a, b, TIE):
            wrong.append(
                f"{line}: the preferred '{cut(preferred)}' is neither '{cut(a)}' nor '{cut(b)}'; "
                f"write one of the two, or '{TIE}'"
            )
        key = (topic, frozenset((a, b)), person)
        before, said = seen.setdefault(key, (line, preferred))
        if before is not line:
            wrong.append(_again(line, before, f"'{cut(preferred)}'", f"'{cut(said)}'", person))
        told += wrong
        if not wrong:
            sign = 0 if preferred not in (a, b) else 1 if preferred == a else -1
            rows.append((known.topics[topic], known.runs[a], known.runs[b], sign))
    _refuse(told)
    if not any(sign for *_, sign in rows):
        raise InputError(
            f"{files[0]}: every preference is a {TIE}, so there is nothing to agree with; "
            "take the file out of the config"
        )
    return Pairs(*np.array(rows, np.int64).T)


def read_ratings(files: Sequence[Path], *, known: Known) -> Floats:
    """[run, topic]: the mean rating over people; NaN where nobody gave one."""
    told: list[str] = []
    seen: dict[tuple[str, str, str], tuple[Line, str]] = {}
    given: dict[tuple[int, int], list[float]] = {}
    for line in _lines(files, kind="satisfaction", form=RATING_LINE):
        fields = _fields(line, form=RATING_LINE, told=told)
        if fields is None:
            continue
        topic, run, text, person = fields
        wrong = [*known.unknown(line, topic=topic, runs=(run,))]
        rating = number(text)
        if np.isnan(rating):
            wrong.append(f"{line}: the rating '{cut(text)}' is not a number; correct it")
        before, said = seen.setdefault((topic, run, person), (line, text))
        if before is not line:
            wrong.append(_again(line, before, cut(text), cut(said), person))
        told += wrong
        if not wrong:
            given.setdefault((known.runs[run], known.topics[topic]), []).append(rating)
    _refuse(told)
    ratings = np.full((len(known.runs), len(known.topics)), np.nan)
    for place, values in given.items():
        ratings[place] = round(float(np.mean(values)), DIGITS)
    if not pairs_of(ratings).sign.any():
        raise InputError(
            f"{files[0]}: no topic has two runs with different ratings, so there is nothing to "
            "agree with; rate several runs on the same topic"
        )
    return ratings


def pairs_of(ratings: Floats) -> Pairs:
    """The pairs of runs that are rated on the same topic: the better rated is preferred."""
    first, second = np.triu_indices(len(ratings), k=1)
    gap = ratings[first] - ratings[second]
    pair, topic = np.nonzero(~np.isnan(gap))
    sign = np.sign(gap[pair, topic]).astype(np.int64)
    return Pairs(topic, first[pair], second[pair], sign)


def _lines(files: Sequence[Path], *, kind: str, form: str) -> Iterator[Line]:
    for path in files:
        for at, fields in read_fields(path, what=f"{kind} file", line=form):
            yield Line(path, at, fields)


def _fields(line: Line, *, form: str, told: list[str]) -> list[str] | None:
    """The columns with the person's, '' if there is none; None if their number is wrong."""
    most = len(form.split()) + 1
    if len(line.fields) not in (most - 1, most):
        told.append(
            f"{line}: has {len(line.fields)} columns; write '{form}', and the person if you like"
        )
        return None
    return [*line.fields, ""][:most]


def _again(line: Line, before: Line, now: str, then: str, person: str) -> str:
    where = f"line {before.number}" if before.path == line.path else str(before)
    who = f"by '{cut(person)}' " if person else ""
    fix = "keep one of them" + ("" if person else ", or name the people in one more column")
    if now == then:
        return f"{line}: the same {who}as {where}; {fix}"
    return f"{line}: {now} {who}contradicts {then} in {where}; {fix}"


def _near(name: str, known: Mapping[str, int], otherwise: str) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean '{close[0]}'?" if close else otherwise


def _refuse(told: Sequence[str]) -> None:
    if len(told) > MOST:
        told = [*told[:MOST], f"and {len(told) - MOST} more; correct these first"]
    if told:
        raise InputError("\n".join(told))
