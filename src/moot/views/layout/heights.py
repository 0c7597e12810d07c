"""At which height each box of a layer stands: as near to its neighbours as the boxes above and below it allow."""

from collections.abc import Sequence

SWEEPS = 6


def settled_heights(
    layers: Sequence[Sequence[int]],
    left: Sequence[Sequence[int]],
    right: Sequence[Sequence[int]],
    sizes: Sequence[float],
    gap: float,
) -> dict[int, float]:
    """Return the middle of each box; in each layer they keep their order and stay `gap` apart."""
    middles = {box: height for layer in layers for box, height in zip(layer, _stacked(layer, sizes, gap), strict=True)}
    for sweep in range(SWEEPS):
        # To the right, to the left, and at last by the neighbours of both sides, so that lines run straight through.
        sides = (left,) if sweep % 2 == 0 else (right,)
        sides = (left, right) if sweep >= SWEEPS - 2 else sides
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = [_wanted([middles[other] for side in sides for other in side[box]], middles[box]) for box in layer]
            middles.update(zip(layer, nearest_heights(wanted, [sizes[box] for box in layer], gap), strict=True))
    return middles


def nearest_heights(wanted: Sequence[float], sizes: Sequence[float], gap: float) -> list[float]:
    """Return heights as near to the wanted ones as can be, by the sum of squares, with boxes `gap` apart.

    Less the room that the boxes above take, heights must not fall: where wanted ones do, neighbours are pooled and
    have their mean.
    """
    offsets = _stacked(range(len(sizes)), sizes, gap)
    pools: list[tuple[float, int]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        total, count = want - offset, 1
        while pools and pools[-1][0] * count >= total * pools[-1][1]:
            above, many = pools.pop()
            total, count = total + above, count + many
        pools.append((total, count))
    levels = [total / count for total, count in pools for _ in range(count)]
    return [level + offset for level, offset in zip(levels, offsets, strict=True)]


def _wanted(near: Sequence[float], otherwise: float) -> float:
    return sum(near) / len(near) if near else otherwise


def _stacked(layer: Sequence[int], sizes: Sequence[float], gap: float) -> list[float]:
    """The middles of boxes that stand directly below each other."""
    middles, top = [], 0.0
    for box in layer:
        middles.append(top + sizes[box] / 2)
        top += sizes[box] + gap
    return middles
