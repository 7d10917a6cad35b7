"""A user model: one declared function of an index and a threshold, in a module of `models`."""

from dataclasses import dataclass

from pipeline.registry import Catalogue, Declared


@dataclass(frozen=True, kw_only=True)
class UserModel(Declared[[float, float], float]):
    """A user model: called with index and threshold it returns the chance to understand.

    The index is such that low is easy; others come with their sign changed.
    """

    formula: str


user_model = UserModel.declare
MODELS = Catalogue("user model", "pipeline.pages.user_models.models", of=UserModel)
