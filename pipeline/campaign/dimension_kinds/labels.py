"""Dimensions with human labels: files in qrels format and their mapping to gains."""

from pipeline.campaign.dimension_kind import Kind
from pipeline.config.dimensions import Labelled

labelled = Kind(name="labels", title="a labelled", order=1, tables="labels", model=Labelled)
