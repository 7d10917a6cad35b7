r"""Topics: what was asked, as topic id to query text.

Campaigns write them as XML (often not well-formed: stray ampersands, wrong closing tags), as TREC's
SGML (tags never closed, `<num> Number: 301`), or as lines of id and text. So this reads the tags it
needs and no more, instead of trusting an XML parser that would refuse half of the real files.
"""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import InputError
from pipeline.storage.atomic import atomic
from pipeline.storage.expressions import search, substitute
from pipeline.storage.text import natural, read_text, refuse_long

TOPIC_LINE = "id<TAB>query"

BLOCKS = ("top", "topic", "query")  # the element that is one topic; the first one present
IDS = ("num", "id", "number")
TEXTS = ("title", "query", "desc", "description")
LACKING = "add <title> or <query>, or name its element with topics.query"
# What the parts of a topic are called, whoever wrote the file.
PARTS = {
    "description": ("desc", "description"),
    "desc": ("desc", "description"),
    "narrative": ("narr", "narrative"),
    "narr": ("narr", "narrative"),
}
TAG = r"(?=</?[A-Za-z!?]|\Z)"  # where an element's text ends, closed or not; 'BMI < 20' goes on
ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#[xX][0-9a-fA-F]+);")


@dataclass(frozen=True, kw_only=True)
class Topics:
    """The topics file, and how its ids become those of the labels."""

    file: str
    match: str | None
    replace: str | None
    query: str | None = None  # the element with the query, where none of the usual ones has it


class Topic(NamedTuple):
    """One topic as it stands in the file."""

    line: int
    id: str
    text: str


def read(
    path: Path,
    *,
    match: str | None = None,
    replace: str | None = None,
    query: str | None = None,
) -> dict[str, str]:
    r"""Topic id to query text, in the order of the file.

    With `match` and `replace` ids are rewritten as `re.sub` does; if they become equal (six query
    variations of one need, say) the first topic stays. An id twice in the file is an error.
    `query` names the element to read, as `en` where a topic has one for each language.
    """
    text = _text(path)
    wanted = ((query,) if query else TEXTS,)
    lacking = f"add <{query}>, or correct topics.query" if query else LACKING
    tagged = text.lstrip().startswith("<")
    found = list(_tagged(path, text, wanted, lacking) if tagged else _lines(path, text))
    return _named(path, found, match=match, replace=replace)


def read_parts(
    path: Path, *, parts: Sequence[str], match: str | None = None, replace: str | None = None
) -> dict[str, str]:
    """Topic id to the text of some parts (elements) of it, one after the other, ids as in `read`.

    A topic may lack a part, as long as it has one of them; a part that no topic has is an error.
    """
    text = _text(path)
    if not text.lstrip().startswith("<"):
        raise InputError(
            f"{path}: lines of id and query have no parts as '{parts[0]}'; use a file with "
            "elements, or leave out fields"
        )
    wanted = tuple(PARTS.get(part, (part,)) for part in parts)
    lacking = f"add one of {', '.join(f'<{part}>' for part in parts)}, or name other fields"
    for part, names in zip(parts, wanted, strict=True):
        if not any(re.search(rf"<{name}[\s>]", text, re.IGNORECASE) for name in names):
            raise InputError(f"{path}: no topic has the part <{part}>; name other fields")
    return _named(path, list(_tagged(path, text, wanted, lacking)), match=match, replace=replace)


def _named(
    path: Path, found: Sequence[Topic], *, match: str | None, replace: str | None
) -> dict[str, str]:
    """The texts of topics by their ids, rewritten if the config says so."""
    if not found:
        raise InputError(f"{path}: no topic found; use <top>, <topic> or <query>, or id<TAB>query")
    lines: dict[str, int] = {}
    for topic in found:
        refuse_long(path, topic.line, [topic.id])
        if topic.id in lines:
            raise InputError(
                f"{path}, line {topic.line}: topic '{topic.id}' is already in "
                f"line {lines[topic.id]}; remove one"
            )
        lines[topic.id] = topic.line
    if match is None or replace is None:
        return {topic.id: topic.text for topic in found}
    where = f"{path}: topics.id.match"
    if not any(search(match, topic.id, key=where) for topic in found):
        raise InputError(
            f"{path}: topics.id.match '{match}' matches no topic id, the first being "
            f"'{found[0].id}'; correct the expression or remove it"
        )
    renamed: dict[str, str] = {}
    for topic in found:
        renamed.setdefault(substitute(match, replace, topic.id, key=where), topic.text)
    return renamed


class Counted(NamedTuple):
    """A topic of the campaign: whether the means are over it, and its query, '' if unknown."""

    id: str
    counts: bool
    text: str


