"""The 24 health topics of the demo: what each is called and what can be said of it.

Every topic has its words twice, as a neighbour would put it and as a specialist would, so that the
same fact can be written at any reading level. Phrases are noun phrases that fit after "such as" or
before a modal verb, `what` is a clause.
"""

from dataclasses import dataclass
from pathlib import Path

# What a page can be about; a query asks for one of them.
ASPECTS = ("signs", "causes", "tests", "care", "outlook")


@dataclass(frozen=True, kw_only=True)
class Topic:
    """One topic: names, an organ, and plain (then specialist) phrases for each aspect."""

    key: str
    query: str
    aspect: str
    name: str
    term: str
    part: str
    organ: str
    what: str
    process: str
    signs: tuple[str, ...]
    symptoms: tuple[str, ...]
    causes: tuple[str, ...]
    factors: tuple[str, ...]
    tests: tuple[str, ...]
    exams: tuple[str, ...]
    cures: tuple[str, ...]
    therapies: tuple[str, ...]
    harms: tuple[str, ...]
    sequelae: tuple[str, ...]
    expert: str


def _parse(block: str) -> Topic:
    """A topic from its block of `field: phrase; phrase` lines; the plain/specialist pair by `|`."""
    fields = dict(line.strip().split(": ", 1) for line in block.strip().splitlines())
    name, term = fields["name"].split(" | ")
    part, organ = fields["part"].split(" | ")
    what, process = fields["what"].split(" | ")

    def pair(field: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        plain, specialist = fields[field].split(" | ")
        return tuple(plain.split("; ")), tuple(specialist.split("; "))

    signs, symptoms = pair("signs")
    causes, factors = pair("causes")
    tests, exams = pair("tests")
    cures, therapies = pair("care")
    harms, sequelae = pair("outlook")
    return Topic(
        key=fields["key"],
        query=fields["query"],
        aspect=fields["aspect"],
        name=name,
        term=term,
        part=part,
        organ=organ,
        what=what,
        process=process,
        signs=signs,
        symptoms=symptoms,
        causes=causes,
        factors=factors,
        tests=tests,
        exams=exams,
        cures=cures,
        therapies=therapies,
        harms=harms,
        sequelae=sequelae,
        expert=fields["expert"],
    )


def _load() -> tuple[Topic, ...]:
    listed = Path(__file__).with_name("topics.txt").read_text("utf-8")
    return tuple(_parse(block) for block in listed.strip().split("\n\n"))


TOPICS = _load()
