"""Precision at a cutoff."""

from pipeline.gains.gains import View
from pipeline.measures.declaration import measure
from pipeline.storage.arrays import Floats


@measure(
    "P",
    title="Precision at k",
    formula="1/k * sum_(i<=k) g(i)",
    citation="van Rijsbergen, Information Retrieval, 1979",
    cutoff="required",
    expected="linear",
)
def precision(view: View) -> Floats:
    """The share of the first k ranks that is relevant; a short list is filled with nothing."""
    assert view.cut is not None
    values: Floats = view.total / view.cut
    return values
