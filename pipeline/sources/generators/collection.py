"""A generated collection: pages of given readability, for documents whose pages are unavailable.

Sentence length and the share of long words rise together with FOG. Only what a readability index
counts is meaningful: the words are real, the sentences are not.
"""

from collections.abc import Sequence
from math import isnan
from pathlib import Path
from random import Random

from pipeline.config.base import Number, Patterns, Scaled, listed
from pipeline.errors import InputError, Problem
from pipeline.sources.kinds.generate import Generated, generator
from pipeline.sources.paths import expand
from pipeline.storage.atomic import atomic_folder
from pipeline.storage.text import number, read_fields

SHORT = Path(__file__).with_name("short_words.txt").read_text("utf-8").split()  # 1 or 2 syllables
LONG = Path(__file__).with_name("long_words.txt").read_text("utf-8").split()  # three or more
SENTENCES = 14
FOG = (14.0, 4.0)  # mean and standard deviation, about those of health pages on the web
LINE = "topic 0 document label"
RECORD = """#UID:{document}
#DATE:201209-06
#URL:generated
#CONTENT:
<!doctype html>
<html><head><meta name="generator" content="Fathom"><title>Generated page</title></head>
<body><article><p>{text}</p></article></body></html>
#EOR

"""


class Collection(Generated):
    """The documents that get a page, and the readability of the pages."""

    pages_for: Patterns
    """Of `collection`: label files, as path, glob, or list of them, whose documents get a page;
    also files of an earlier source, for example `"@clef/qrels/*"`."""
    least_label: Number | None = None
    """Of `collection`: only documents with at least this label; all when null."""
    fog: Scaled | None = None
    """Of `collection`: mean and standard deviation of the pages' FOG; `[14, 4]` when null."""


@generator(
    "collection",
    title="pages of given readability for documents whose pages are unavailable",
    keys=Collection,
    paths=("pages_for",),
    order=3,
)
def collection(
    folder: Path,
    *,
    seed: int,
    pages_for: str | Sequence[str],
    least_label: float | None,
    fog: tuple[float, float] | None,
) -> None:
    """Write pages.dat: a page per document with `least_label`, from its id and the seed alone."""
    records = []
    files = expand(listed(pages_for), sources=folder.parent)
    for document in _documents(files, least=least_label):
        random = Random(f"{seed}/{document}")
        text = prose(random.gauss(*(fog or FOG)), random=random)
        records.append(RECORD.format(document=document, text=text))
    with atomic_folder(folder) as draft:
        (draft / "pages.dat").write_text("".join(records), encoding="utf-8", newline="\n")


def _documents(files: Sequence[Path], *, least: float | None) -> list[str]:
    documents = set()
    for path in files:
        for line, fields in read_fields(path, what="label", line=LINE):
            if len(fields) != 4 or isnan(label := number(fields[3])):
                what = "is not a line of a label file"
                raise InputError(Problem(path, what, f"write '{LINE}'", line=line))
            if least is None or label >= least:
                documents.add(fields[2])
    if not documents:
        what = f"no document has a label of at least {least:g}"
        raise InputError(Problem(files[0], what, "lower least_label"))
    return sorted(documents)


def prose(fog: float, *, random: Random) -> str:
    """Sentences of about this FOG, 0.4 (words per sentence + percentage of long words)."""
    half = max(fog, 3.0) / 0.8  # words per sentence, and percentage of long words
    sentences = []
    owed = 0.0  # long words still to add to reach the percentage
    for _ in range(SENTENCES):
        length = max(3, round(half * random.uniform(0.8, 1.2)))
        owed += length * half / 100
        long = min(length, int(owed))
        owed -= long
        words = random.choices(SHORT, k=length - long) + random.choices(LONG, k=long)
        random.shuffle(words)
        sentences.append(" ".join(words).capitalize() + ".")
    return " ".join(sentences)
