"""One chart of a section, for the page and for paper."""

from dataclasses import dataclass
from typing import Any

from pipeline.report.drawing import Spec

SHOWN = "shown"  # the dataset of a chart of one measure, which the page's script fills
BUTTONS = "zoom.html.j2"  # the template of those that enlarge a chart


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One chart; `name` is its place on the page (data-chart) and its file among the figures."""

    name: str
    title: str
    spec: Spec
    filled: bool = False  # the page's script fills SHOWN, from the numbers the page holds anyway
    around: int = 60  # pixels it needs around its plot
    wide: bool = False  # on paper: over two columns

    @property
    def height(self) -> int:
        """The height to keep free on the page, so that drawing it late moves nothing.

        A chart of several panels has no height of its own: it is all in `around`.
        """
        return int(self.spec.get("height", 0)) + self.around

    @property
    def for_page(self) -> Spec:
        """The specification without the data the page has anyway."""
        if not self.filled:
            return self.spec
        return {**self.spec, "datasets": {**self.spec["datasets"], SHOWN: []}}

    @property
    def for_paper(self) -> dict[str, Any]:
        """What the figures are drawn from (see `figures`)."""
        return {"title": self.title, "wide": self.wide, "spec": self.spec}
