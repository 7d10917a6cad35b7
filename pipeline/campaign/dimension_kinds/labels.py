"""A dimension with human labels: files in qrels form and how they become gains."""

from pipeline.campaign.dimension_kind import Kind
from pipeline.config.dimensions import Labelled

labelled = Kind(name="labels", title="a labelled", order=1, tables="labels", model=Labelled)
