r"""Topics files: the query of each topic id.

Campaigns write them as XML (often not well-formed: stray ampersands, wrong closing tags), as TREC's
SGML (tags never closed, `<num> Number: 301`), or as lines of id and text. So this module reads only
the tags it needs. An XML parser would refuse half of the real files.
"""

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pipeline.config.topics import Rename, Topics
from pipeline.errors import InputError, Problem
from pipeline.storage.atomic import write_text
from pipeline.storage.expressions import search, substitute
from pipeline.storage.text import natural, read_text, refuse_long

TOPIC_LINE = "id<TAB>query"

BLOCKS = ("top", "topic", "query")  # the element that is one topic; the first one present
IDS = ("num", "id", "number")
TEXTS = ("title", "query", "desc", "description")
NO_QUERY = "add <title> or <query>, or name its element with topics.query"
# Names of the parts of a topic in different campaigns.
PARTS = {"description": ("desc", "description"), "narrative": ("narr", "narrative")}
PARTS |= {names[0]: names for names in PARTS.values()}
TAG = r"(?=</?[A-Za-z!?]|\Z)"  # the end of an element's text; the < of 'BMI < 20' is text
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#[xX][0-9a-fA-F]+);")


class TopicEntry(NamedTuple):
    """One topic of the file."""

    line: int
    id: str
    text: str


def read(
    path: Path, *, rename: Rename | None = None, query: str | None = None, parts: Sequence[str] = ()
) -> dict[str, str]:
    r"""Topic id to query text, in the order of the file.

    `rename` rewrites ids as `re.sub` does; of topics whose ids become equal (for example six query
    variations of one need), the first one stays. An id that occurs twice in the file is an error.
    `query` names the element to read, for example `en` in topics in several languages. `parts`
    names several elements, whose texts are joined. Each topic must have at least one of them, and
    each of them must occur in a topic.
    """
    text = _text(path)
    tagged = text.lstrip().startswith("<")
    elements: tuple[tuple[str, ...], ...] = ((query,) if query else TEXTS,)
    fix = f"add <{query}>, or correct topics.query" if query else NO_QUERY
    if parts:
        elements = tuple(PARTS.get(part, (part,)) for part in parts)
        fix = f"add one of {', '.join(f'<{part}>' for part in parts)}, or name other fields"
        _refuse_absent(path, text if tagged else None, parts, elements)
    topics = list(_tagged(path, text, elements, fix) if tagged else _lines(path, text))
    if not topics:
        fix = "use <top>, <topic> or <query>, or id<TAB>query"
        raise InputError(Problem(path, "no topic found", fix))
    lines: dict[str, int] = {}
    for topic in topics:
        refuse_long(path, topic.line, [topic.id])
        if topic.id in lines:
            what = f"topic '{topic.id}' is already in line {lines[topic.id]}"
            raise InputError(Problem(path, what, "remove one", line=topic.line))
        lines[topic.id] = topic.line
    if rename is None:
        return {topic.id: topic.text for topic in topics}
    match, where = rename.match, f"{path}: topics.id.match"
    if not any(search(match, topic.id, key=where) for topic in topics):
        what = f"topics.id.match '{match}' matches no topic id, the first being '{topics[0].id}'"
        raise InputError(Problem(path, what, "correct the expression or remove it"))
    renamed: dict[str, str] = {}
    for topic in topics:
        renamed.setdefault(substitute(match, rename.replace, topic.id, key=where), topic.text)
    return renamed


def _refuse_absent(
    path: Path, text: str | None, parts: Sequence[str], elements: Sequence[tuple[str, ...]]
) -> None:
    """Refuse parts that no topic has."""
    if text is None:
        what = f"lines of id and query have no part '{parts[0]}'"
        raise InputError(Problem(path, what, "use a file with elements, or leave out fields"))
    for part, names in zip(parts, elements, strict=True):
        if not any(re.search(rf"<{name}[\s>]", text, re.IGNORECASE) for name in names):
            raise InputError(Problem(path, f"no topic has the part <{part}>", "name other fields"))


class CampaignTopic(NamedTuple):
    """A topic of the campaign: whether the means include it, and its query, '' if unknown."""

    id: str
    counts: bool
    text: str


