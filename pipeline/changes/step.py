"""The page and the table of changes. The text is in the template."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline.changes.effects import LIMIT, LabelEffect, label_effects
from pipeline.changes.versions import Changes, LabelChange, Version, compare_versions
from pipeline.gains.files import read as read_gains
from pipeline.measures import parse
from pipeline.report.markup import environment
from pipeline.results import Results
from pipeline.storage import sheets
from pipeline.storage.atomic import write_text

HEAD = (
    "kind", "dimension", "topic", "document", "measure", "run", "other_run", "before", "after",
    "change",
)  # fmt: skip
KINDS = ("added", "removed", "changed")
PAIRS = {"gained": "significant", "lost": "no longer significant", "reversed": "reversed"}
NAMED = 50  # labels on the page; changes.csv has all


def write(
    results: Results,
    before: Path,
    *,
    dimensions: Sequence[str],
    scored: bool = False,
    costed: bool = False,
    title: str,
    contrast: Sequence[str],
    unjudged: str,
    alpha: float,
) -> None:
    """Compare the results with a baseline version and write changes.html and changes.csv.

    `scored` and `costed` say whether a contrasted measure needs the scores of the runs or costs.
    """
    changes = compare_versions(Version(before), Version(results.folder), alpha=alpha)
    effects: list[LabelEffect] = []
    if changes.labels:
        effects = label_effects(
            changes.labels,
            measures=[parse(name, dimensions=dimensions) for name in dict.fromkeys(contrast)],
            gains=read_gains(
                {name: results.gains(name) for name in dimensions},
                scores=results.ties if scored else None,
                costs=results.costs if costed else None,
            ),
            subtopics=changes.after.subtopics,
            rankings=results.rankings,
            condensed=dimensions[0] if unjudged == "condensed" else None,
        )
    sheets.write(results.changes, HEAD, _rows(changes, effects))
    contrasted = [name for name in dict.fromkeys(contrast) if name in changes.measures]
    contrasted = contrasted or list(changes.measures[:1])
    template = environment(Path(__file__).parent).get_template("changes.html.j2")
    html = template.render(
        title=title,
        changes=changes,
        kinds=Counter(label.kind for label in changes.labels),
        topics=len({label.topic for label in changes.labels}),
        measures=contrasted,
        pairs=Counter((pair.measure, pair.kind) for pair in changes.pairs),
        effects=effects,
        limit=LIMIT,
        tables=_tables(changes, effects, contrasted),
    )
    write_text(results.changes_page, html)


def _rows(changes: Changes, effects: Sequence[LabelEffect]) -> Iterator[dict[str, Any]]:
    """One row per changed label, mean, rank and pair, and per effect of a label."""
    for label in changes.labels:
        yield {"kind": f"label {label.kind}", **_label(label)}
    for effect in effects:
        place = {**_label(effect.change), "before": "", "after": "", "measure": effect.measure}
        place |= {"kind": "effect of a label", "run": effect.run}
        yield place | {"change": f"{effect.largest:.9f}"}
    for measure in changes.measures:
        for move in changes.moved(measure):
            place = {"measure": measure, "run": move.run}
            means = {"before": repr(move.before), "after": repr(move.after)}
            yield {"kind": "mean", **place, **means, "change": f"{move.change:.9f}"}
        for move in changes.moves[measure]:
            if move.climb:
                place = {"measure": measure, "run": move.run}
                ranks = {"before": move.rank_before, "after": move.rank_after}
                yield {"kind": "rank", **place, **ranks, "change": move.climb}
    for pair in changes.pairs:
        runs = {"run": pair.better, "other_run": pair.worse, "change": PAIRS[pair.kind]}
        yield {"kind": "pair", "measure": pair.measure, **runs}


def _label(change: LabelChange) -> dict[str, str]:
    return {name: "" if v is None else str(v) for name, v in change._asdict().items()}


def _tables(
    changes: Changes, effects: Sequence[LabelEffect], measures: Sequence[str]
) -> dict[str, Any]:
    """The rows of the page's tables; `moved` and `topics` by measure."""
    counts = Counter((c.dimension, c.topic or "every", c.kind) for c in changes.labels)
    labels = [
        {"dimension": name, "topic": topic, **{k: str(counts[name, topic, k]) for k in KINDS}}
        for name, topic in dict.fromkeys((name, topic) for name, topic, _ in counts)
    ]
    most = [
        {"measure": effect.measure, **_label(effect.change), "mean_change": f"{effect.mean:.6f}"}
        | {"run": effect.run, "its_change": f"{effect.largest:+.6f}"}
        for effect in effects[:NAMED]
    ]
    pairs = [
        {"measure": p.measure, "better": p.better, "worse": p.worse, "change": PAIRS[p.kind]}
        for p in changes.pairs
    ]
    moved = {
        measure: [
            {"rank": str(move.rank_after), "rank_before": str(move.rank_before)}
            | {"ranks_gained": str(move.climb), "run": move.run}
            | _change(move.before, move.after)
            for move in changes.moves[measure]
        ]
        for measure in changes.measures
        if changes.moved(measure)
    }
    topics = {
        measure: [{"topic": id, **_change(old, new)} for id, old, new in changes.topics(measure)]
        for measure in measures
    }
    return {"labels": labels, "most": most, "moved": moved, "topics": topics, "pairs": pairs}


def _change(before: float, after: float) -> dict[str, str]:
    change = f"{after - before:+.4f}"
    return {"mean": f"{after:.4f}", "mean_before": f"{before:.4f}", "change": change}
