"""The shards put together: one table of readability, and what the collection amounted to."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.storage.atomic import atomic


def merge(
    shards: Sequence[Path],
    *,
    facts: Sequence[Path] = (),
    wanted: Path | None = None,
    out: Path,
    missing: Path,
    summary: Path,
) -> None:
    """Write the shards one after the other to `out`, a part at a time: memory stays flat.

    A document that has several pages keeps the first; the others are counted. Documents that were
    `wanted` and not found are listed in `missing`; `summary` has the counts for the report.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    asked = set(wanted.read_text(encoding="utf-8").splitlines()) if wanted else set()
    keys = [_keys(shard) for shard in shards]
    every = np.concatenate([np.empty(0, np.uint64), *keys])
    first = np.zeros(len(every), bool)
    first[np.unique(every, return_index=True)[1]] = True
    reasons: Counter[str] = Counter()
    at = 0
    with atomic(out) as draft, pq.ParquetWriter(draft, pq.read_schema(shards[0])) as writer:
        for shard in shards:
            for batch in pq.ParquetFile(shard).iter_batches(batch_size=1 << 14):
                kept = first[at : at + len(batch)]
                at += len(batch)
                if not kept.all():
                    batch = batch.filter(pa.array(kept.tolist()))
                reasons.update(batch["reason"].to_pylist())
                asked.difference_update(batch["document"].to_pylist())
                writer.write_batch(batch)
    with atomic(missing) as draft:
        lines = "".join(f"{document}\n" for document in sorted(asked))
        draft.write_text(lines, encoding="utf-8", newline="\n")
    notes = [note for path in facts for note in json.loads(path.read_text("utf-8"))["notes"]]
    found: dict[str, Any] = {
        "documents": int(first.sum()),
        "doubles": int(len(first) - first.sum()),
        "reasons": {reason: n for reason, n in sorted(reasons.items()) if reason},
        "missing": len(asked),
        "notes": sorted(set(notes)),
    }
    with atomic(summary) as draft:
        draft.write_text(json.dumps(found, indent=1), encoding="utf-8")


def _keys(shard: Path) -> NDArray[np.uint64]:
    """Eight bytes for every document id, so that a million of them fit in memory with ease."""
    import pyarrow.parquet as pq

    made = bytearray()
    for batch in pq.ParquetFile(shard).iter_batches(batch_size=1 << 14, columns=["document"]):
        for document in batch["document"].to_pylist():
            made += hashlib.blake2b(document.encode(), digest_size=8).digest()
    return np.frombuffer(bytes(made), np.uint64)
