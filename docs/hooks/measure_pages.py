"""The pages of measures, made from declarations and from `pipeline/measures/reference`."""

import re
from pathlib import Path
from typing import Any

import yaml
from formula import mathml
from tables import AGGREGATE, CUTOFF, by_name, entries, inputs, written

from pipeline.measures import COMBINATIONS, REGISTRY
from pipeline.measures.cwl.declare import FIGURES
from pipeline.measures.cwl.declare import MODELS as USERS
from pipeline.measures.reference import Entry, example, labels, title
from pipeline.measures.reference import entries as reference
from pipeline.measures.subtopics import GAMMA, OVER_SUBTOPICS
from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS as READERS
from pipeline.storage.markdown import table

DOCS = Path(__file__).resolve().parents[1]
BIB = (DOCS / "references.bib").read_text(encoding="utf-8")
BIBTEX = {found[1]: found[0] for found in re.finditer(r"^@\w+\{(\w+),\n.*?^\}$", BIB, re.M | re.S)}
FORMULAS: dict[str, dict[str, str]] = yaml.safe_load(
    (DOCS / "formulas.yaml").read_text(encoding="utf-8")
)


def page(name: str) -> str:
    """All entries of one page."""
    return "\n".join(_entry(entry) for entry in reference().values() if entry.page == name)


def _entry(entry: Entry) -> str:
    base = entry.name.removeprefix("u").removesuffix("gr")  # of uRBP and uRBPgr
    declared: Any = REGISTRY.get(entry.name) or REGISTRY.get(base)
    facts = [("Labels", labels(entry))]
    if entry.name in COMBINATIONS:
        facts.append(("Parameters", "the base measure, then a weight above 0 for each dimension"))
    elif entry.name in OVER_SUBTOPICS:
        facts.append(("Parameters", "the base measure"))
    elif entry.name in FIGURES:
        facts.append(("Parameters", "the user model, with its own parameters"))
    if entry.name == "Dsharp":
        facts.append(("Parameter", GAMMA.explained("gamma")))
    for key, param in getattr(declared, "params", {}).items():
        facts.append(("Parameter", param.explained(key)))
    facts.append(("Cutoff", CUTOFF[getattr(declared, "cutoff", "none")]))
    facts.append(("Over topics", AGGREGATE[getattr(declared, "aggregate", "mean")]))
    if entry.continuation:
        continuation = mathml(f"C(i) = {entry.continuation}")
        facts.append(("Continuation", f'<span class="formula">{continuation}</span>'))
    shown = entry.example
    value = f"{shown.value:.4f}".rstrip("0").rstrip(".")
    working = "" if shown.working == value else f" = `{shown.working}`"
    facts.append(("Example", f"`{shown.measure}`{working} = {value}"))
    tools = "; ".join(f"{tool} {_code(name)}" for tool, name in entry.elsewhere.items())
    facts.append(("Other tools", tools))
    lines = "\n".join(f"- **{name}**: {text}" for name, text in facts if text)
    cited = "\n".join(BIBTEX[key] for key in entry.bibtex)
    bibtex = "\n".join(f"    {line}".rstrip() for line in f"```bibtex\n{cited}\n```".split("\n"))
    return (
        f"### `{entry.name}`: {title(entry)} {{ #{entry.name} }}\n\n"
        f'<p class="formula">{mathml(entry.latex)}</p>\n\n{_indexed(entry.where)}\n\n'
        f"**User model.** {_indexed(entry.user)}\n\n"
        f"**When to use it.** {_indexed(entry.use)}\n\n{lines}\n\n"
        f'??? quote "BibTeX"\n{bibtex}\n'
    )


def _indexed(text: str) -> str:
    """Text with the letters of a formula and their indices set as such: w_d."""
    return re.sub(r"\b([A-Za-z])_([a-z])\b", r"<i>\1</i><sub>\2</sub>", text)


def _code(name: str) -> str:
    """The name in another tool as code, a remark in brackets behind it as text."""
    parts = re.fullmatch(r"(.+?)( \(.* .*\))?", name)
    assert parts is not None
    return f"`{parts[1]}`{parts[2] or ''}"


def index() -> str:
    """A line for each measure, with a link to its entry."""
    rows = (
        (f"[`{name}`](measures/{entry.page}.md#{name})", title(entry), _reads(entry))
        for name, entry in sorted(reference().items(), key=lambda pair: pair[0].lower())
    )
    return table(("measure", "what", "labels"), rows)


def _reads(entry: Entry) -> str:
    """Which labels, in two or three words, the default first."""
    declared = REGISTRY.get(entry.name)
    if declared is None:
        return re.split("[,;.]", labels(entry))[0]
    if declared.gain == "judged":
        return "none"
    if declared.gain != "binary":
        return "graded or binary"
    return "binary or graded" if declared.graded else "binary only"


def topic() -> str:
    """The topic of the worked examples."""
    known = example()
    judged = known["labels"]["topicality"]
    rows = []
    for document in sorted({*known["ranking"], *judged}):
        ranked = document in known["ranking"]
        rank = str(known["ranking"].index(document) + 1) if ranked else "not retrieved"
        score = str(known["scores"][document]) if ranked else ""
        values = (str(given.get(document, "not judged")) for given in known["labels"].values())
        of = ", ".join(map(str, known["subtopics"].get(document, ()))) or "none"
        rows.append((document, rank, score, *values, of if document in judged else "not judged"))
    return table(("document", "rank", "score", *known["labels"], "relevant to subtopics"), rows)


def users() -> str:
    """C(i) of every user model."""
    rows = (
        (
            f"`{written(model)}`",
            model.title,
            mathml(reference()[model.name].continuation),
            inputs(model),
        )
        for model in by_name(USERS.values())
    )
    return table(("model", "what", "C(i)", "reads"), rows)


def typeset(kind: str, columns: dict[str, str]) -> str:
    """Readability indices or user models of readability, with their formulas."""
    registry: Any = {"indices": INDICES, "readers": READERS}[kind]
    latex = {one.formula: FORMULAS[kind][name] for name, one in registry.items()}
    return entries(registry, columns, lambda formula: mathml(latex[formula]))
