"""User models of readability, declared in `models` as functions of an index and a threshold."""

from dataclasses import dataclass

from pipeline.registry import Catalogue, Declared


@dataclass(frozen=True, kw_only=True)
class UserModel(Declared[[float, float], float]):
    """A user model: the probability of understanding a page, by its index and a threshold.

    The threshold is the most difficult text that a user is comfortable with (FOG 10, 15 and 20 in
    Zuccon, ECIR 2016). Low values are easy; indices with the opposite direction are negated.
    """

    formula: str


user_model = UserModel.declare
MODELS = Catalogue("user model", "pipeline.pages.user_models.models", of=UserModel)
