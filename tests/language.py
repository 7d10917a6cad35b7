"""The words that readers of the field do not know, and where texts that people read stand."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[1]
# What must not be read, and what says it instead.
DIALECT = {
    r"tell(s|ing)? .{0,20}apart|told apart": "significantly different",
    r"(?<!work )\bat hand\b": "available",
    r"\bodd\b(?! (and even|numbers?|or even))": "warning, unusual",
    r"\bhabits?\b": "conventions",
    r"nobody (judged|has judged|knows)": "unjudged",
    r"leaves? (it |\S+ )?open\b": "unjudged documents could change the score by up to",
    r"brought in(to)? the pool": "unique contributions",
    r"had a team not taken part": "leave-one-team-out",
    r"how surely|the surest": "bootstrap support",
    r"\ba coin\b": "chance (50 %)",
    r"\bevery two\b": "pairwise",
    r"(line|threshold) drawn elsewhere": "threshold sensitivity",
    r"chance to go on": "continuation probability",
    r"\bfurniture\b": "boilerplate",
    r"\bwiser\b": "baseline version",
    r"\btak(e|en) along\b": "copy, download",
    r"(?<!make )\b(the )?rooms?\b(?! for)": "package, section",
    r"\bdesk\b(?!top)": "input check",
    r"\bnobod(y|ies)'?s\b": "unaffiliated",
    r"people's files": "preference and satisfaction data",
    r"\b(made|makes?|making) (again|anew)\b": "rebuilt, recomputed",
    r"\b(goes|go|going) on\b(?! (to|the|a|in|with|at|from))": "resumes, continues",
    r"\b(is|are|was|were) (told|said)\b": "Fathom reports",
    r"(?<!there )(?<!here )(?<!, )\b(is|are) no (?!(longer|more|such|less|fewer)\b)\w": "is not a",
    r"\bmanieth\b": "1-based position",
    r"\banew\b": "again",
}  # fmt: skip
WORDS = {re.compile(pattern, re.IGNORECASE): instead for pattern, instead in DIALECT.items()}


def dialect(text: str) -> list[str]:
    """Each passage of a text that STYLE.md's glossary rules out, with what says it instead."""
    plain = " ".join(text.split())
    return [
        f"'{plain[max(0, hit.start() - 30) : hit.end() + 30]}': {instead}"
        for pattern, instead in WORDS.items()
        for hit in pattern.finditer(plain)
    ]


def prose(markdown: str) -> str:
    """A page without its code, addresses and printed output."""
    text = re.sub(r"^```.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>", "", text)


def template(source: str) -> str:
    """The words of a template, without its expressions, its markup and its addresses."""
    text = re.sub(r"\{#.*?#\}", "", source, flags=re.DOTALL)
    quoted = " ".join(
        " ".join(re.findall(r'"([^"]* [^"]*)"', part))
        for part in re.findall(r"\{[{%].*?[%}]\}", text, re.DOTALL)
    )
    return re.sub(r"\{[{%].*?[%}]\}|<[^>]*>", " ", text, flags=re.DOTALL) + " " + quoted


def sentences(path: Path) -> Iterator[str]:
    """The texts of a module that may be printed: all constants but docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "x" for part in node.values]
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and id(node) not in documented:
            yield str(node.value)


def script(source: str) -> list[str]:
    """The texts of a script of the page: all that is quoted and has several words."""
    code = re.sub(r"^\s*(//|\*|/\*).*$", "", source, flags=re.MULTILINE)
    return [text for *_, text in re.findall(r"""(["'`])((?:(?!\1).)* (?:(?!\1).)*)\1""", code)]


def page(html: str) -> str:
    """What a page shows as text, and on hover."""
    soup = BeautifulSoup(html, "lxml")
    for hidden in soup(["script", "style", "code"]):
        hidden.decompose()
    hints = [str(tag["title"]) for tag in soup.select("[title]")]
    return " . ".join([soup.get_text(" "), *hints])
