"""Charts: their labels are inside them and apart, their figures in a table, their finding in their label."""

import re
from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from moot.core.panes import ChartSeries, LineChart, MatrixChart, PathPicture
from moot.views.charts import (
    AmountBar,
    CallBar,
    IntervalPoint,
    ReliabilityPoint,
    StratumPoint,
    calls_chart,
    day_columns,
    intervals_chart,
    line_chart,
    matrix_chart,
    named_bars,
    path_picture,
    reliability_chart,
    strata_chart,
)
from moot.views.charts.frames import SIZE, even_ticks
from moot.views.text_widths import text_width
from tests.views.graphs import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"
LONG = "a series with a name that is longer than any chart has room for, and longer still"

LOOPS = LineChart(
    "H rises to 0.72",
    tuple(f"{number} level" for number in range(8)),
    (
        ChartSeries("H", (0.38, 0.38, None, 0.72, 0.72, 0.72, 0.72, 0.72), "good"),
        ChartSeries("least C", (0.72,) * 8),
        ChartSeries("D scheduled", (0.5, 0.71), "warn", dashed=True),
        ChartSeries("nothing", (None,) * 8),
    ),
    (("needed: H > 0.90", 0.9), ("far above", 9.0)),
)
PAIRS = MatrixChart(
    "m1 and m2 agree",
    ("m1", LONG),
    ("m1", "m2"),
    ((None, 0.54), (1.7, -1.0)),
    parts=(("", "similarity 0.5"), ("", "")),
    caption="loop 3",
)
WAYS = PathPicture(
    "one way through three places",
    (("a", "causes"), ("b", LONG), ("c", "end")),
    (("a", "b", "leads to"), ("a", "b", "also"), ("b", "a", "back"), ("c", "c", "itself"), ("a", "gone", "x")),
    (("path 1", ("a", "b", "c")), ("path 2", ("a", "b")), ("none", ())),
)
BARS = (
    CallBar("m1", "run/r1", 0.0, 2.0, 400, 0.01),
    CallBar("m1", "run/r2", 1.0, 2.0, None, None, "timeout"),
    CallBar("m1", "run/r3", 2.0, 1.0, running=True),
    CallBar("ghost", "run/r4", 0.0, 0.0),
)
ARMS = tuple(IntervalPoint(f"arm number {number}", 400.0 * (1 + number / 10), 0.4, 0.17, 0.69) for number in range(6))
DAYS = (
    AmountBar("2026-01-30", 4.0, "4"),
    AmountBar("2026-01-31", 0.0, "0"),
    AmountBar("2026-02-01", 2.0, "2, and more", partly=True),
)

CHARTS = {
    "lines": line_chart(LOOPS),
    "no lines": line_chart(LineChart("nothing yet", (), ())),
    "one place": line_chart(LineChart("one", ("only",), (ChartSeries(LONG, (2.5,)),))),
    "many places": line_chart(LineChart("many", tuple(map(str, range(300))), (ChartSeries("x", (0.5,) * 300),))),
    "hostile": line_chart(LineChart(HOSTILE, (HOSTILE,), (ChartSeries(HOSTILE, (0.5,)),), ((HOSTILE, 0.5),))),
    "matrix": matrix_chart(PAIRS),
    "small": matrix_chart(MatrixChart(HOSTILE, ("a",), ("b",), ((0.5,),), small=True, caption=HOSTILE)),
    "paths": path_picture(WAYS),
    "hostile paths": path_picture(PathPicture(HOSTILE, ((HOSTILE, HOSTILE),), (), ((HOSTILE, (HOSTILE,)),))),
    "calls": calls_chart(BARS, {"m1": 1, "m14": 14}),
    "no calls": calls_chart((), {}),
    "hostile calls": calls_chart([CallBar(HOSTILE, HOSTILE, 0, 1, problem=HOSTILE)], {}),
    "intervals": intervals_chart("no two arms differ", "tokens", ARMS),
    "no intervals": intervals_chart("nothing", "dollars", ()),
    "strata": strata_chart("interrogation", "support width", [StratumPoint("1", 1, 3, 0.06, 0.79)]),
    "no strata": strata_chart(LONG, "resilience", ()),
    "hostile strata": strata_chart(HOSTILE, HOSTILE[:10], [StratumPoint(HOSTILE, 12, 345, 0.0, 1.0)] * 4),
    "reliability": reliability_chart("well", {"votes": [ReliabilityPoint(0.5, 1.0, 3)], HOSTILE: []}),
}

