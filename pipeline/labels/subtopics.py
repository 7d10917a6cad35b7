"""Judgements by subtopic: which of a topic's needs a document meets, as in TREC's diversity tasks.

The second column of the label file names the subtopic. Subtopic 0 is none: TREC 2009 writes
"judged, and relevant to no subtopic" so. A document judged for one subtopic is judged for all of
its topic: where it has no line it has the worst label, as ndeval takes it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.labels.judgements import Judgements, check_scale, on_scale, settle
from pipeline.labels.qrels import Qrels, read_qrels
from pipeline.storage.text import cut, natural, number, read_fields

NONE = "0"
UNUSED = ("q0", "Q0")  # what files without subtopics write there
SUBTOPIC_LINE = "topic subtopic document label"
INTENTS_LINE = "topic subtopic weight"
TOLERANCE = 1e-3  # of a sum of weights: three digits of a third are enough

Weights = Mapping[str, Mapping[str, float]]  # topic -> subtopic -> P(s)


def read(
    files: Sequence[Path], *, scale: Scale, conflict: str, intents: Path | None = None
) -> Judgements:
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
        what = f"no line has a subtopic in its second column, only '{NONE}'"
        fix = f"give labels by subtopic ('{SUBTOPIC_LINE}'), or set the dimension's subtopics to "
        raise InputError(Problem(files[0], what, f"{fix}false"))
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
) -> Judgements:
    """Every judged document: its best label, and its label in each subtopic of its topic."""
    subtopics = {topic: sorted(names[topic], key=natural) for topic in sorted(names, key=natural)}
    order = {topic: place for place, topic in enumerate(subtopics)}
    rows = sorted(found, key=lambda place: (order[place[0]], place[1]))
    worst, best = (scale.highest, min) if scale.better == "low" else (scale.lowest, max)
    label: list[float] = []
    each: list[float] = []
    for topic, document in rows:
        given = found[topic, document]
        known = {key: value for key, value in given.items() if value not in scale.cannot_judge}
        label.append(best(known.values()) if known else next(iter(given.values())))
        each += [known.get(subtopic, worst) for subtopic in subtopics[topic]]
    flat = np.array(each, float)
    topics, documents = [topic for topic, _ in rows], [document for _, document in rows]
    return replace(
        on_scale(topics, documents, np.array(label), scale),
        subtopics={
            topic: {one: weights[topic].get(one, 0.0) if weights else None for one in every}
            for topic, every in subtopics.items()
        },
        size=np.array([len(subtopics[topic]) for topic in topics], np.int64),
        each={"label": flat, "binary": scale.binary(flat), "gain": scale.gain(flat)},
    )


def _check_subtopics(qrels: Qrels, scale: Scale) -> None:
    """Refuse what is not a judgement by subtopic."""
    relevant = scale.binary(qrels.label) == 1
    for place, subtopic in enumerate(qrels.second):
        if subtopic in UNUSED:
            what = f"'{subtopic}' is not a subtopic"
        elif subtopic == NONE and relevant[place]:
            what = f"the label {qrels.label[place]:g} is relevant, but subtopic '{NONE}' means "
            what += "relevant to no subtopic"
        else:
            continue
        fix = "name the subtopic in the second column, or set the dimension's subtopics to false"
        raise InputError(Problem(qrels.path, what, fix, line=qrels.line[place]))


def read_intents(path: Path) -> dict[str, dict[str, float]]:
    """How probable each subtopic of a topic is, P(s): topic, subtopic and weight a line."""
    weights: defaultdict[str, dict[str, float]] = defaultdict(dict)
    first: dict[str, int] = {}
    for line, fields in read_fields(path, what="intents file", line=INTENTS_LINE):
        if len(fields) != 3:
            what = f"{len(fields)} fields where an intents line has 3 ('{INTENTS_LINE}')"
            raise InputError(Problem(path, what, "correct the line", line=line))
        topic, subtopic, text = fields
        weight = number(text)
        if not 0 <= weight <= 1:
            what = f"'{cut(text)}' is not a weight of a subtopic"
            raise InputError(Problem(path, what, "it must be a number from 0 to 1", line=line))
        if subtopic in weights[topic]:
            what = f"subtopic '{subtopic}' of topic '{topic}' has a weight already"
            raise InputError(Problem(path, what, "remove one", line=line))
        weights[topic][subtopic] = weight
        first.setdefault(topic, line)
    for topic, given in weights.items():
        if abs(total := sum(given.values()) - 1) > TOLERANCE:
            what = f"the weights of topic '{topic}' sum to {total + 1:g}"
            raise InputError(Problem(path, what, "make them sum to 1", line=first[topic]))
    return dict(weights)


def _check_weights(
    path: Path, weights: Weights, found: Mapping[tuple[str, str], Mapping[str, float]], scale: Scale
) -> None:
    """Every judged topic must have weights, and every subtopic with a relevant document one."""
    for (topic, document), labels in found.items():
        if topic not in weights:
            what = f"no weight for topic '{topic}', which has labels"
            raise InputError(Problem(path, what, "add its subtopics"))
        for subtopic, label in labels.items():
            missing = subtopic != NONE and subtopic not in weights[topic]
            if missing and scale.binary(np.array([label]))[0] == 1:
                what = f"no weight for subtopic '{subtopic}' of topic '{topic}', to which "
                what += f"document '{document}' is relevant"
                raise InputError(Problem(path, what, "add it (0 if it shall not count)"))
