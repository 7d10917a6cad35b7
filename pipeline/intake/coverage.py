"""Labels of documents that (almost) no run retrieved: other document ids, topics or collection.

Labels come from pools of the runs, so about the same part of the labelled documents was retrieved
in every dimension. None retrieved is an error. Less than 1 in 20 (`FEW`), or than a tenth of the
share of the best dimension (`FALL`), is a warning. So are topics that only some dimensions have.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.errors import Problem, Severity
from pipeline.intake.findings import Finding, findings, first_few

FEW = 0.05
FALL = 0.1

Labelled = set[tuple[str, str]]  # topic and document; topic '' for any


def few_retrieved(
    labelled: Mapping[str, Labelled], *, files: Mapping[str, Sequence[Path]], retrieved: Labelled
) -> Iterator[Finding]:
    """The dimensions of whose labelled documents few were retrieved."""
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
            f"retrieved on the topic (labels have '{min(labels - documents or labels)}', runs "
            f"have '{min(documents)}')"
        )
        if name != best and part < FALL * share[best]:
            what += f"; of '{best}' {met[best]:,} of {len(labelled[best]):,} are"
        fix = "check that runs and labels use the same document ids and topics"
        severity: Severity = "warning" if met[name] else "error"
        yield from findings([Problem(files[name][0], what, fix, severity)], "labels", name)


def other_topics(
    labelled: Mapping[str, Labelled], *, files: Mapping[str, Sequence[Path]], counting: set[str]
) -> Iterator[Finding]:
    """The dimensions whose labels have other topics than those that count."""
    for name, pairs in labelled.items():
        labelled_topics = {topic for topic, _ in pairs if topic}
        if not labelled_topics or not counting:  # labelled by document alone, or nothing was read
            continue
        problems = []
        if extra := labelled_topics - counting:
            number = f"{len(extra)} of its {len(labelled_topics)} topics"
            what = f"{number} do not count, so their labels have no effect: {first_few(extra)}"
            problems.append((what, "correct the topic ids, or remove these labels"))
        if missing := counting - labelled_topics:
            number = f"{len(missing)} of the {len(counting)} topics that count"
            effect = "so all their documents are unjudged"
            what = f"{number} have no label here, {effect}: {first_few(missing)}"
            problems.append((what, "add labels, or remove the topics from the first dimension"))
        warnings = (Problem(files[name][0], what, fix, "warning") for what, fix in problems)
        yield from findings(warnings, "labels", name)
