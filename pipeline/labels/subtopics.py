"""Judgements by subtopic, as in TREC's diversity tasks.

The second column of the label file names the subtopic. Subtopic 0 means "judged, and relevant to no
subtopic", as in TREC 2009. A document judged for one subtopic of a topic is judged for all of them:
without a line it has the worst label, as in ndeval.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.labels.judgements import Judgements, check_scale, on_scale, resolve_conflict
from pipeline.labels.qrels import Qrels, read_qrels
from pipeline.storage.text import cut, natural, number, read_fields

NONE = "0"
UNUSED = ("q0", "Q0")  # the second column of files without subtopics
SUBTOPIC_LINE = "topic subtopic document label"
INTENTS_LINE = "topic subtopic weight"
TOLERANCE = 1e-3  # of a sum of weights, so that a third may be written as .333

Weights = Mapping[str, Mapping[str, float]]  # topic -> subtopic -> P(s)


def read(
    files: Sequence[Path], *, scale: Scale, conflict: str, intents: Path | None = None
) -> Judgements:
    """Read label files by subtopic, and the weights of subtopics from `intents`."""
    labels: dict[tuple[str, str, str], list[tuple[float, Path, int]]] = {}
    for path in files:
        qrels = read_qrels(path)
        check_scale(qrels, scale)
        _check_subtopics(qrels, scale)
        rows = zip(
            qrels.topic, qrels.document, qrels.second, qrels.label.tolist(), qrels.line, strict=True
        )
        for topic, document, subtopic, value, line in rows:
            labels.setdefault((topic, document, subtopic), []).append((value, path, line))
    by_document: defaultdict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for key, values in labels.items():
        by_document[key[:2]][key[2]] = resolve_conflict(values, key, conflict, scale)
    names: defaultdict[str, set[str]] = defaultdict(set)
    for (topic, _), by_subtopic in by_document.items():
        names[topic] |= by_subtopic.keys() - {NONE}
    if not any(names.values()):
        what = f"no line has a subtopic in its second column, only '{NONE}'"
        fix = f"write lines of '{SUBTOPIC_LINE}', or set subtopics of the dimension to false"
        raise InputError(Problem(files[0], what, fix))
    weights = None
    if intents is not None:
        weights = read_intents(intents)
        _check_weights(intents, weights, by_document, scale)
        for topic in names:
            names[topic] |= weights[topic].keys()
    return _judgements(by_document, names, weights, scale)


def _judgements(
    by_document: Mapping[tuple[str, str], Mapping[str, float]],
    names: Mapping[str, set[str]],
    weights: Weights | None,
    scale: Scale,
) -> Judgements:
    """The best label of each judged document, and its label in each subtopic of its topic."""
    subtopics = {topic: sorted(names[topic], key=natural) for topic in sorted(names, key=natural)}
    order = {topic: place for place, topic in enumerate(subtopics)}
    rows = sorted(by_document, key=lambda pair: (order[pair[0]], pair[1]))
    worst, best = (scale.highest, min) if scale.better == "low" else (scale.lowest, max)
    label: list[float] = []
    each: list[float] = []
    for topic, document in rows:
        labels = by_document[topic, document]
        judged = {key: value for key, value in labels.items() if value not in scale.cannot_judge}
        label.append(best(judged.values()) if judged else next(iter(labels.values())))
        each += [judged.get(subtopic, worst) for subtopic in subtopics[topic]]
    flat = np.array(each, float)
    topics, documents = [topic for topic, _ in rows], [document for _, document in rows]
    return replace(
        on_scale(topics, documents, np.array(label), scale),
        subtopics={
            topic: {name: weights[topic].get(name, 0.0) if weights else None for name in names}
            for topic, names in subtopics.items()
        },
        size=np.array([len(subtopics[topic]) for topic in topics], np.int64),
        each={"label": flat, "binary": scale.binary(flat), "gain": scale.gain(flat)},
    )


def _check_subtopics(qrels: Qrels, scale: Scale) -> None:
    """Refuse a line that is not a judgement by subtopic."""
    relevant = scale.binary(qrels.label) == 1
    for place, subtopic in enumerate(qrels.second):
        if subtopic in UNUSED:
            what = f"'{subtopic}' is not a subtopic"
        elif subtopic == NONE and relevant[place]:
            what = f"the label {qrels.label[place]:g} is relevant, but subtopic '{NONE}' means "
            what += "relevant to no subtopic"
        else:
            continue
        fix = "name the subtopic in the second column, or set subtopics of the dimension to false"
        raise InputError(Problem(qrels.path, what, fix, line=qrels.line[place]))


def read_intents(path: Path) -> dict[str, dict[str, float]]:
    """The weight P(s) of each subtopic of a topic, from lines of topic, subtopic and weight."""
    weights: defaultdict[str, dict[str, float]] = defaultdict(dict)
    first: dict[str, int] = {}
    for line, fields in read_fields(path, what="intents file", line=INTENTS_LINE):
        if len(fields) != 3:
            what = f"{len(fields)} fields where an intents line has 3 ('{INTENTS_LINE}')"
            raise InputError(Problem(path, what, "correct the line", line=line))
        topic, subtopic, text = fields
        weight = number(text)
        if not 0 <= weight <= 1:
            what = f"'{cut(text)}' is not the weight of a subtopic"
            raise InputError(Problem(path, what, "it must be a number from 0 to 1", line=line))
        if subtopic in weights[topic]:
            what = f"subtopic '{subtopic}' of topic '{topic}' has a weight already"
            raise InputError(Problem(path, what, "remove one", line=line))
        weights[topic][subtopic] = weight
        first.setdefault(topic, line)
    for topic, by_subtopic in weights.items():
        if abs((total := sum(by_subtopic.values())) - 1) > TOLERANCE:
            what = f"the weights of topic '{topic}' sum to {total:g}"
            raise InputError(Problem(path, what, "make them sum to 1", line=first[topic]))
    return dict(weights)


def _check_weights(
    path: Path,
    weights: Weights,
    by_document: Mapping[tuple[str, str], Mapping[str, float]],
    scale: Scale,
) -> None:
    """Require weights for each judged topic and each subtopic with a relevant document."""
    for (topic, document), labels in by_document.items():
        if topic not in weights:
            what = f"no weight for topic '{topic}', which has labels"
            raise InputError(Problem(path, what, "add its subtopics"))
        for subtopic, label in labels.items():
            missing = subtopic != NONE and subtopic not in weights[topic]
            if missing and scale.binary(np.array([label]))[0] == 1:
                what = f"no weight for subtopic '{subtopic}' of topic '{topic}', to which "
                what += f"document '{document}' is relevant"
                raise InputError(Problem(path, what, "add it (0 to ignore the subtopic)"))