CHARTS |= {
    f"amounts: {name}": chart
    for name, chart in {
        "days": day_columns("calls by day", DAYS),
        "many days": day_columns("a quarter", [AmountBar(f"2026-01-{n:02}", n * 1e7, str(n)) for n in range(92)]),
        "a few": day_columns("few", [AmountBar("2026-01-01", 3, "3")]),
        "none": day_columns("nothing", ()),
        "names": named_bars("by model", [AmountBar(LONG, 0.0, "0"), AmountBar("b", 7.5, LONG, partly=True)]),
        "no names": named_bars("nothing", ()),
        "hostile days": day_columns(HOSTILE, [AmountBar(HOSTILE[:10], 1.0, HOSTILE)]),
        "hostile names": named_bars(HOSTILE, [AmountBar(HOSTILE, 1.0, HOSTILE)]),
    }.items()
}
"""Their figures are the table of the page that they stand on."""


def drawn(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(html)


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_is_well_formed_has_a_finding_for_its_label_and_nothing_that_a_page_forbids(name: str) -> None:
    root = drawn(CHARTS[name])

    pictures = list(root.iter(f"{SVG}svg"))
    assert pictures
    assert all(each.attrib["aria-label"] for each in pictures)
    # What a picture holds is not told where it is one image: a stop of the keyboard would be lost in it.
    stops = {each: bool(each.findall(".//*[@tabindex]")) for each in pictures}
    assert all(each.attrib["role"] == ("group" if has_stops else "img") for each, has_stops in stops.items())
    assert "<script" not in CHARTS[name] and "style=" not in CHARTS[name] and "\u202e" not in CHARTS[name]
    assert name == "small" or name.startswith("amounts:") or root.find(".//details//table") is not None


@pytest.mark.parametrize("name", CHARTS)
def test_every_label_is_inside_its_chart(name: str) -> None:
    for picture in drawn(CHARTS[name]).iter(f"{SVG}svg"):
        _, _, width, height = map(float, picture.attrib["viewBox"].split())
        for text in picture.iter(f"{SVG}text"):
            words = text.text or ""
            look = text.attrib["class"].split()[0]
            size = {"words": 12.0, "place": 10.0}.get(look, SIZE)
            wide = float(text.get("textLength") or text_width(words, size, bold=look in ("end", "head")))
            left = float(text.attrib["x"]) - {"middle": wide / 2, "end": wide}.get(text.get("text-anchor", ""), 0.0)
            assert left >= -1 and left + wide <= width + 6, words
            assert 0 < float(text.attrib["y"]) <= height, words


def test_a_line_chart_has_a_tooltip_a_point_breaks_at_a_gap_and_moves_labels_apart() -> None:
    root = drawn(CHARTS["lines"])

    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert len(titles) == 7 + 8 + 2
    assert "3 level: H 0.72" in titles
    [good] = [group for group in root.iter(f"{SVG}g") if group.get("class") == "series tone-good"]
    assert len([path for path in good.iter(f"{SVG}path") if path.get("class") == "way"]) == 2
    ends = sorted(float(t.attrib["y"]) for t in root.iter(f"{SVG}text") if t.attrib["class"].startswith("end"))
    assert len(ends) == 3
    assert all(other - one >= 13.9 for one, other in pairwise(ends))
    assert "needed: H &gt; 0.90" in CHARTS["lines"] and "far above" not in CHARTS["lines"]
    [row] = [row for row in root.iter("tr") if row.findtext("th") == "2 level"]
    assert [cell.text for cell in row.iter("td")] == ["–", "0.72", "–", "–"]  # noqa: RUF001


def test_a_matrix_is_darker_where_it_is_larger_and_says_what_a_figure_is_made_of() -> None:
    root = drawn(CHARTS["matrix"])

    heat = [float(rect.attrib["fill-opacity"]) for rect in root.iter(f"{SVG}rect") if rect.get("class") == "heat"]
    assert heat == [0.33, 0.56, 0.06]
    assert root.findtext("figcaption") == "loop 3"


def test_a_matrix_tells_what_a_figure_is_made_of_to_a_pointer_and_once_a_pair_to_the_keyboard() -> None:
    told = [each for each in drawn(CHARTS["matrix"]).iter(f"{SVG}g") if each.get("class") == "told"]

    words = "m1, m2: 0.54 (similarity 0.5)"
    assert words in [each.attrib["aria-label"] for each in told]
    assert [text.text for text in told[0].iter(f"{SVG}text") if text.get("class") == "telling"] == [
        told[0].attrib["aria-label"]
    ]
    assert len(told) == 1 and told[0].attrib["tabindex"] == "0"

    seats = replace(
        PAIRS, rows=("m1", "m2"), seats=True, parts=(("", "of it"), ("of it", "")), values=((None, 0.5), (0.5, 1))
    )
    both = [each for each in drawn(matrix_chart(seats)).iter(f"{SVG}g") if each.get("class") == "told"]
    assert [(each.attrib["aria-label"], each.get("tabindex")) for each in both] == [
        ("m1, m2: 0.50 (of it)", "0"),
        ("m2, m1: 0.50 (of it)", None),
    ]


def test_ways_are_drawn_in_their_hues_and_told_in_words() -> None:
    root = drawn(CHARTS["paths"])

    looks = [group.attrib["class"] for group in root.iter(f"{SVG}g")]
    assert sorted(look for look in looks if look.startswith("road")) == ["road line-1", "road line-1", "road line-2"]
    assert looks.count("link") == 2
    assert next(" ".join("".join(item.itertext()).split())[:20] for item in root.iter("li")).startswith(
        "path 1 causes →"
    )


def test_calls_at_the_same_time_stand_in_lanes_and_one_that_failed_says_why() -> None:
    root = drawn(CHARTS["calls"])

    bars = {str(bar.findtext(f"{SVG}title")): bar.attrib for bar in root.iter(f"{SVG}rect")}
    first, third, failed, ghost = bars.values()
    assert list(bars) == [
        "m1: run/r1, 2.0 s, 400 tokens, $0.0100",
        "m1: run/r3, 1.0 s, under way",
        "m1: run/r2, 2.0 s, timeout",
        "ghost: run/r4, 0.0 s",
    ]
    assert first["y"] == third["y"] != failed["y"]
    assert (failed["class"], third["class"], ghost["class"]) == ("bar failed", "bar seat-1 running", "bar")


def test_labels_of_arms_that_lie_close_together_do_not_collide() -> None:
    texts = [t for t in drawn(CHARTS["intervals"]).iter(f"{SVG}text") if t.attrib["class"].startswith("end")]

    places = []
    for text in texts:
        x, y = float(text.attrib["x"]), float(text.attrib["y"])
        places.append((x, y - 11, x + text_width(text.text or "", SIZE, bold=True), y + 3))
    assert len(places) == len(ARMS)
    for one, other in combinations(places, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_costs_that_differ_much_stand_by_their_powers() -> None:
    far = intervals_chart(
        "f", "tokens", [IntervalPoint("a", 10, 0.5, 0.2, 0.8), IntervalPoint("b", 1000, 0.5, 0.2, 0.8)]
    )

    centres = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', far)]
    ticks = re.findall(r'class="tick"[^>]*>([\dk.]+)<', far)
    assert ticks == ["10", "30", "100", "300", "1k"] or ticks[:5] == ["10", "30", "100", "300", "1k"]
    assert centres[0] < 100 < 400 < centres[1]


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (0.0, 0.007), (0.0, 61.0), (-3.0, 4.0), (0.0, 12_345.0), (2.0, 2.0)]
)
def test_ticks_are_few_round_and_within_the_axis(low: float, high: float) -> None:
    ticks = even_ticks(low, high)

    assert 1 <= len(ticks) <= 8
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in ticks)
    assert len({round(other - one, 9) for one, other in pairwise(ticks)}) <= 1


