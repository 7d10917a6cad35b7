"""A first config for the files in a folder: what they seem to be, and what was guessed.

Every guess is a line of the config with a comment, and a sentence for the reader; nothing that the
files do not show is written. The result is checked as any config is before anyone sees it.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import Path

import numpy as np

from pipeline.errors import InputError
from pipeline.intake.folder import Folder, look, patterns
from pipeline.labels.guess import Guess, guess
from pipeline.labels.qrels import Qrels, read_qrels
from pipeline.labels.topics import read as read_topics
from pipeline.pages.collection import document_id, is_container
from pipeline.runs.trec import RunReader, run_name
from pipeline.storage.text import natural

# Parts of file names that tell what was judged; anything else is topicality.
DIMENSIONS = {
    "understandability": re.compile(r"under|read|compreh", re.IGNORECASE),
    "trustworthiness": re.compile(r"trust|cred|reliab", re.IGNORECASE),
    "topicality": re.compile(r""),
}
TEAMS = (r"^([^_]+)_", r"^([^-]+)-", r"^([^.]+)\.")
# How ids of a topics file become those of the labels, tried in this order.
RENAMES = (
    (r"^\D*0*(\d+)$", r"\1"),  # qtest12 or MB012 -> 12
    (r"^(\d+)\d{3}$", r"\1"),  # 101003, a variation of the need 101
    (r"^.*?[._-]([^._-]+)$", r"\1"),  # topic-A7 -> A7
)


@dataclass(frozen=True)
class Draft:
    """The text of a config, and what was guessed to write it."""

    text: str
    guessed: tuple[str, ...]


@dataclass(frozen=True)
class _Labels:
    dimension: str
    qrels: Qrels
    guess: Guess
    left: tuple[Path, ...]  # other label files of the same dimension


def draft(folder: Path, *, name: str | None = None) -> Draft:
    """A config for the files below a folder; paths are as seen from the working folder."""
    found = look(folder)
    if not found.runs:
        raise InputError(
            f"{folder}: no run found; runs have lines of 'topic Q0 document rank score tag'"
        )
    if not found.labels:
        raise InputError(f"{folder}: no labels found; they have lines of 'topic 0 document label'")
    said: list[str] = []
    name = name or re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("-._") or "mine"
    labelled = list(_labels(found.labels))
    lines = [
        "# Written by `fathom init`. Lines marked 'guessed' are guesses: put right what is wrong.",
        "# Every key is explained in the documentation; `fathom run <this file>` runs it.",
        "campaigns:",
        f"  {name}:",
        f"    title: {_quoted(name)}",
        *_runs(found, said),
        *_topics(found, labelled, said),
        *_pages(found, said),
        *_dimensions(labelled, found, said),
        *_measures(labelled, said),
    ]
    return Draft("\n".join(lines) + "\n", tuple(said))


def _runs(found: Folder, said: list[str]) -> Iterator[str]:
    names = [run_name(path) for path in found.runs]
    yield "    runs:"
    yield f"      files: {_listed(patterns(found.runs))}"
    team = team_pattern(names)
    if team is None:
        said.append(f"{len(names)} runs; no team, since the names show none")
        yield "      # team: '^([^_]+)_'   # an expression whose first group is the team"
        return
    teams = {match[1] for run in names if (match := re.search(team, run))}
    shown = ", ".join(sorted(teams)[:4]) + (", ..." if len(teams) > 4 else "")
    said.append(f"{len(names)} runs of {len(teams)} teams ({shown})")
    yield f"      team: '{team}'   # guessed: {len(teams)} teams, as {shown}"


def team_pattern(names: Sequence[str]) -> str | None:
    """The expression that finds a team in every name, several runs a team; None if there is none.

    >>> team_pattern(["rmit_a", "rmit_b", "uq_a"])
    '^([^_]+)_'
    >>> team_pattern(["bm25", "neural"])
    """
    for pattern in TEAMS:
        teams = [match[1] for name in names if (match := re.search(pattern, name))]
        if len(teams) == len(names) and 1 < len(set(teams)) < len(names):
            return pattern
    return None


def _topics(found: Folder, labelled: Sequence[_Labels], said: list[str]) -> Iterator[str]:
    judged = set(labelled[0].qrels.topic)
    if not found.topics:
        return
    ids = {path: set(read_topics(path)) for path in found.topics}
    best = max(ids, key=lambda path: (len(ids[path] & judged), str(path)))
    rename = None
    if not judged <= ids[best]:
        tries = [(path, *pair) for path in ids for pair in (*RENAMES, _prefixes(ids[path], judged))]
        fits = [one for one in tries if judged <= {re.sub(one[1], one[2], i) for i in ids[one[0]]}]
        if fits:
            best, *rename = fits[0]
    yield "    topics:"
    yield f"      file: {_quoted(str(best))}"
    if rename:
        old = min(ids[best], key=natural)
        new = re.sub(rename[0], rename[1], old)
        said.append(f"topics in {best}; its id '{old}' becomes '{new}', as in the labels")
        pair = f"{{match: {_single(rename[0])}, replace: {_single(rename[1])}}}"
        yield f"      id: {pair}   # guessed: {old} -> {new}"
    else:
        missing = len(judged - ids[best])
        lacks = f"; it lacks {missing} of the {len(judged)} judged topics" if missing else ""
        said.append(f"topics in {best}{lacks}")
    for other in sorted(set(ids) - {best}):
        yield f"      # also there: {other}"


def _prefixes(ids: Collection[str], judged: Collection[str]) -> tuple[str, str]:
    """From what all ids begin with to what all judged topics do: clef.test.7 -> qtest.7."""
    old, new = (_common(min(some), max(some)).rstrip("0123456789") for some in (ids, judged))
    return f"^{re.escape(old)}", new.replace("\\", r"\\")


def _common(a: str, b: str) -> str:
    """What two texts begin with; of a sorted list, its first and last say it for all."""
    return "".join(
        one for one, _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))
    )


def _pages(found: Folder, said: list[str]) -> Iterator[str]:
    if not found.pages:
        return
    if not _pages_of_runs(found):
        said.append(f"{len(found.pages)} page files are left out: no run has their documents")
        return
    yield "    pages:"
    yield f"      files: {_listed(_page_patterns(found.pages))}"
    yield "      documents: pooled   # pages of pooled documents only; or retrieved, or all"
    said.append(
        f"{len(found.pages)} page files; the dimension 'simulated' estimates understandability"
    )


def _page_patterns(pages: Sequence[Path]) -> list[str]:
    """One pattern an ending below the folder they share: pages come in many folders."""
    tops = {path.parent for path in pages}
    above = [set(top.parents) | {top} for top in tops]
    top = max(set.intersection(*above), key=lambda path: len(path.parts))
    endings = sorted({re.findall(r"(\.\w+(?:\.gz)?)?$", path.name)[0] or "" for path in pages})
    inner = "" if tops == {top} else "**/"
    return [f"{top}/{inner}*{ending}" for ending in endings]


def _dimensions(labelled: Sequence[_Labels], found: Folder, said: list[str]) -> Iterator[str]:
    yield "    dimensions:"
    for one in labelled:
        scale = one.guess.scale
        said.append(f"{one.dimension} in {one.qrels.path}: {one.guess.said}")
        yield f"      {one.dimension}:"
        yield f"        labels: {_quoted(str(one.qrels.path))}"
        yield f"        scale: [{scale.lowest:g}, {scale.highest:g}]   # guessed"
        other = "low if the lowest label is the best" if len(labelled) > 1 else "or low"
        yield f"        better: {scale.better}   # guessed; {other}"
        yield f"        threshold: {scale.threshold:g}   # guessed: the worst label that counts"
        if scale.cannot_judge:
            codes = ", ".join(f"{code:g}" for code in scale.cannot_judge)
            yield f"        cannot_judge: [{codes}]   # guessed: below 0 is no label"
        if _contradicts(one.qrels):
            said.append(f"{one.qrels.path} has documents with two labels; the first counts")
            yield "        conflict: first   # documents have two labels; or max, mean, error"
        for path in one.left:
            said.append(f"{path} is left out: {one.qrels.path} has more labels")
            yield f"        # left out: {path}"
    if found.pages and _pages_of_runs(found):
        yield "      simulated:   # understandability again, estimated from the pages alone"
        yield "        estimate: {index: fog, model: step, threshold: 12}   # years of school"


def _measures(labelled: Sequence[_Labels], said: list[str]) -> Iterator[str]:
    names = [one.dimension for one in labelled]
    chosen = ["AP", "P@10", "nDCG@10", "RBP(p=0.8)"]
    if "understandability" in names and names[0] == "topicality":
        chosen += ["uRBP(p=0.8)", "uRBPgr(p=0.8)"]
    if len(names) > 1:
        chosen += [f"RBP(p=0.8, on={other})" for other in names[1:]]
        chosen.append(f"H(RBP(p=0.8), {', '.join(f'{one}=1' for one in names)})")
    said.append(f"measures: {'; '.join(chosen)}")
    yield "    measures:   # `fathom measures` lists them all"
    yield from (f"      - {_quoted(one)}" for one in chosen)


def _labels(files: Sequence[Path]) -> Iterator[_Labels]:
    """The label file of each dimension: of several, the one that says most."""
    by_name: dict[str, list[Qrels]] = {name: [] for name in DIMENSIONS}
    for path in files:
        mine = next(one for one, words in DIMENSIONS.items() if words.search(path.name))
        by_name[mine].append(read_qrels(path))
    if not by_name["topicality"]:  # a campaign needs a first dimension, whatever its name
        first = next(name for name, found in by_name.items() if found)
        by_name = {"topicality": by_name.pop(first), **by_name}
    for name in ("topicality", *(name for name in DIMENSIONS if name != "topicality")):
        found = by_name.get(name, [])
        if found:
            best = max(found, key=lambda one: (len(np.unique(one.label)), len(one.label)))
            left = tuple(one.path for one in found if one is not best)
            yield _Labels(name, best, guess(best.label), left)


def _contradicts(qrels: Qrels) -> bool:
    seen: dict[tuple[str, str], float] = {}
    keys = zip(qrels.topic, qrels.document, strict=True)
    return any(
        seen.setdefault(key, value) != value
        for key, value in zip(keys, qrels.label.tolist(), strict=True)
    )


def _pages_of_runs(found: Folder) -> bool:
    """Whether pages belong to what the runs retrieve; of containers that is not known yet."""
    if any(is_container(path) for path in found.pages):
        return True
    reader = RunReader(order="score", depth=100, duplicates="first", bad_scores="last")
    reader.read(found.runs[0])
    starts, text = reader.documents()
    known = {text[a:b].decode() for a, b in pairwise(starts.tolist())}
    return any(document_id(path) in known for path in found.pages)


def _listed(names: Sequence[str]) -> str:
    return _quoted(names[0]) if len(names) == 1 else f"[{', '.join(map(_quoted, names))}]"


def _single(text: str) -> str:
    """An expression in single quotes, where a backslash is one."""
    return "'" + text.replace("'", "''") + "'"


def _quoted(text: str) -> str:
    """Text as YAML reads it back, whatever it holds: JSON is YAML."""
    return json.dumps(text, ensure_ascii=False)
