"""The site: its pages run, its links lead somewhere, nothing in it comes by network."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

from pipeline.campaign import from_config
from pipeline.command.main import fathom
from pipeline.config.campaign import CampaignKeys
from tests.docs.pages import DOCS, ROOT, Block, blocks, run

PAGES = sorted(DOCS.rglob("*.md"))
EXECUTED = [page for page in PAGES if any(b.kind in ("console", "python") for b in blocks(page))]
# These run campaigns.
WORKFLOW = {"organiser", "dimensions", "pages", "significance", "thresholds", "pools"}
SLOW = {"coming-from"}  # importing ranx takes seconds


def marked(page: Path) -> object:
    marks = [pytest.mark.slow] if page.stem in WORKFLOW | SLOW else []
    marks += [pytest.mark.workflow] if page.stem in WORKFLOW else []
    return pytest.param(page, id=page.stem, marks=marks)


@pytest.mark.parametrize("page", [marked(page) for page in EXECUTED])
def test_the_page_does_what_it_says(page: Path, tmp_path: Path) -> None:
    assert run(page, tmp_path) > 0


def test_the_four_tutorials_are_among_them() -> None:
    tutorials = set((DOCS / "tutorials").glob("*.md"))
    assert len(tutorials) == 4
    assert tutorials <= set(EXECUTED)


def test_commands_that_are_only_shown_parse() -> None:
    pages = [*PAGES, ROOT / "README.md"]
    shown = [b for page in pages for b in blocks(page) if b.kind == "sh"]
    ours = [line for b in shown for line in b.text.splitlines() if line.startswith("fathom ")]
    assert len(ours) > 4
    for line in ours:
        words = [word.strip("'\"") for word in line.split("#")[0].split()[1:]]
        parent = click.Context(fathom, info_name="fathom")
        command = fathom.get_command(parent, words[0])
        assert command is not None, line
        command.make_parser(click.Context(command, parent=parent)).parse_args(words[1:])


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "index.md"], ids=lambda p: p.stem)
def test_the_bibtex_is_the_citation(page: Path) -> None:
    (entry,) = (block.text for block in blocks(page) if block.kind == "bibtex")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    (author,) = citation["authors"]
    for wanted in (
        citation["title"], author["name"], citation["version"], str(citation["date-released"]),
    ):  # fmt: skip
        assert f"{{{wanted}}}" in entry


LEAST = """
runs: {files: data/runs/*}
dimensions: {topicality: {labels: data/qrels.txt, scale: [0, 2], threshold: 1}}
measures: [nDCG@10]
"""


def test_configs_on_the_pages_are_valid() -> None:
    pages = [*PAGES, ROOT / "README.md"]
    found: list[Block] = [b for page in pages for b in blocks(page) if b.kind == "yaml"]
    keys = {field.alias or name for name, field in CampaignKeys.model_fields.items()}
    whole = parts = 0
    for block in found:
        config = yaml.safe_load(block.text)
        if "campaigns" in config:
            from_config(config).checked()
            whole += 1
        elif keys >= set(config):  # some keys of a campaign
            from_config({"campaigns": {"mine": {**yaml.safe_load(LEAST), **config}}}).checked()
            parts += 1
    assert whole >= 20
    assert parts >= 6


def test_the_pages_that_only_explain_know_the_files_they_name() -> None:
    named = {
        name
        for page in PAGES
        for name in re.findall(
            r"`((?:pipeline|profiles|config|benchmarks)/[\w./-]+\w)`", page.read_text()
        )
    }
    assert len(named) > 3
    assert not {name for name in named if not (ROOT / name).exists()}


@pytest.mark.slow
def test_nothing_on_the_site_comes_by_network(site: Path) -> None:
    loads = re.compile(
        r'<(?:script|img|iframe|source)[^>]+src="(?:https?:)?//|<link[^>]+rel="(?:stylesheet|'
        r'preload|preconnect|icon)"[^>]+href="(?:https?:)?//|url\((?:https?:)?//|@import'
    )
    found = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    assert len(found) > 20
    assert not [str(path) for path in found if loads.search(path.read_text(encoding="utf-8"))]


@pytest.mark.slow
def test_every_measure_key_and_command_has_its_place(site: Path) -> None:
    from pipeline.campaign.schema import dotted, keys, schema
    from pipeline.command.main import COMMANDS
    from pipeline.measures.reference import entries

    index = (site / "reference/measures.html").read_text(encoding="utf-8")
    for name, entry in entries().items():
        page = (site / f"reference/measures/{entry.page}.html").read_text(encoding="utf-8")
        assert f'<h3 id="{name}"><code>{name}</code>: ' in page, name
        assert f'href="measures/{entry.page}.html#{name}"' in index, name
    pages = [site / "reference/config.html", *(site / "reference/config").glob("*.html")]
    config = "".join(page.read_text(encoding="utf-8") for page in pages)
    for path, _ in keys(schema()):
        name = dotted(path).removeprefix("campaigns.<campaign>.")
        anchor = re.sub("[<>]", "", name)
        assert len(re.findall(rf'<h[23][^>]* id="{re.escape(anchor)}"', config)) == 1, name
    command = (site / "reference/command.html").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"Usage: fathom {name}" in command
    api = (site / "reference/api.html").read_text(encoding="utf-8")
    for name in ("evaluate", "compare", "explain", "Evaluation", "Comparison", "Explanation"):
        assert f"pipeline.api.{name}" in api or f">{name}<" in api, name


def test_a_graph_of_steps_is_shown_as_a_table() -> None:
    code = (
        "import sys; sys.path.insert(0, 'docs/hooks'); import made; print(made.arrows(sys.argv[1]))"
    )
    graph = "  a --> b & c --> d\n  e -.-> d\n  alone"
    told = subprocess.check_output([sys.executable, "-c", code, graph], cwd=ROOT, text=True)
    rows = [tuple(cell.strip() for cell in row.split("|")[1:3]) for row in told.split("\n")[2:7]]
    assert rows == [
        ("`a`", ""),
        ("`alone`", ""),
        ("`b`", "`a`"),
        ("`c`", "`a`"),
        ("`d`", "`b`, `c`, where wanted `e`"),
    ]
