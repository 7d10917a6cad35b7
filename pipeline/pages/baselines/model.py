"""A retrieval model, declared in a module of `models`: a scorer of the engine, and its settings."""

from dataclasses import dataclass

from pipeline.registry import Catalogue, Entry


@dataclass(frozen=True, kw_only=True)
class Model(Entry):
    """A retrieval model: what the engine calls it, and the keys that are its parameters."""

    scorer: str
    reads: tuple[str, ...] = ()


MODELS = Catalogue("retrieval model", "pipeline.pages.baselines.models", of=Model)
