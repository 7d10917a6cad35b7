"""The distance of a document's gains to the best there could be."""

import numpy as np

from pipeline.measures.declaration import combination
from pipeline.storage.arrays import Floats


@combination(
    "TOMA",
    of="gains",
    title="Total order multi-aspect evaluation",
    formula="g = 1 - sqrt(sum_d w(d) (1 - g_d)^2 / sum_d w(d))",
    citation="Maistro, Lima, Simonsen & Lioma, Principled multi-aspect evaluation measures of "
    "rankings, CIKM 2021 (Euclidean distance, here over gains in [0, 1])",
)
def distance(parts: list[Floats], weights: tuple[float, ...]) -> Floats:
    """Documents in order of their distance to the document that is best in every dimension.

    The gain is the share of the largest possible distance that a document spares the user: 1 at
    the best tuple of gains, 0 at the worst.
    """
    far = weights[0] * (1 - parts[0]) ** 2
    for weight, part in zip(weights[1:], parts[1:], strict=True):
        far = far + weight * (1 - part) ** 2
    # Rounding must not put the worst tuple a hair below 0.
    return np.asarray(np.maximum(1 - np.sqrt(far / sum(weights)), 0.0))
