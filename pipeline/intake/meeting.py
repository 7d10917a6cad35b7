"""Labels that (almost) no run meets: other document ids, other topics, another collection.

Labels come from pools of the runs, so a good part of them is of documents that some run retrieved,
and about the same part in every dimension. Said are labels of which

- none is of a retrieved document, which evaluation refuses;
- less than 1 in 20 is (`FEW`); or
- less than a tenth of the share of the best-met dimension is (`FALL`);

and topics that only some dimensions know: labels of topics that do not count are of no use, and a
topic that counts without a label in a dimension has only unjudged documents there.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.intake.problem import Problem, odd, some, wrong

FEW = 0.05
FALL = 0.1

Pairs = set[tuple[str, str]]  # topic and document; topic '' for any


def unmet(
    labelled: Mapping[str, Pairs], *, files: Mapping[str, Sequence[Path]], retrieved: Pairs
) -> Iterator[Problem]:
    """The dimensions whose labels the runs hardly meet."""
    seen = retrieved | {("", document) for _, document in retrieved}
    met = {name: len(pairs & seen) for name, pairs in labelled.items()}
    share = {name: met[name] / len(pairs) for name, pairs in labelled.items() if pairs}
    best = max(share, key=lambda name: share[name], default="")
    for name, part in share.items():
        pairs = labelled[name]
        if part >= FEW and part >= FALL * share[best]:
            continue
        strangers = {document for _, document in pairs} - {document for _, document in retrieved}
        of, have = min(strangers or {d for _, d in pairs}), min(d for _, d in retrieved)
        told = (
            f"{met[name]:,} of {len(pairs):,} labels are of documents that a run retrieved in "
            f"their topic (a label is of '{of}', a run has '{have}')"
        )
        if name != best and part < FALL * share[best]:
            told += f"; of '{best}' {met[best]:,} of {len(labelled[best]):,} are"
        fix = "check that runs and labels use the same document ids and topics"
        if met[name]:
            yield odd("labels", name, files[name][0], told, fix)
        else:
            yield wrong("labels", name, files[name][0], None, told, fix)


def other_topics(
    labelled: Mapping[str, Pairs], *, files: Mapping[str, Sequence[Path]], counting: set[str]
) -> Iterator[Problem]:
    """The dimensions whose labels are of other topics than those that count."""
    for name, pairs in labelled.items():
        mine = {topic for topic, _ in pairs if topic}
        if not mine or not counting:  # labelled by document alone, or nothing was read
            continue
        if extra := mine - counting:
            yield odd(
                "labels", name, files[name][0],
                f"{len(extra)} of its {len(mine)} topics do not count, so their labels are of no "
                f"use: {some(extra)}", "correct the topic ids, or leave them out",
            )  # fmt: skip
        if lacking := counting - mine:
            yield odd(
                "labels", name, files[name][0],
                f"{len(lacking)} of the {len(counting)} topics that count have no label here, so "
                f"every document of theirs is unjudged: {some(lacking)}",
                "add labels, or leave the topics out of the first dimension",
            )  # fmt: skip
