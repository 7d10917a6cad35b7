"""A slow, obvious reader and ranker of TREC runs: what the library's two must agree with."""

import gzip
import math
import struct
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple


class Line(NamedTuple):
    topic: str
    document: str
    rank: int
    score: float
    number: int


@dataclass(frozen=True)
class Ranked:
    """Per topic (in order of appearance) its documents and scores, and what was odd."""

    lists: dict[str, list[tuple[str, float]]]
    lines: int
    duplicates: int
    bad_scores: int
    tied: int
    top10_differs: int


def read(content: bytes) -> list[Line]:
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    content = content.removeprefix(b"\xef\xbb\xbf")
    lines = []
    end = b"\n" if b"\n" in content else b"\r"
    for number, text in enumerate(content.split(end), start=1):
        if text.split() and not text.strip().startswith(b"#"):
            topic, _, document, rank, score, _ = (field.decode() for field in text.split())
            lines.append(Line(topic, document, int(rank), float(score), number))
    return lines


def float32(score: float) -> float:
    """The score as trec_eval 9 holds it."""
    try:
        return struct.unpack("f", struct.pack("f", score))[0]
    except OverflowError:
        return math.copysign(math.inf, score)


def _key(line: Line, order: str) -> float:
    if order == "rank":
        return -line.rank
    if not math.isfinite(line.score):
        return -math.inf
    return line.score if order == "score64" else float32(line.score)


def _sorted(lines: list[Line], order: str) -> list[Line]:
    if order == "rank":
        return sorted(lines, key=lambda line: line.rank)
    return sorted(lines, key=lambda line: (_key(line, order), line.document.encode()), reverse=True)


def rank(lines: list[Line], *, order: str, depth: int = 0) -> Ranked:
    by_topic: defaultdict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_topic[line.topic].append(line)
    lists: dict[str, list[tuple[str, float]]] = {}
    duplicates = tied = differs = 0
    for topic, mine in by_topic.items():
        ordered = _sorted(mine, order)
        scored = _sorted(mine, "score32" if order == "rank" else order)
        listed = _sorted(mine, "rank")
        differs += [x.document for x in scored][:10] != [x.document for x in listed][:10]
        keys = [_key(x, "score32" if order == "rank" else order) for x in scored]
        same = [a == b for a, b in pairwise(keys)]
        tied += sum(a or b for a, b in zip([False, *same], [*same, False], strict=True))
        kept: dict[str, float] = {}
        for line in ordered:
            duplicates += line.document in kept
            kept.setdefault(line.document, line.score)
        lists[topic] = list(kept.items())[: depth or None]
    bad = sum(not math.isfinite(line.score) for line in lines)
    return Ranked(lists, len(lines), duplicates, bad, tied, differs)
