"""Draft a config for the files in a folder.

Every assumption is a commented line of the config (`draft.yaml.j2`) and a printed line
(`draft.txt.j2`). The caller checks the config before writing it.
"""

import json
import os
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.intake.folder import Folder, look, patterns
from pipeline.labels.qrels import Qrels, read_qrels
from pipeline.labels.scales import infer_scale
from pipeline.labels.topics import read as read_topics
from pipeline.pages.collection import document_id, is_container
from pipeline.runs.reader import RunPolicies, RunReader, run_name
from pipeline.storage.text import natural

# Dimensions by parts of file names; all other files are topicality.
DIMENSIONS = {
    "understandability": re.compile(r"under|read|compreh", re.IGNORECASE),
    "trustworthiness": re.compile(r"trust|cred|reliab", re.IGNORECASE),
    "topicality": re.compile(r""),
}
TEAMS = (r"^([^_]+)_", r"^([^-]+)-", r"^([^.]+)\.")
# Mappings from ids of a topics file to those of the labels, in order of preference.
RENAMES = (
    (r"^\D*0*(\d+)$", r"\1"),  # qtest12 or MB012 -> 12
    (r"^(\d+)\d{3}$", r"\1"),  # 101003, a variation of the need 101
    (r"^.*?[._-]([^._-]+)$", r"\1"),  # topic-A7 -> A7
)
Facts = dict[str, Any]  # the variables of the templates


def draft(
    folder: Path, *, name: str | None = None, schema: Path | None = None
) -> tuple[str, list[str]]:
    """Draft a config for the files below a folder; return it with its assumptions.

    Paths are relative to the working folder. `schema` is the JSON schema for editors.
    """
    files = look(folder)
    if not files.runs:
        fix = "add runs with lines of 'topic Q0 document rank score tag'"
        raise InputError(Problem(folder, "no runs found", fix))
    if not files.labels:
        fix = "add label files with lines of 'topic 0 document label'"
        raise InputError(Problem(folder, "no labels found", fix))
    name = name or re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("-._") or "mine"
    labelled = list(_labels(files.labels))
    facts = {
        "name": name,
        "schema": schema,
        "runs": _runs(files),
        "topics": _topics(files.topics, set(labelled[0]["topics"])) if files.topics else {},
        "pages": _pages(files),
        "labelled": labelled,
        "measures": _measures([dimension["dimension"] for dimension in labelled]),
    }
    return _render("draft.yaml.j2", facts), _render("draft.txt.j2", facts).splitlines()


def _render(template: str, facts: Facts) -> str:
    import jinja2

    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= {
        "yaml": lambda text: json.dumps(text, ensure_ascii=False),  # JSON is YAML
        "single": lambda text: "'" + text.replace("'", "''") + "'",  # without escapes
    }
    return templates.get_template(template).render(facts)


def _runs(files: Folder) -> Facts:
    names = [run_name(path) for path in files.runs]
    team = team_pattern(names)
    teams = sorted({match[1] for run in names if team and (match := re.search(team, run))})
    examples = ", ".join(teams[:4]) + (", ..." if len(teams) > 4 else "")
    return {
        "files": _listed(patterns(files.runs)), "count": len(names), "team": team,
        "teams": len(teams), "shown": examples,
    }  # fmt: skip


def team_pattern(names: Sequence[str]) -> str | None:
    """The pattern of the team in every name, if teams have several runs; otherwise None.

    >>> team_pattern(["rmit_a", "rmit_b", "uq_a"])
    '^([^_]+)_'
    >>> team_pattern(["bm25", "neural"])
    """
    for pattern in TEAMS:
        teams = [match[1] for name in names if (match := re.search(pattern, name))]
        if len(teams) == len(names) and 1 < len(set(teams)) < len(names):
            return pattern
    return None


