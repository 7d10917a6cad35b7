"""Dimensions estimated from the pages' readability by a user model."""

from pipeline.campaign.dimension_kind import Kind
from pipeline.config.dimensions import Estimated

estimated = Kind(
    name="estimate", title="an estimated", order=2, tables="estimates", model=Estimated
)
