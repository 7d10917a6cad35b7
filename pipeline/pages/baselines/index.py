"""The step that indexes: the cleansed text of every shard, one index a stemmer."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.errors import InputError
from pipeline.pages.baselines import engine
from pipeline.storage import arrow
from pipeline.storage.atomic import atomic_folder

DOCUMENTS = "documents.parquet"  # the ids by number, beside the engine's own files


def index(shards: Sequence[Path], *, stemmer: str, out: Path) -> None:
    """Index the shards' text into the folder `out`.

    The engine knows documents by number, so that any id will do. As everywhere, of a document
    with several pages the first counts; one without text keeps its place and is never found.
    """
    documents: dict[str, int] = {}

    def texts() -> Iterator[str]:
        for shard in shards:
            for batch in _batches(shard):
                for document, text in zip(
                    batch["document"].to_pylist(), batch["text"].to_pylist(), strict=True
                ):
                    if document not in documents:
                        documents[document] = len(documents)
                        yield text or ""

    if not any(_words(text) for text in texts()):
        raise InputError(
            "baselines: no page has text to index; check pages.files, or remove baselines"
        )
    documents.clear()
    with atomic_folder(out) as draft:
        held = engine.build(texts(), stemmer=stemmer, out=draft)
        if held != len(documents):
            raise RuntimeError(f"the engine indexed {held} of {len(documents)} documents")
        names = arrow.strings(list(documents))
        arrow.write(draft / DOCUMENTS, {"document": names})


def _batches(shard: Path) -> Iterator[pa.RecordBatch]:
    try:
        yield from pq.ParquetFile(shard).iter_batches(batch_size=1024, columns=["document", "text"])
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{shard}: not a readable parquet file; run cleansing again.") from error


def _words(text: str) -> bool:
    return any(letter.isascii() and letter.isalnum() for letter in text)
