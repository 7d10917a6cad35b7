"""The embedded demo as a source: all inputs of a campaign, generated from a seed."""

from hashlib import sha256
from html import escape
from pathlib import Path
from random import Random

from pipeline.errors import InputError, Problem
from pipeline.sources.kinds.generate import generator
from pipeline.storage.atomic import atomic_folder


@generator("demo", title="the embedded demo, all inputs of a campaign", order=1)
def demo(folder: Path, *, seed: int) -> None:
    """Write the runs, labels, people, topics and pages of the campaign into `folder`, atomically.

    The same seed gives the same bytes. The folder must be empty: old and new pages must not mix.
    """
    # Late: a config check does not need the texts.
    from pipeline.sources.demo.plan import TOPICS, planned_pages, topic_id
    from pipeline.sources.demo.systems import SYSTEMS, label_files, people_files, rankings, run_file
    from pipeline.sources.demo.text import html

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = "the demo needs a new or empty folder"
        raise InputError(Problem(folder, what, "choose another one, or empty this one"))
    pages = planned_pages(seed=seed)
    runs = [rankings(system, pages=pages, seed=seed) for system in SYSTEMS]
    files = dict(run_file(system, ranked) for system, ranked in zip(SYSTEMS, runs, strict=True))
    files |= label_files(runs, seed=seed) | people_files(runs, seed=seed)
    for page in pages:
        # As in a crawl, pages are spread over folders by a hash of the id.
        shelf = sha256(page.document.encode()).hexdigest()[:2]
        random = Random(f"{seed}/page/{page.document}")
        files[f"pages/{shelf}/{page.document}.html"] = html(page, random=random)
    topics = "".join(
        f"  <top>\n    <num>{topic_id(number)}</num>\n"
        f"    <query>{escape(topic.query)}</query>\n  </top>\n"
        for number, topic in enumerate(TOPICS)
    )
    topics_xml = f'<?xml version="1.0" encoding="utf-8"?>\n<topics>\n{topics}</topics>\n'
    with atomic_folder(folder) as draft:
        for name, content in (files | {"topics.xml": topics_xml.encode()}).items():
            (draft / name).parent.mkdir(parents=True, exist_ok=True)
            (draft / name).write_bytes(content)
