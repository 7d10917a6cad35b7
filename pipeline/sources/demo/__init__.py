"""The embedded demo: a whole campaign's inputs, made from a seed.

The plan (pages with reading levels, systems with strengths) is open to look at, so that tests can
ask whether the pipeline finds what was planned: `SYSTEMS`, `TOPICAL_WINNER`,
`UNDERSTANDABILITY_WINNER`, `planned_pages(seed=...)`.
"""

from collections.abc import Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from random import Random

from pipeline.errors import InputError, Problem
from pipeline.sources.demo.pages import page
from pipeline.sources.demo.plan import (
    TOPICS,
    Page,
    Topic,
    planned_pages,
    planned_relevance,
    topic_id,
)
from pipeline.sources.demo.systems import (
    SYSTEMS,
    TOPICAL_WINNER,
    TRUST_WINNER,
    UNDERSTANDABILITY_WINNER,
    System,
    label_files,
    people_files,
    rankings,
    run_file,
)
from pipeline.sources.demo.text import article
from pipeline.storage.atomic import atomic_folder

__all__ = [
    "SYSTEMS",
    "TOPICAL_WINNER",
    "TOPICS",
    "TRUST_WINNER",
    "UNDERSTANDABILITY_WINNER",
    "Page",
    "System",
    "Topic",
    "generate",
    "planned_pages",
    "planned_relevance",
    "topic_id",
]


def generate(folder: Path, *, seed: int) -> None:
    """Write the campaign's runs/, labels/, people/, topics.xml and pages/ into `folder`.

    The same seed gives the same bytes. The folder appears whole or not at all, and one that
    already has something in it is refused: old pages must not mix with new ones.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = "the demo needs a new or empty folder"
        raise InputError(Problem(folder, what, "remove this one first"))
    pages = planned_pages(seed=seed)
    runs = [rankings(system, pages=pages, seed=seed) for system in SYSTEMS]
    with atomic_folder(folder) as draft:
        _write_pages(draft / "pages", pages, seed=seed)
        for name in ("runs", "labels", "people"):
            (draft / name).mkdir()
        for system, ranked in zip(SYSTEMS, runs, strict=True):
            name, content = run_file(system, ranked)
            (draft / "runs" / name).write_bytes(content)
        for dimension, qrels in label_files(runs, seed=seed).items():
            (draft / "labels" / f"{dimension}.qrels").write_bytes(qrels.encode())
        for kind, text in people_files(runs, seed=seed).items():
            (draft / "people" / f"{kind}.txt").write_bytes(text.encode())
        topics = "".join(
            f"  <top>\n    <num>{topic_id(number)}</num>\n"
            f"    <query>{escape(topic.query)}</query>\n  </top>\n"
            for number, topic in enumerate(TOPICS)
        )
        listed = f'<?xml version="1.0" encoding="utf-8"?>\n<topics>\n{topics}</topics>\n'
        (draft / "topics.xml").write_bytes(listed.encode())


def _write_pages(folder: Path, pages: Sequence[Page], *, seed: int) -> None:
    topics = {topic.key: topic for topic in TOPICS}
    for plan in pages:
        random = Random(f"{seed}/page/{plan.document}")
        text = article(
            topics[plan.topic], level=plan.level, main=plan.main, others=plan.others, random=random
        )
        # As in a crawl: spread over folders by a hash of the id.
        shelf = folder / sha256(plan.document.encode()).hexdigest()[:2]
        shelf.mkdir(parents=True, exist_ok=True)
        (shelf / f"{plan.document}.html").write_bytes(page(text, site=plan.site, random=random))
