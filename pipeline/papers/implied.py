"""What printed figures imply about the experiment behind them."""

from collections.abc import Sequence


def fitting(values: Sequence[float], *, places: int, largest: int = 130) -> list[int]:
    """The numbers of runs without ties for which Kendall's tau can round to all the values.

    Of n runs tau is 1 - 2k / (n(n-1)/2) for a whole number k of swapped pairs.

    >>> fitting([0.333], places=3, largest=7)
    [3, 4, 6, 7]
    """
    return [
        n
        for n in range(2, largest)
        if all(_possible(value, pairs=n * (n - 1) // 2, places=places) for value in values)
    ]


def _possible(value: float, *, pairs: int, places: int) -> bool:
    nearest = round((1 - value) / 2 * pairs)
    return any(
        abs(round(1 - 2 * swapped / pairs, places) - value) < 10**-places / 10
        for swapped in (nearest - 1, nearest, nearest + 1)
        if 0 <= swapped <= pairs
    )
