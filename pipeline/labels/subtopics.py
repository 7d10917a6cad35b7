"""Judgements by subtopic: which of a topic's needs a document meets, as in TREC's diversity tasks.

The second column of the label file names the subtopic. Subtopic 0 is none: TREC 2009 writes
"judged, and relevant to no subtopic" so. A document judged for one subtopic is judged for all of
its topic: where it has no line it has the worst label, as ndeval takes it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.labels.qrels import Qrels, read_qrels
from pipeline.labels.scale import Scale
from pipeline.labels.settling import check_scale, settle
from pipeline.storage.text import cut, natural, number, read_fields

NONE = "0"
UNUSED = ("q0", "Q0")  # what files without subtopics write there
SUBTOPIC_LINE = "topic subtopic document label"
INTENTS_LINE = "topic subtopic weight"
TOLERANCE = 1e-3  # of a sum of weights: three digits of a third are enough

Weights = Mapping[str, Mapping[str, float]]  # topic -> subtopic -> P(s)


@dataclass(frozen=True)
class Judged:
    """Every judged document: its best label, and its label in each subtopic of its topic."""

    topic: list[str]
    document: list[str]
    label: NDArray[np.float64]
    each: list[list[float]]  # in the order of `subtopics` of its topic
    subtopics: Mapping[str, Sequence[str]]  # of each topic
    weights: Weights | None


def read(
    files: Sequence[Path], *, scale: Scale, conflict: str, intents: Path | None = None
) -> Judged:
    """Read label files by subtopic, and how probable each subtopic is, if a file says so."""
    chosen: dict[tuple[str, str, str], list[tuple[float, Path, int]]] = {}
    for path in files:
        qrels = read_qrels(path)
        check_scale(qrels, scale)
        _check_subtopics(qrels, scale)
        rows = zip(
            qrels.topic, qrels.document, qrels.second, qrels.label.tolist(), qrels.line, strict=True
        )
        for topic, document, subtopic, value, line in rows:
            chosen.setdefault((topic, document, subtopic), []).append((value, path, line))
    found: defaultdict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for place, given in chosen.items():
        found[place[:2]][place[2]] = settle(given, place, conflict, scale)
    names: defaultdict[str, set[str]] = defaultdict(set)
    for (topic, _), labels in found.items():
        names[topic] |= labels.keys() - {NONE}
    if not any(names.values()):
        raise InputError(
            f"{files[0]}: no line has a subtopic in its second column, only '{NONE}'; give labels "
            f"by subtopic ('{SUBTOPIC_LINE}'), or set the dimension's subtopics to false"
        )
    weights = None
    if intents is not None:
        weights = read_intents(intents)
        _check_weights(intents, weights, found, scale)
        for topic in names:
            names[topic] |= weights[topic].keys()
    return _judged(found, names, weights, scale)


def _judged(
    found: Mapping[tuple[str, str], Mapping[str, float]],
    names: Mapping[str, set[str]],
    weights: Weights | None,
    scale: Scale,
) -> Judged:
    subtopics = {topic: sorted(names[topic], key=natural) for topic in sorted(names, key=natural)}
    order = {topic: place for place, topic in enumerate(subtopics)}
    rows = sorted(found, key=lambda place: (order[place[0]], place[1]))
    worst, best = scale.lowest, max
    if scale.better == "low":
        worst, best = scale.highest, min
    label, each = [], []
    for topic, document in rows:
        given = found[topic, document]
        known = {key: value for key, value in given.items() if value not in scale.cannot_judge}
        label.append(best(known.values()) if known else next(iter(given.values())))
        each.append([known.get(subtopic, worst) for subtopic in subtopics[topic]])
    topics, documents = [topic for topic, _ in rows], [document for _, document in rows]
    return Judged(topics, documents, np.array(label), each, subtopics, weights)


def _check_subtopics(qrels: Qrels, scale: Scale) -> None:
    """Refuse what is no judgement by subtopic."""
    relevant = scale.binary(qrels.label) == 1
    for place, subtopic in enumerate(qrels.second):
        if subtopic in UNUSED or (subtopic == NONE and relevant[place]):
            told = (
                f"'{subtopic}' is no subtopic"
                if subtopic in UNUSED
                else f"the label {qrels.label[place]:g} is relevant, but subtopic '{NONE}' means "
                "relevant to no subtopic"
            )
            raise InputError(
                f"{qrels.path}, line {qrels.line[place]}: {told}; name the subtopic in the second "
                "column, or set the dimension's subtopics to false"
            )


def read_intents(path: Path) -> dict[str, dict[str, float]]:
    """How probable each subtopic of a topic is, P(s): topic, subtopic and weight a line."""
    weights: defaultdict[str, dict[str, float]] = defaultdict(dict)
    first: dict[str, int] = {}
    for line, fields in read_fields(path, what="intents file", line=INTENTS_LINE):
        if len(fields) != 3:
            raise InputError(
                f"{path}, line {line}: {len(fields)} fields where an intents line has 3 "
                f"('{INTENTS_LINE}'); correct the line"
            )
        topic, subtopic, text = fields
        weight = number(text)
        if not 0 <= weight <= 1:
            raise InputError(
                f"{path}, line {line}: '{cut(text)}' is no weight of a subtopic; "
                "it must be a number from 0 to 1"
            )
        if subtopic in weights[topic]:
            raise InputError(
                f"{path}, line {line}: subtopic '{subtopic}' of topic '{topic}' has a weight "
                "already; remove one"
            )
        weights[topic][subtopic] = weight
        first.setdefault(topic, line)
    for topic, given in weights.items():
        if abs(total := sum(given.values()) - 1) > TOLERANCE:
            raise InputError(
                f"{path}, line {first[topic]}: the weights of topic '{topic}' sum to "
                f"{total + 1:g}; make them sum to 1"
            )
    return dict(weights)


def _check_weights(
    path: Path,
    weights: Weights,
    found: Mapping[tuple[str, str], Mapping[str, float]],
    scale: Scale,
) -> None:
    """Every judged topic must have weights, and every subtopic with a relevant document one."""
    for (topic, document), labels in found.items():
        if topic not in weights:
            raise InputError(
                f"{path}: no weight for topic '{topic}', which has labels; add its subtopics"
            )
        for subtopic, label in labels.items():
            missing = subtopic != NONE and subtopic not in weights[topic]
            if missing and scale.binary(np.array([label]))[0] == 1:
                raise InputError(
                    f"{path}: no weight for subtopic '{subtopic}' of topic '{topic}', to which "
                    f"document '{document}' is relevant; add it (0 if it shall not count)"
                )
