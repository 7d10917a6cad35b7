"""What `fathom measures` shows: a row per measure to search, and one measure explained."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipeline.errors import InputError
from pipeline.measures.cwl.declare import FIGURES
from pipeline.measures.cwl.walk import WALK_FIGURES
from pipeline.measures.declaration import COMBINATIONS, READINGS, REGISTRY, Declaration
from pipeline.measures.expression import parse
from pipeline.measures.measure import Combined, IntentAware, Measure, Single
from pipeline.measures.reference import Entry, entries
from pipeline.measures.subtopics import OVER_SUBTOPICS

USUAL = ("topicality", "understandability", "trustworthiness")
CUTOFFS = {"none": "", "optional": "[@k]", "required": "@k"}
CWL = "Moffat, Bailey, Scholer & Thomas, TOIS 35(3), 2017"
INDENT = 14  # of the second column


class Row(NamedTuple):
    """A measure in the table."""

    measure: str
    what: str
    formula: str
    parameters: str
    source: str


def search(words: Sequence[str]) -> list[Row]:
    """The measures whose row or entry in the reference holds every word, whatever its case."""
    known = entries()
    rows = []
    for name, row in _rows():
        text = " ".join((*row, known[name].text if name in known else "")).lower()
        if all(word.lower() in text for word in words):
            rows.append(row)
    return rows


def _rows() -> Iterator[tuple[str, Row]]:
    """Name and row of every measure, then of what is written with a measure or model inside."""
    plain: dict[str, Row] = {}
    for name, declared in REGISTRY.items():
        shown = name + CUTOFFS[declared.cutoff]
        plain[name] = Row(shown, declared.title, declared.formula, _defaults(declared),
                          declared.citation)  # fmt: skip
    for name in ("uRBP", "uRBPgr"):
        measure = parse(name, dimensions=USUAL)
        assert isinstance(measure, Single)
        plain[name] = Row(f"{name}[@k]", entries()[name].title, measure.formula,
                          _defaults(measure.declaration), measure.citation)  # fmt: skip
    yield from sorted(plain.items(), key=lambda pair: (pair[0].lower(), pair[0]))
    for name, two in sorted(COMBINATIONS.items(), key=lambda pair: pair[0].lower()):
        yield name, Row(f"{name}(M, ...)", two.title, two.formula, "weights", two.citation)
    for name, over in OVER_SUBTOPICS.items():
        yield name, Row(f"{name}(M)", over.title, over.formula, "", over.citation)
    for name, figure in WALK_FIGURES.items():
        yield name, Row(f"{name}(user model)", figure.title, figure.formula, "", CWL)


def _defaults(declared: Declaration) -> str:
    return ", ".join(f"{key}={param.default}" for key, param in declared.params.items())


def explain(text: str) -> str:
    """What a measure computes, what it reads and when to use it; nothing if it is no measure."""
    # Any word of the text may be a dimension, so all of them are taken to exist.
    dimensions = [*dict.fromkeys([*USUAL, *re.findall(r"[a-z_]{4,}", text)])]
    try:
        measure = parse(text, dimensions=dimensions)
    except InputError:
        if set("(@") & set(text):  # a measure with an error, not a word to search for
            raise
        return ""
    base = measure.parts[0].declaration
    entry = _entry(measure, base)
    lines = [
        f"{measure.name}: {_title(measure, base, entry)}",
        _line("formula", measure.formula),
        _line("labels", _labels(measure)),
        _line("dimensions", ", ".join(measure.dimensions)),
    ]
    for key, param in base.params.items():
        lines.append(_line("parameter", param.explained(key).replace("`", "")))
    lines.append(_line("source", measure.citation))
    if entry:
        tools = "; ".join(f"{tool} {name}" for tool, name in entry.elsewhere.items())
        about = {"user model": entry.user, "when to use": entry.use, "other tools": tools}
        lines += [_line(name, words.replace("`", "")) for name, words in about.items() if words]
    return "\n".join(lines)


def _line(name: str, text: str) -> str:
    """A line of an explanation, long text wrapped in its column."""
    first = f"  {name:{INDENT - 2}}"
    return textwrap.fill(
        text, 100, initial_indent=first, subsequent_indent=" " * INDENT,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _entry(measure: Measure, base: Declaration) -> Entry | None:
    """The entry of the measure as it is written, or of the measure that it is made from."""
    head = re.split(r"\W", measure.name, maxsplit=1)[0]
    return entries().get(head) or entries().get(base.name)


def _title(measure: Measure, base: Declaration, entry: Entry | None) -> str:
    if isinstance(measure, Combined):
        return f"{measure.combination.title} of {base.title}"
    if isinstance(measure, IntentAware):
        return f"{base.title}, intent-aware"
    head = measure.name.split("(")[0]
    if entry and entry.title and head == entry.name and head not in FIGURES:
        return entry.title
    return f"{base.title} over {measure.combination.title}" if measure.combination else base.title


def _labels(measure: Measure) -> str:
    """How the labels of each dimension are read, said once if all are read alike."""
    reads = {name: reading for part in measure.parts for name, reading in part.readings.items()}
    words = {name: _reading(reading) for name, reading in reads.items()}
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    return "; ".join(f"{name} {word}" for name, word in words.items())


def _reading(reading: str) -> str:
    level = reading.removeprefix("rel=")
    return READINGS.get(reading) or f"binary: {level} and better labels are relevant"
