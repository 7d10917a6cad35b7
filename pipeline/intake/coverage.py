"""Labels that (almost) no run meets: other document ids, other topics, another collection.

Labels come from pools of the runs, so a good part of them is of documents that some run retrieved,
and about the same part in every dimension. Reported are labels of which

- none is of a retrieved document, which evaluation refuses;
- less than 1 in 20 is (`FEW`); or
- less than a tenth of the share of the best-met dimension is (`FALL`);

and topics that only some dimensions have. Labels of topics that do not count have no effect, and a
topic that counts but has no label in a dimension has only unjudged documents there.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.errors import Problem, Severity
from pipeline.intake.findings import Finding, findings, some

FEW = 0.05
FALL = 0.1

Pairs = set[tuple[str, str]]  # topic and document; topic '' for any


def unmet(
    labelled: Mapping[str, Pairs], *, files: Mapping[str, Sequence[Path]], retrieved: Pairs
) -> Iterator[Finding]:
    """The dimensions of whose labels few are of retrieved documents."""
    either = retrieved | {("", document) for _, document in retrieved}
    met = {name: len(pairs & either) for name, pairs in labelled.items()}
    share = {name: met[name] / len(pairs) for name, pairs in labelled.items() if pairs}
    best = max(share, key=lambda name: share[name], default="")
    documents = {document for _, document in retrieved}
    for name, part in share.items():
        if part >= FEW and part >= FALL * share[best]:
            continue
        labels = {document for _, document in labelled[name]}
        what = (
            f"{met[name]:,} of {len(labelled[name]):,} labels are of documents that a run "
            f"retrieved in their topic (a label is of '{min(labels - documents or labels)}', a run "
            f"has '{min(documents)}')"
        )
        if name != best and part < FALL * share[best]:
            what += f"; of '{best}' {met[best]:,} of {len(labelled[best]):,} are"
        fix = "check that runs and labels use the same document ids and topics"
        severity: Severity = "warning" if met[name] else "error"
        yield from findings([Problem(files[name][0], what, fix, severity)], "labels", name)


def other_topics(
    labelled: Mapping[str, Pairs], *, files: Mapping[str, Sequence[Path]], counting: set[str]
) -> Iterator[Finding]:
    """The dimensions whose labels are of other topics than those that count."""
    for name, pairs in labelled.items():
        own = {topic for topic, _ in pairs if topic}
        if not own or not counting:  # labelled by document alone, or nothing was read
            continue
        problems = []
        if extra := own - counting:
            number = f"{len(extra)} of its {len(own)} topics"
            what = f"{number} do not count, so their labels are of no use: {some(extra)}"
            problems.append((what, "correct the topic ids, or leave them out"))
        if missing := counting - own:
            number = f"{len(missing)} of the {len(counting)} topics that count"
            effect = "so every document of theirs is unjudged"
            what = f"{number} have no label here, {effect}: {some(missing)}"
            problems.append((what, "add labels, or leave the topics out of the first dimension"))
        warnings = (Problem(files[name][0], what, fix, "warning") for what, fix in problems)
        yield from findings(warnings, "labels", name)
