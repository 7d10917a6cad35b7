"""User models of readability, declared in `models` as functions of an index and a threshold."""

from dataclasses import dataclass

from pipeline.registry import Catalogue, Declared


@dataclass(frozen=True, kw_only=True)
class UserModel(Declared[[float, float], float]):
    """A user model: the probability of understanding a page, by its index and a threshold.

    Low values of the index are easy; indices with the opposite direction are negated.
    """

    formula: str


user_model = UserModel.declare
MODELS = Catalogue("user model", "pipeline.pages.user_models.models", of=UserModel)