def _topics(paths: Sequence[Path], judged: set[str]) -> Facts:
    """The topics file with most of the judged topics, if necessary with mapped ids."""
    ids = {path: set(read_topics(path)) for path in paths}
    best = max(ids, key=lambda path: (len(ids[path] & judged), str(path)))
    missing, match, replace, example = len(judged - ids[best]), "", "", ""
    if missing:
        renames = ((p, *pair) for p in ids for pair in (*RENAMES, _prefixes(ids[p], judged)))
        fits = ((p, a, b) for p, a, b in renames if judged <= {re.sub(a, b, i) for i in ids[p]})
        if fit := next(fits, None):
            best, match, replace = fit
            example = min(ids[best], key=natural)
    return {
        "file": str(best), "others": sorted(set(ids) - {best}), "missing": missing,
        "judged": len(judged), "match": match, "replace": replace, "old": example,
        "new": re.sub(match, replace, example),
    }  # fmt: skip


def _prefixes(ids: Collection[str], judged: Collection[str]) -> tuple[str, str]:
    """Map the common prefix of the ids to that of the judged topics: clef.test.7 -> qtest.7."""
    both = (os.path.commonprefix([*some]) for some in (ids, judged))  # noqa: RUF071 (no paths)
    old, new = (prefix.rstrip("0123456789") for prefix in both)
    return f"^{re.escape(old)}", new.replace("\\", r"\\")


def _pages(files: Folder) -> Facts:
    """The pages, as one pattern per file ending below their common folder."""
    if not files.pages:
        return {"count": 0}
    folders = {path.parent for path in files.pages}
    common = Path(os.path.commonpath(folders))
    endings = sorted({re.findall(r"(\.\w+(?:\.gz)?)?$", path.name)[0] for path in files.pages})
    subfolders = "" if folders == {common} else "**/"
    globs = [f"{common}/{subfolders}*{ending}" for ending in endings]
    return {"count": len(files.pages), "used": _pages_of_runs(files), "files": _listed(globs)}


def _pages_of_runs(files: Folder) -> bool:
    """Whether the first run retrieves one of the pages; assumed for containers."""
    if any(is_container(path) for path in files.pages):
        return True
    reader = RunReader(RunPolicies(depth=100, duplicates="first", bad_scores="last"))
    reader.read(files.runs[0])
    starts, text = reader.documents()
    retrieved = {text[a:b].decode() for a, b in pairwise(starts.tolist())}
    return any(document_id(path) in retrieved for path in files.pages)


def _measures(dimensions: Sequence[str]) -> list[str]:
    measures = ["AP", "P@10", "nDCG@10", "RBP(p=0.8)"]
    if "understandability" in dimensions and dimensions[0] == "topicality":
        measures += ["uRBP(p=0.8)", "uRBPgr(p=0.8)"]
    if len(dimensions) > 1:
        measures += [f"RBP(p=0.8, on={other})" for other in dimensions[1:]]
        measures.append(f"H(RBP(p=0.8), {', '.join(f'{name}=1' for name in dimensions)})")
    return measures


def _labels(files: Sequence[Path]) -> Iterator[Facts]:
    """The label file of each dimension; of several, the one with most distinct labels."""
    by_name: dict[str, list[Qrels]] = {name: [] for name in ("topicality", *DIMENSIONS)}
    for path in files:
        name = next(name for name, words in DIMENSIONS.items() if words.search(path.name))
        by_name[name].append(read_qrels(path))
    if not by_name["topicality"]:  # a campaign needs a first dimension
        first = next(name for name, tables in by_name.items() if tables)
        by_name["topicality"] = by_name.pop(first)
    for name, tables in by_name.items():
        if tables:
            best = max(tables, key=lambda table: (len(np.unique(table.label)), len(table.label)))
            inferred = infer_scale(best.label)
            documents = list(zip(best.topic, best.document, strict=True))
            labels = set(zip(documents, best.label.tolist(), strict=True))
            yield {
                "dimension": name, "path": str(best.path), "topics": best.topic,
                "scale": inferred.scale, "said": inferred.note,
                "contradicts": len(labels) > len(set(documents)),
                "left": [table.path for table in tables if table is not best],
            }  # fmt: skip


def _listed(values: Sequence[str]) -> str | Sequence[str]:
    return values[0] if len(values) == 1 else values
