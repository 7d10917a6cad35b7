"""The picture of a page's blocks: what was kept, what was dropped, and what decided it."""

from array import array
from typing import NamedTuple

from pipeline.errors import InputError
from pipeline.pages.cleanse.decoding import utf8
from pipeline.pages.cleanse.guards import refusal
from pipeline.pages.cleanse.methods.blocks import FEW
from pipeline.pages.cleanse.scoring import HERE, KEPT, Weight, model, weights

TEMPLATE = "show.html.j2"


class Shown(NamedTuple):
    """One block: its text and score, and what each feature that it has added to the score."""

    text: str
    tag: str
    words: int
    linked: int
    score: float
    parts: tuple[tuple[str, float], ...]

    @property
    def kept(self) -> bool:
        """Whether it is text."""
        return self.score > KEPT


def shown(page: bytes) -> list[Shown]:
    """The blocks of a page, in their order."""
    made = model()
    if made is None:
        raise InputError(
            "The block method is not compiled; install a C compiler and run `make setup`."
        )
    if reason := refusal(page):
        raise InputError(f"The page is not parsed, because it is {reason}; give another one.")
    table = weights()
    return [
        Shown(
            text=block["text"],
            tag=block["tag"],
            words=block["words"],
            linked=block["linked"],
            score=round(block["score"], 2),
            parts=_parts(table, array("d", bytes(block["features"]))),
        )
        for block in made.describe(utf8(page))
    ]


def _parts(table: list[Weight], values: "array[float]") -> tuple[tuple[str, float], ...]:
    """What each feature added, the largest first; the score all begin with is not one of them."""
    added = [
        (row.name, round(row.weight * value, 2))
        for row, value in zip(table[1:], values[1:], strict=True)
    ]
    return tuple(sorted((part for part in added if part[1]), key=lambda part: -abs(part[1])))


def picture(page: bytes, *, title: str) -> str:
    """An HTML page that shows the blocks of another."""
    import jinja2

    blocks = shown(page)
    words = sum(block.words for block in blocks if block.kept)
    files = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return files.get_template(TEMPLATE).render(
        title=title, blocks=blocks, begin=weights()[0].weight, words=words, few=FEW
    )
