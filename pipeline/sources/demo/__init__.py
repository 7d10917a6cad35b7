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

from pipeline.errors import InputError
from pipeline.sources.demo.labels import label_files
from pipeline.sources.demo.pages import page
from pipeline.sources.demo.people import people_files
from pipeline.sources.demo.plan import Page, planned_pages, planned_relevance, topic_id
from pipeline.sources.demo.systems import (
    SYSTEMS,
    TOPICAL_WINNER,
    TRUST_WINNER,
    UNDERSTANDABILITY_WINNER,
    System,
    rankings,
    run_file,
)
from pipeline.sources.demo.text import article
from pipeline.sources.demo.topics import TOPICS, Topic
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
        raise InputError(f"{folder}: the demo needs a new or empty folder; remove this one first.")
    with atomic_folder(folder) as draft:
        pages = planned_pages(seed=seed)
        _write_pages(draft / "pages", pages, seed=seed)
        _write_the_rest(draft, pages, seed=seed)
        (draft / "topics.xml").write_bytes(_topics().encode())


def _write_pages(folder: Path, pages: Sequence[Page], *, seed: int) -> None:
    topics = {topic.key: topic for topic in TOPICS}
    for plan in pages:
        random = Random(f"{seed}/page/{plan.document}")
        text = article(
            topics[plan.topic],
            level=plan.level,
            main=plan.main,
            others=plan.others,
            random=random,
        )
        # As in a crawl: spread over folders by a hash of the id.
        shelf = folder / sha256(plan.document.encode()).hexdigest()[:2]
        shelf.mkdir(parents=True, exist_ok=True)
        (shelf / f"{plan.document}.html").write_bytes(page(text, site=plan.site, random=random))


def _write_the_rest(folder: Path, pages: Sequence[Page], *, seed: int) -> None:
    (folder / "runs").mkdir()
    (folder / "labels").mkdir()
    (folder / "people").mkdir()
    runs = []
    for system in SYSTEMS:
        ranked = rankings(system, pages=pages, seed=seed)
        runs.append(ranked)
        name, content = run_file(system, ranked)
        (folder / "runs" / name).write_bytes(content)
    for dimension, qrels in label_files(runs, seed=seed).items():
        (folder / "labels" / f"{dimension}.qrels").write_bytes(qrels.encode())
    for kind, text in people_files(runs, seed=seed).items():
        (folder / "people" / f"{kind}.txt").write_bytes(text.encode())


def _topics() -> str:
    tops = "".join(
        f"  <top>\n    <num>{topic_id(number)}</num>\n"
        f"    <query>{escape(topic.query)}</query>\n  </top>\n"
        for number, topic in enumerate(TOPICS)
    )
    return f'<?xml version="1.0" encoding="utf-8"?>\n<topics>\n{tops}</topics>\n'
