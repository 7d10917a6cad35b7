"""What is wrong with what people preferred and how they rated: files that name runs and topics."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pipeline.errors import InputError
from pipeline.intake.problem import Problem, sentence_parts, wrong
from pipeline.people.reading import Known, read_preferences, read_ratings

READERS: Mapping[str, Callable[..., object]] = {
    "preferences": read_preferences,
    "satisfaction": read_ratings,
}


def answers(
    files: Mapping[str, Sequence[Path]], *, topics: Iterable[str], runs: Iterable[str]
) -> list[Problem]:
    """All that the comparison with people would refuse; `runs` are those that will be scored."""
    known = Known.of(topics=sorted(topics), runs=sorted(runs))
    found: list[Problem] = []
    for kind, paths in files.items():
        try:
            READERS[kind](paths, known=known)
        except InputError as error:
            found += [_problem(kind, sentence, paths) for sentence in str(error).split("\n")]
    return found


def _problem(kind: str, sentence: str, paths: Sequence[Path]) -> Problem:
    named = [path for path in paths if sentence.startswith((f"{path}, line ", f"{path}: "))]
    path = named[0] if named else paths[0]
    line, what, fix = sentence_parts(sentence, path=path)
    return wrong("people", kind, path, line, what, fix)
