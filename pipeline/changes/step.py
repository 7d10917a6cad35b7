"""The page and the table of what changed. Facts are found here; the words are in the template."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeline.changes.blame import MOST, Blame, blamed
from pipeline.changes.versions import Changes, LabelChange, Version, compared
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
PAIRS = {"now": "told apart", "no more": "not told apart any more", "reversed": "reversed"}
NAMED = 50  # labels on the page; the table has them all


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
    """Compare the results with an earlier version of them and write changes.html and changes.csv.

    `scored` and `costed` say whether a contrasted measure asks for the systems' own scores or for
    costs.
    """
    changes = compared(Version(before), Version(results.folder), alpha=alpha)
    blames: list[Blame] = []
    if changes.labels:
        blames = blamed(
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
    sheets.write(results.changes, HEAD, _rows(changes, blames))
    contrasted = [name for name in dict.fromkeys(contrast) if name in changes.measures]
    shown = contrasted or changes.measures[:1]
    template = environment(Path(__file__).parent).get_template("changes.html.j2")
    html = template.render(
        title=title,
        changes=changes,
        kinds=Counter(one.kind for one in changes.labels),
        topics=len({one.topic for one in changes.labels}),
        measures=shown,
        pairs=Counter((one.measure, one.kind) for one in changes.pairs),
        blames=blames,
        tried=MOST,
        tables=_tables(changes, blames, shown),
    )
    write_text(results.changes_page, html)


def _rows(changes: Changes, blames: Sequence[Blame]) -> list[dict[str, Any]]:
    """One row per label, mean, rank and pair that is not as it was, and per effect of a label."""
    found: list[dict[str, Any]] = [
        {"kind": f"label {one.kind}", **_label(one)} for one in changes.labels
    ]
    for blame in blames:
        label = {**_label(blame.change), "before": "", "after": ""}
        moved = {"measure": blame.measure, "run": blame.run, "change": f"{blame.most:.9f}"}
        found.append({"kind": "effect of a label", **label, **moved})
    for measure in changes.measures:
        for one in changes.moved(measure):
            mean = {"before": repr(one.before), "after": repr(one.after)}
            mean |= {"change": f"{one.change:.9f}"}
            found.append({"kind": "mean", "measure": measure, "run": one.run, **mean})
        for one in changes.moves[measure]:
            if one.climb:
                rank = {"before": one.rank_before, "after": one.rank_after, "change": one.climb}
                found.append({"kind": "rank", "measure": measure, "run": one.run, **rank})
    for pair in changes.pairs:
        runs = {"run": pair.better, "other_run": pair.worse, "change": PAIRS[pair.kind]}
        found.append({"kind": "pair", "measure": pair.measure, **runs})
    return found


def _label(one: LabelChange) -> dict[str, str]:
    """A label by its place, before and after; empty where there was none."""
    labels = {"before": one.before, "after": one.after}
    place = {"dimension": one.dimension, "topic": one.topic, "document": one.document}
    return place | {key: "" if label is None else str(label) for key, label in labels.items()}


def _tables(changes: Changes, blames: Sequence[Blame], measures: Sequence[str]) -> dict[str, Any]:
    """The rows of the page's tables; `moved` and `topics` by measure."""
    counts = Counter((one.dimension, one.topic or "every", one.kind) for one in changes.labels)
    labels = [
        {"dimension": name, "topic": topic, **{k: str(counts[name, topic, k]) for k in KINDS}}
        for name, topic in dict.fromkeys((name, topic) for name, topic, _ in counts)
    ]
    most = [
        {"measure": blame.measure, **_label(blame.change), "mean_change": f"{blame.mean:.6f}"}
        | {"run": blame.run, "its_change": f"{blame.most:+.6f}"}
        for blame in blames[:NAMED]
    ]
    pairs = [
        {"measure": p.measure, "better": p.better, "worse": p.worse, "is": PAIRS[p.kind]}
        for p in changes.pairs
    ]
    moved = {
        measure: [
            {"rank": str(move.rank_after), "rank_before": str(move.rank_before)}
            | {"places_won": str(move.climb), "run": move.run}
            | _change(move.before, move.after)
            for move in changes.moves[measure]
        ]
        for measure in changes.measures
        if changes.moved(measure)
    }
    topics = {
        measure: [
            {"topic": topic, **_change(was, now)} for topic, was, now in changes.topics(measure)
        ]
        for measure in measures
    }
    return {"labels": labels, "most": most, "moved": moved, "topics": topics, "pairs": pairs}


def _change(before: float, after: float) -> dict[str, str]:
    change = f"{after - before:+.4f}"
    return {"mean": f"{after:.4f}", "mean_before": f"{before:.4f}", "change": change}
