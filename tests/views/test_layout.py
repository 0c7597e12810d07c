"""Where boxes stand."""

from itertools import combinations
from statistics import fmean

from hypothesis import given, settings
from hypothesis import strategies as st

from moot.views.layout import Layout, LayoutBox, laid_out
from moot.views.layout.heights import nearest_heights
from moot.views.layout.layers import WAYPOINTS, WAYPOINTS_A_PART, layered_graph
from moot.views.layout.orders import crossings, ordered_layers

Lines = list[tuple[int, int]]

graphs = st.integers(1, 14).flatmap(
    lambda size: st.tuples(
        st.lists(st.tuples(st.integers(20, 90), st.booleans()), min_size=size, max_size=size),
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=30),
    )
)


def boxes_of(sizes: list[tuple[int, bool]]) -> list[LayoutBox]:
    return [LayoutBox(100, height, first) for height, first in sizes]


def are_apart(boxes: list[LayoutBox], layout: Layout) -> bool:
    areas = [
        (place.x, place.y, place.x + box.width, place.y + box.height)
        for box, place in zip(boxes, layout.boxes, strict=True)
    ]
    return all(
        one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] + 1e-6 or other[3] <= one[1] + 1e-6
        for one, other in combinations(areas, 2)
    )


@settings(max_examples=80, deadline=None)
@given(graphs)
def test_no_box_stands_on_another_and_all_are_within_the_drawing(graph: tuple[list[tuple[int, bool]], Lines]) -> None:
    sizes, lines = graph
    boxes = boxes_of(sizes)

    layout = laid_out(boxes, lines)

    assert are_apart(boxes, layout)
    for box, place in zip(boxes, layout.boxes, strict=True):
        assert place.x >= 0 and place.x + box.width <= layout.width
        assert place.y >= 0 and place.y + box.height <= layout.height
    assert layout == laid_out(boxes, lines)
    assert len(layout.passages) == len(lines)


@settings(max_examples=60, deadline=None)
@given(graphs)
def test_without_circles_every_claim_stands_right_of_what_it_supports(
    graph: tuple[list[tuple[int, bool]], Lines],
) -> None:
    sizes, some = graph
    lines = [(src, dst) for src, dst in some if src > dst]
    boxes = [LayoutBox(100, height, first=number == 0) for number, (height, _) in enumerate(sizes)]

    layout = laid_out(boxes, lines)

    assert all(layout.boxes[src].x > layout.boxes[dst].x for src, dst in lines)
    assert not any(
        begin < layout.boxes[box].x + 100
        and layout.boxes[box].x < end
        and abs(layout.boxes[box].y + boxes[box].height / 2 - y) < boxes[box].height / 2
        for passages in layout.passages
        for begin, end, y in passages
        for box in range(len(boxes))
    ), "a line across a column passes between its boxes"


def test_conclusions_stand_at_the_left_edge_even_where_they_attack_each_other_or_what_supports_another() -> None:
    boxes = [LayoutBox(100, 40, first=True), LayoutBox(100, 40, first=True), LayoutBox(100, 40)]

    layout = laid_out(boxes, [(2, 0), (1, 0), (0, 1), (1, 2)])

    assert [place.layer for place in layout.boxes] == [0, 0, 1]


def test_a_claim_that_supports_nothing_stands_beside_what_supports_it_and_one_alone_below_all() -> None:
    boxes = [LayoutBox(100, 40, first=number == 0) for number in range(6)]

    layout = laid_out(boxes, [(1, 0), (2, 1), (3, 2), (3, 4)])

    assert [place.layer for place in layout.boxes[:5]] == [0, 1, 2, 3, 2]
    assert layout.boxes[5].y > max(place.y for place in layout.boxes[:5]) + 39


def test_a_circle_and_a_line_to_itself_are_laid_out_too() -> None:
    boxes = [LayoutBox(100, 40)] * 3

    layout = laid_out(boxes, [(0, 1), (1, 2), (2, 0), (1, 1), (0, 1)])

    assert sorted(place.layer for place in layout.boxes) == [0, 1, 2]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 20)), min_size=1, max_size=9))
def test_pooling_gives_the_heights_that_the_definition_of_the_nearest_rising_row_gives(
    rows: list[tuple[int, int]],
) -> None:
    wanted, sizes = [float(row[0]) for row in rows], [float(row[1]) for row in rows]

    offsets = [sum(sizes[:place]) + 2.0 * place + sizes[place] / 2 for place in range(len(rows))]
    free = [want - offset for want, offset in zip(wanted, offsets, strict=True)]
    literal = [
        max(min(fmean(free[begin : end + 1]) for end in range(place, len(rows))) for begin in range(place + 1))
        + offsets[place]
        for place in range(len(rows))
    ]
    assert all(abs(a - b) < 1e-6 for a, b in zip(nearest_heights(wanted, sizes, 2.0), literal, strict=True))


@settings(max_examples=60, deadline=None)
@given(graphs)
def test_crossings_are_those_that_one_counts_pair_by_pair(graph: tuple[list[tuple[int, bool]], Lines]) -> None:
    sizes, some = graph
    lines = [(src, dst) for src, dst in some if src != dst]
    layered = layered_graph(len(sizes), [False] * len(sizes), lines)
    layers = ordered_layers(layered, range(len(layered.layers)))
    place = {box: number for layer in layers for number, box in enumerate(layer)}

    drawn = [(layered.layers[box], box, other) for box, beside in enumerate(layered.right) for other in beside]
    literal = sum(
        one[0] == other[0] and (place[one[1]] - place[other[1]]) * (place[one[2]] - place[other[2]]) < 0
        for one, other in combinations(drawn, 2)
    )
    assert crossings(layered, layers) == literal
    assert sorted(place) == list(range(len(layered.layers)))


def test_a_tree_has_no_crossing() -> None:
    lines = [(child, (child - 1) // 3) for child in range(1, 60)]
    layered = layered_graph(60, [True] + [False] * 59, lines[::-1])

    assert crossings(layered, ordered_layers(layered, range(len(layered.layers)))) == 0


def test_ten_thousand_claims_are_laid_out() -> None:
    boxes = [LayoutBox(100, 40, first=number == 0) for number in range(10_000)]
    lines = [(number, number * 7 % 9_973 % number) for number in range(1, 10_000)]

    layout = laid_out(boxes, lines)

    assert len({(place.x, place.y) for place in layout.boxes}) == 10_000
    assert all(layout.boxes[src].x > layout.boxes[dst].x for src, dst in lines)


def test_a_chain_that_leaps_from_every_link_to_its_end_has_no_more_waypoints_than_there_is_room_for() -> None:
    size = 1_500
    boxes = [LayoutBox(100, 40, first=number == 0) for number in range(size)]
    lines = [(number, number - 1) for number in range(1, size)] + [(number, 0) for number in range(2, size)]

    layout = laid_out(boxes, lines)

    assert [place.layer for place in layout.boxes] == list(range(size))
    assert 0 < sum(map(len, layout.passages)) <= WAYPOINTS + WAYPOINTS_A_PART * (size + len(lines))