def count(
    labels: Path | None, *, file: Path | None, topics: Topics | None, policy: str, out: Path
) -> None:
    """Write all topics, and which of them count, to `out`.

    `labels` is the table of the first labelled dimension, `file` the topics file; `policy` names
    the one whose topics count. All means are over the topics that count, also those that a run
    leaves out.
    """
    from pipeline.labels.tables import topics_of

    labelled = set(topics_of(labels)) if labels else set()
    texts = read(file, rename=topics.id, query=topics.query) if file and topics else {}
    counting = labelled if policy == "labels" else set(texts)
    if labelled and texts and not labelled & set(texts):
        what = f"none of its topics, for example '{next(iter(texts))}', is in the labels, "
        what += f"which have for example '{min(labelled, key=natural)}'"
        fix = "correct topics.file or rewrite its ids with topics.id"
        raise InputError(Problem(str(file), what, fix))
    ids = sorted(labelled | set(texts), key=natural)
    rows = (f"{topic}\t{int(topic in counting)}\t{texts.get(topic, '')}\n" for topic in ids)
    write_text(out, "topic\tcounts\ttext\n" + "".join(rows))


def read_counted(path: Path) -> list[CampaignTopic]:
    """The topics that `count` wrote."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:-1])
    return [CampaignTopic(topic, counts == "1", text) for topic, counts, text in rows]


def _text(path: Path) -> str:
    """The file as text, without comments, line numbers kept."""
    text = read_text(path, what="topics file", line=TOPIC_LINE)
    # Checked first: with many unclosed comments the expression takes quadratic time.
    if (start := text.find("<!--", text.rfind("-->") + 1)) >= 0:
        what, fix = "this <!-- is not closed", "add --> where it ends"
        raise InputError(Problem(path, what, fix, line=text.count("\n", 0, start) + 1))
    return COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)


def _lines(path: Path, text: str) -> Iterator[TopicEntry]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        if "\r" in line.rstrip("\r"):
            what = "a carriage return (CR) inside the line"
            fix = "end all lines with LF, or all with CRLF"
            raise InputError(Problem(path, what, fix, line=number))
        topic, tab, query = line.partition("\t")
        if not (tab and topic.strip() and query.strip()):
            what = f"'{line.strip()[:60]}' is not a topic"
            fix = "write the topic id, a tab and the query"
            raise InputError(Problem(path, what, fix, line=number))
        yield TopicEntry(line=number, id=topic.strip(), text=" ".join(query.split()))


def _tagged(
    path: Path, text: str, elements: Sequence[tuple[str, ...]], no_query: str
) -> Iterator[TopicEntry]:
    """The topics; the query joins, of each tuple of `elements`, the first that has text."""
    for block in BLOCKS:
        starts = list(re.finditer(rf"<{block}(\s[^<>]*)?>", text, re.IGNORECASE))
        if starts:
            break
    ends = [*(start.start() for start in starts[1:]), len(text)]
    for start, end in zip(starts, ends, strict=False):
        line = text.count("\n", 0, start.start()) + 1
        closing = re.search(rf"</{block}\s*>", text[start.end() : end], re.IGNORECASE)
        if closing is None:
            what, fix = f"this <{block}> is not closed", f"add </{block}> where it ends"
            raise InputError(Problem(path, what, fix, line=line))
        body = text[start.end() : start.end() + closing.start()]
        topic = _attribute(start[1] or "") or _element(body, IDS)
        topic = re.sub(r"^number\s*:\s*", "", topic, flags=re.IGNORECASE)
        query = " ".join(filter(None, (_element(body, names) for names in elements)))
        if not topic:
            what = f"this <{block}> has no topic id"
            raise InputError(Problem(path, what, "add <num> or <id>", line=line))
        if not query:
            raise InputError(Problem(path, f"topic '{topic}' has no query", no_query, line=line))
        yield TopicEntry(line=line, id=topic, text=query)


def _attribute(attributes: str) -> str:
    """The id in the opening tag, as in TREC's Web track: `<topic number="1">`."""
    forms = (rf"\b{name}\s*=\s*([\"'])(.*?)\1" for name in IDS)
    matches = (re.search(form, attributes, re.IGNORECASE) for form in forms)
    return next((_clean(match[2]) for match in matches if match), "")


def _element(body: str, names: tuple[str, ...]) -> str:
    """The text of the first of these elements that has text; '' if none has."""
    for name in names:
        element = rf"<{name}(?:\s[^<>]*)?>(?:\s*<!\[CDATA\[(.*?)\]\]>|(.*?){TAG})"
        match = re.search(element, body, re.IGNORECASE | re.DOTALL)
        if match is None:
            continue
        if match[1] is not None:
            return " ".join(match[1].split())
        text = _clean(match[2])
        if not body[match.end() :].startswith("</"):  # SGML: the text begins with a label
            text = re.sub(r"^(?:Topic|Description|Narrative)\s*:\s*", "", text)
        if text:
            return text
    return ""


def _clean(text: str) -> str:
    """Resolve unambiguous entities ('cold & flu' stays), and join words by single spaces."""
    return " ".join(ENTITY.sub(lambda entity: html.unescape(entity[0]), text).split())
