"""The page and the table of what changed. Facts are found here; the words are in the template."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.gains.files import read as read_gains
from pipeline.measures import parse
from pipeline.report.changes.blame import MOST, Blame, blamed
from pipeline.report.changes.compare import Changes, LabelChange, compared
from pipeline.report.changes.state import Label, State
from pipeline.report.findings import Table
from pipeline.report.markup import environment, policy, script, style
from pipeline.report.scripts import behaviour
from pipeline.storage import sheets
from pipeline.storage.atomic import atomic

HEAD = (
    "kind", "dimension", "topic", "document", "measure", "run", "other_run", "before", "after",
    "change",
)  # fmt: skip
NAMED = 50  # labels on the page; the table has them all
_HERE = Path(__file__).parent


def change(
    before: Path,
    after: Path,
    *,
    gains: Mapping[str, Path],
    rankings: Path,
    scores: Path | None = None,
    costs: Path | None = None,
    title: str,
    contrast: Sequence[str],
    unjudged: str,
    alpha: float,
    page: Path,
    table: Path,
) -> None:
    """Compare the states of two folders; `gains` and `rankings` are of the present one.

    So are `scores` and `costs`, for measures that ask for the systems' own scores or for costs.
    """
    found = compared(State(before), State(after), alpha=alpha)
    blames: list[Blame] = []
    if found.labels:
        blames = blamed(
            found.labels,
            measures=[parse(name, dimensions=list(gains)) for name in dict.fromkeys(contrast)],
            gains=read_gains(gains, scores=scores, costs=costs),
            subtopics=found.after.subtopics,
            rankings=rankings,
            condensed=next(iter(gains)) if unjudged == "condensed" else None,
        )
    write(found, blames, title=title, contrast=contrast, page=page, table=table)


def write(
    changes: Changes,
    blames: Sequence[Blame],
    *,
    title: str,
    contrast: Sequence[str],
    page: Path,
    table: Path,
) -> None:
    """Write changes.html and changes.csv."""
    sheets.write(table, HEAD, rows(changes, blames))
    running = script(behaviour())
    both = [name for name in dict.fromkeys(contrast) if name in changes.measures]
    shown = both or list(changes.measures[:1])
    html: str = (
        environment(_HERE, _HERE.parent)
        .get_template("changes.html.j2")
        .render(
            title=title,
            changes=changes,
            kinds=Counter(one.kind for one in changes.labels),
            topics=len({one.topic for one in changes.labels}),
            measures=shown,
            pairs=Counter((one.measure, one.kind) for one in changes.pairs),
            blames=blames,
            tried=MOST,
            tables=_tables(changes, blames, shown),
            style=style(),
            script=running,
            policy=policy([running]),
        )
    )
    with atomic(page) as draft:
        draft.write_text(html, encoding="utf-8", newline="\n")


def rows(changes: Changes, blames: Sequence[Blame]) -> list[dict[str, Any]]:
    """One row a label, mean, rank and pair that is not as it was, and a row a label's effect."""
    found: list[dict[str, Any]] = []
    for one in changes.labels:
        found.append({"kind": f"label {one.kind}", **_place(one), **_both(one)})
    for blame in blames:
        found.append(
            {"kind": "effect of a label", **_place(blame.change), "measure": blame.measure,
             "run": blame.run, "change": f"{blame.most:.9f}"}
        )  # fmt: skip
    for measure in changes.measures:
        for move in changes.moved(measure):
            known = {"measure": measure, "run": move.run}
            found.append(
                {"kind": "mean", **known, "before": repr(move.before), "after": repr(move.after),
                 "change": f"{move.change:.9f}"}
            )  # fmt: skip
        for move in changes.of(measure):
            if move.climb:
                found.append(
                    {"kind": "rank", "measure": measure, "run": move.run,
                     "before": move.rank_before, "after": move.rank_after, "change": move.climb}
                )  # fmt: skip
    for pair in changes.pairs:
        found.append(
            {"kind": "pair", "measure": pair.measure, "run": pair.better, "other_run": pair.worse,
             "change": PAIRS[pair.kind]}
        )  # fmt: skip
    return found


PAIRS = {"now": "told apart", "no more": "not told apart any more", "reversed": "reversed"}


def _place(one: LabelChange) -> dict[str, str]:
    return {"dimension": one.dimension, "topic": one.topic, "document": one.document}


def _both(one: LabelChange) -> dict[str, str]:
    """The label before and after; empty where there was none."""
    return {"before": _label(one.before), "after": _label(one.after)}


def _label(label: Label | None) -> str:
    return "" if label is None else str(label)


def _tables(
    changes: Changes, blames: Sequence[Blame], measures: Sequence[str]
) -> dict[str, list[Table]]:
    labels = Table(
        "Labels by dimension and topic",
        ("dimension", "topic", "added", "removed", "changed"),
        tuple(
            (dimension, topic or "every", *(str(count[kind]) for kind in KINDS))
            for dimension, topic, count in changes.counts()
        ),
        open=True,
    )
    most = Table(
        "Labels that moved the runs most",
        ("measure", "dimension", "topic", "document", "before", "after", "mean_change", "run",
         "its_change"),
        tuple(
            (blame.measure, *(_place(blame.change).values()), *_both(blame.change).values(),
             f"{blame.mean:.6f}", blame.run, f"{blame.most:+.6f}")
            for blame in blames[:NAMED]
        ),
        open=True,
    )  # fmt: skip
    moved = [
        Table(
            f"Runs under {measure}",
            ("rank", "rank_before", "places_won", "run", "mean", "mean_before", "change"),
            tuple(
                (str(move.rank_after), str(move.rank_before), str(move.climb), move.run,
                 f"{move.after:.4f}", f"{move.before:.4f}", f"{move.change:+.4f}")
                for move in changes.of(measure)
            ),
            open=not place,
        )
        for place, measure in enumerate(m for m in changes.measures if changes.moved(m))
    ]  # fmt: skip
    by_topic = [
        Table(
            f"Topics under {measure}",
            ("topic", "mean", "mean_before", "change"),
            tuple(
                (topic, f"{now:.4f}", f"{was:.4f}", f"{now - was:+.4f}")
                for topic, was, now in changes.topics(measure)
            ),
        )
        for measure in measures
    ]
    pairs = Table(
        "Pairs of runs",
        ("measure", "better", "worse", "is"),
        tuple((p.measure, p.better, p.worse, PAIRS[p.kind]) for p in changes.pairs),
        open=True,
    )
    shown = {"labels": [labels], "most": [most], "moved": moved, "pairs": [pairs]}
    return {**shown, "topics": by_topic}


KINDS = ("added", "removed", "changed")
