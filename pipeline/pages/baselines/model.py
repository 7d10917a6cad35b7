"""Retrieval models, declared in `models`: the engine's scorer and its parameters."""

from dataclasses import dataclass

from pipeline.registry import Catalogue, Entry


@dataclass(frozen=True, kw_only=True)
class Model(Entry):
    """A retrieval model: the engine's name for it, and the config keys of its parameters."""

    scorer: str
    reads: tuple[str, ...] = ()


MODELS = Catalogue("retrieval model", "pipeline.pages.baselines.models", of=Model)