def count(
    labels: Path | None,
    *,
    file: Path | None,
    match: str | None,
    replace: str | None,
    query: str | None = None,
    policy: str,
    out: Path,
) -> None:
    """Write the topics anyone has heard of and which of them count, to `out`.

    `labels` is the table of the first labelled dimension, `file` the topics file; `policy` names
    the one whose topics count. Every measure divides by these, whatever a run leaves out.
    """
    from pipeline.labels.tables import topics_of

    labelled = set(topics_of(labels)) if labels else set()
    texts = read(file, match=match, replace=replace, query=query) if file else {}
    counting = labelled if policy == "labels" else set(texts)
    if labelled and texts and not labelled & set(texts):
        raise InputError(
            f"{file}: none of its topics, as '{next(iter(texts))}', is in the labels, as "
            f"'{min(labelled, key=natural)}'; correct topics.file or rewrite its ids with topics.id"
        )
    with atomic(out) as draft, draft.open("w", encoding="utf-8", newline="\n") as table:
        table.write("topic\tcounts\ttext\n")
        for topic in sorted(labelled | set(texts), key=natural):
            table.write(f"{topic}\t{int(topic in counting)}\t{texts.get(topic, '')}\n")


def read_counted(path: Path) -> list[Counted]:
    """What `count` wrote."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:-1])
    return [Counted(id=topic, counts=counts == "1", text=text) for topic, counts, text in rows]


def _text(path: Path) -> str:
    """The file as text, without comments, line numbers kept."""
    text = read_text(path, what="topics file", line=TOPIC_LINE)
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0:  # an expression would seek each end anew
        end = text.find("-->", start + 4)
        if end < 0:
            line = text.count("\n", 0, start) + 1
            raise InputError(f"{path}, line {line}: this <!-- is not closed; add --> where it ends")
        kept += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join([*kept, text[at:]])


def _lines(path: Path, text: str) -> Iterator[Topic]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        if "\r" in line.rstrip("\r"):
            raise InputError(
                f"{path}, line {number}: a carriage return (CR) inside the line; "
                "end every line in the same way, with LF or CRLF"
            )
        topic, tab, query = line.partition("\t")
        if not (tab and topic.strip() and query.strip()):
            raise InputError(
                f"{path}, line {number}: '{line.strip()[:60]}' is not a topic; "
                "write the topic id, a tab and the query"
            )
        yield Topic(line=number, id=topic.strip(), text=" ".join(query.split()))


def _tagged(
    path: Path, text: str, wanted: Sequence[tuple[str, ...]], lacking: str
) -> Iterator[Topic]:
    """The topics; a text is made of the first element that there is of each of the `wanted`."""
    for block in BLOCKS:
        opening = re.compile(rf"<{block}(\s[^<>]*)?>", re.IGNORECASE)
        starts = list(opening.finditer(text))
        if starts:
            break
    ends = [*(start.start() for start in starts[1:]), len(text)]
    for start, end in zip(starts, ends, strict=False):
        line = text.count("\n", 0, start.start()) + 1
        closing = re.search(rf"</{block}\s*>", text[start.end() : end], re.IGNORECASE)
        if closing is None:
            raise InputError(
                f"{path}, line {line}: this <{block}> is not closed; add </{block}> where it ends"
            )
        body = text[start.end() : start.end() + closing.start()]
        topic = _attribute(start[1] or "") or _element(body, IDS)
        topic = re.sub(r"^number\s*:\s*", "", topic, flags=re.IGNORECASE)
        query = " ".join(filter(None, (_element(body, names) for names in wanted)))
        if not topic:
            raise InputError(
                f"{path}, line {line}: this <{block}> has no topic id; add <num> or <id>"
            )
        if not query:
            raise InputError(f"{path}, line {line}: topic '{topic}' has no query; {lacking}")
        yield Topic(line=line, id=topic, text=query)


def _attribute(attributes: str) -> str:
    """The id inside the opening tag, as TREC's Web track writes it: `<topic number="1">`."""
    for name in IDS:
        found = re.search(rf"\b{name}\s*=\s*([\"'])(.*?)\1", attributes, re.IGNORECASE)
        if found:
            return _clean(found[2])
    return ""


def _element(body: str, names: tuple[str, ...]) -> str:
    """The text of the first of these elements that has any; '' if none does."""
    for name in names:
        found = re.search(
            rf"<{name}(?:\s[^<>]*)?>(?:\s*<!\[CDATA\[(.*?)\]\]>|(.*?){TAG})",
            body,
            re.IGNORECASE | re.DOTALL,
        )
        if found is None:
            continue
        if found[1] is not None:
            return " ".join(found[1].split())
        text = _clean(found[2])
        if not body[found.end() :].startswith("</"):  # SGML: TREC's own word comes first
            text = re.sub(r"^(?:Topic|Description|Narrative)\s*:\s*", "", text)
        if text:
            return text
    return ""


def _clean(text: str) -> str:
    """Entities that are surely entities resolved ('cold & flu' stays), spaces single."""
    return " ".join(ENTITY.sub(lambda entity: html.unescape(entity[0]), text).split())
