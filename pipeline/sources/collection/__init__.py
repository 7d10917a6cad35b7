"""A generated collection: pages of a planned readability, for documents whose own are lost.

Sentence length and share of long words rise together with FOG. The words are real and the
sentences are not: only what a readability index counts is planned.
"""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from pipeline.errors import InputError, Problem
from pipeline.sources.paths import expand
from pipeline.storage.atomic import atomic_folder
from pipeline.storage.text import number, read_text

PLAIN = Path(__file__).with_name("plain.txt").read_text("utf-8").split()  # one or two syllables
LONG = Path(__file__).with_name("long.txt").read_text("utf-8").split()  # three or more
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


def write(
    folder: Path,
    *,
    pages_for: Sequence[str],
    least_label: float | None,
    fog: Sequence[float],
    seed: int,
) -> None:
    """Write pages.dat: one page for each document of the label files with `least_label` or more.

    The page of a document depends on its id and the seed alone.
    """
    records = []
    for document in _documents(expand(pages_for, sources=folder.parent), least=least_label):
        random = Random(f"{seed}/{document}")
        text = prose(random.gauss(*fog), random=random)
        records.append(RECORD.format(document=document, text=text))
    with atomic_folder(folder) as draft:
        (draft / "pages.dat").write_text("".join(records), encoding="utf-8", newline="\n")


def _documents(files: Sequence[Path], *, least: float | None) -> list[str]:
    documents = set()
    for path in files:
        text = read_text(path, what="label", line=LINE)
        for line, row in enumerate(text.splitlines(), start=1):
            fields = row.split()
            if not fields:
                continue
            if len(fields) != 4 or number(fields[3]) != number(fields[3]):
                raise InputError(Problem(path, "not a label", f"write {LINE}", line=line))
            if least is None or number(fields[3]) >= least:
                documents.add(fields[2])
    if not documents:
        if least is None:
            raise InputError(Problem(files[0], "holds no label", f"write lines {LINE}"))
        what = f"no document has a label of {least:g} or more"
        raise InputError(Problem(files[0], what, "lower least_label"))
    return sorted(documents)


def prose(fog: float, *, random: Random) -> str:
    """Sentences of about this FOG, .4 (words per sentence + percent of long words)."""
    half = max(fog, 3.0) / 0.8  # words per sentence, and percent of long words
    sentences = []
    owed = 0.0  # long words that the sentences so far are short of
    for _ in range(SENTENCES):
        length = max(3, round(half * random.uniform(0.8, 1.2)))
        owed += length * half / 100
        long = min(length, int(owed))
        owed -= long
        words = random.choices(PLAIN, k=length - long) + random.choices(LONG, k=long)
        random.shuffle(words)
        sentences.append(" ".join(words).capitalize() + ".")
    return " ".join(sentences)