def test_an_amount_is_as_high_as_it_is_large_says_itself_and_is_open_where_some_is_unknown() -> None:
    bars = list(drawn(CHARTS["amounts: days"]).iter(f"{SVG}rect"))

    heights = [float(bar.attrib["height"]) for bar in bars]
    assert heights[0] == 2 * heights[2] > heights[1] == 0
    assert [bar.findtext(f"{SVG}title") for bar in bars][2] == "2026-02-01: 2, and more"
    assert [bar.attrib["class"] for bar in bars] == ["amount", "amount", "amount partly"]


def test_what_is_counted_has_no_halves_on_its_axis_and_what_is_measured_has() -> None:
    def ticks(chart: str) -> list[str]:
        return [t.text or "" for t in drawn(chart).iter(f"{SVG}text") if t.get("text-anchor") == "end"]

    assert ticks(CHARTS["amounts: a few"]) == ["0", "1", "2", "3"]
    assert ticks(day_columns("dollars", [AmountBar("2026-01-01", 1.5, "$1.50")])) == [
        "0",
        "0.25",
        "0.5",
        "0.75",
        "1",
        "1.25",
        "1.5",
    ]
    assert ticks(CHARTS["amounts: many days"])[-1] == "800M"


def test_days_are_named_as_often_as_there_is_room_the_last_always() -> None:
    texts = [t for t in drawn(CHARTS["amounts: many days"]).iter(f"{SVG}text") if t.get("text-anchor") == "middle"]

    places = sorted(float(text.attrib["x"]) for text in texts)
    assert "2026-01-91" in {text.text for text in texts} and len(places) > 3
    wide = text_width("2026-01-91", SIZE)
    assert all(other - one >= wide for one, other in pairwise(places))


def test_an_arm_has_the_same_hue_in_the_run_beside() -> None:
    there = tuple(replace(arm, name=f"{arm.name}, there", hollow=True, arm=arm.name) for arm in reversed(ARMS))

    chart = intervals_chart("two runs", "tokens", ARMS + there)

    hues: dict[str, set[str]] = {}
    for hue, name in re.findall(r'seat-(\d+)"><title>(arm number \d)', chart):
        hues.setdefault(name, set()).add(hue)
    assert len(hues) == len(ARMS) and all(len(each) == 1 for each in hues.values())
    assert len(set.union(*hues.values())) == len(ARMS)
