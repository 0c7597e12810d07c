"""Columns and scores as they are sent (coherence 3.4, ruling K4)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.protocols.coherence.schemas import ScoreRow, Unfolding, column_pattern, unfolding_of
from moot.protocols.coherence.scores import Scored, read_columns, read_scores, score_rows, unscored, usable_columns
from tests.protocols.test_coherence_engine import graph_from

KNOWLEDGE = graph_from("K1 M1 K2", name="knowledge")
ETHICS = graph_from("E1 M1 E2", name="ethics")
GRAPHS = [KNOWLEDGE, ETHICS]


def row(graph: object, id_: object, *values: object) -> ScoreRow:
    return ScoreRow(observed_relation={"graph": graph, "id": id_}, values=list(values))


@pytest.mark.clause("coherence:3.4")
def test_the_papers_format_is_read() -> None:
    sent = Unfolding.model_validate_json(
        '{"columns": ["cost", "trust"], "scores": [{"observed_relation": {"graph": "knowledge", "id": "K1"}, '
        '"values": [7, 2.5]}]}'
    )

    scored = read_scores(sent.scores, 2, GRAPHS)

    assert scored == Scored({("knowledge", "K1"): (7.0, 2.5)})
    assert score_rows(scored.values, GRAPHS) == [
        {"observed_relation": {"graph": "knowledge", "id": "K1"}, "values": [7.0, 2.5]}
    ]
    assert unscored(GRAPHS, scored) == [("knowledge", "K2"), ("ethics", "E1"), ("ethics", "E2")]


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ((7,), "1 value for 2 columns"),
        ((7, 8, 9), "3 values for 2 columns"),
        ((7, 10.5), "10.5 is not from 0 to 10"),
        ((-1, 3), "-1 is not from 0 to 10"),
        ((7, "high"), "'high' is no number"),
        ((7, None), "'None' is no number"),
        ((7, True), "'True' is no number"),
        ((7, float("nan")), "'nan' is no number"),
        ((7, "1e999"), "'1e999' is no number"),
    ],
)
@pytest.mark.clause("ruling:K4")
def test_a_row_that_cannot_be_used_is_refused_with_its_reason(values: tuple[object, ...], problem: str) -> None:
    scored = read_scores([row("knowledge", "K1", *values), row("knowledge", "K2", 1, 2)], 2, GRAPHS)

    assert scored.refused == (f"row 1 (knowledge K1): {scored.refused[0].split(': ')[1]}",)
    assert problem in scored.refused[0]
    assert set(scored.values) == {("knowledge", "K2")}


def test_scores_given_as_text_are_read_and_noted() -> None:
    scored = read_scores([row("knowledge", "K1", "7", " 2.5 ")], 2, GRAPHS)

    assert scored.values == {("knowledge", "K1"): (7.0, 2.5)}
    assert "text" in scored.noted[0]


@pytest.mark.clause("ruling:K4")
def test_an_unknown_relation_and_a_second_row_are_dropped_and_noted() -> None:
    rows = [row("knowledge", "K9", 1), row("knowledge", "K1", 1), row("knowledge", "K1", 9), ScoreRow(values=[1])]

    scored = read_scores(rows, 1, GRAPHS)

    assert scored.values == {("knowledge", "K1"): (1.0,)}
    assert [note.split(":")[0] for note in scored.noted] == ["row 1", "row 3 (knowledge K1)", "row 4"]


def test_a_graph_may_be_named_by_its_file_and_a_wrong_name_is_mended_where_the_id_decides() -> None:
    scored = read_scores([row("graphs/knowledge.txt", "K1", 1), row("knowledge", "E1", 2)], 1, GRAPHS)

    assert set(scored.values) == {("knowledge", "K1"), ("ethics", "E1")}
    assert scored.noted == ("row 2: E1 is of ethics, not of 'knowledge'",)


@pytest.mark.clause("ruling:K4")
@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ((), "no columns"),
        (("cost", " "), "column 2"),
        (("cost", 3), "column 2"),
        (("Cost", "trust", "cost"), "twice"),
        (("Cost", "K1"), "id"),
        (("Cost", "Ethics"), "graph"),
    ],
)
def test_columns_without_a_name_of_their_own_are_refused(columns: tuple[object, ...], problem: str) -> None:
    assert problem in read_columns(columns, GRAPHS)[1]


@pytest.mark.clause("ruling:K4")
def test_a_column_may_be_short_or_hold_digits_and_the_schema_lets_it() -> None:
    names = ("Tax", "CO2", "5G", "AI", "H2", "Kin", "2030 goals", "EU27", "PM2.5", "H2O", "Kosten der Verzögerung")

    assert read_columns(names, GRAPHS) == (names, "")
    assert [name for name in names if not re.search(column_pattern(["K1", "E12"]), name)] == []
    assert re.search(column_pattern(["AB1", "AC2"]), "CO2")


@pytest.mark.clause("ruling:K4")
def test_the_schema_leaves_no_way_to_name_a_column_by_an_id_or_a_number() -> None:
    pattern = column_pattern(["K1", "E12"])
    schema = unfolding_of([("knowledge", "K1")], ids=["K1", "E12"]).model_json_schema()

    assert schema["properties"]["columns"]["items"]["pattern"] == pattern
    for name in ("", "7", "2030", "K1", "K99", "E12", "e3", "K", "K1 again", " K1", "E", "Dim1", "Column 2"):
        assert not re.search(pattern, name), name
    assert not re.search(column_pattern(["AB1"]), "AB12")


def test_of_repeated_columns_the_first_is_kept() -> None:
    assert usable_columns(("Cost", "trust", "cost", "", "K1"), GRAPHS) == ([0, 1], ("Cost", "trust"))


@given(st.lists(st.tuples(st.text(max_size=4), st.lists(st.one_of(st.integers(), st.text(), st.none()), max_size=3))))
def test_whatever_is_sent_is_read_refused_or_noted(rows: list[tuple[str, list[object]]]) -> None:
    sent = [row("knowledge", "K1", *values) if not name else row(name, name, *values) for name, values in rows]

    scored = read_scores(sent, 2, GRAPHS)

    assert len(scored.values) + len(scored.refused) + len(scored.noted) >= min(len(sent), 1)
    assert all(0 <= value <= 10 for values in scored.values.values() for value in values)


def test_what_a_member_is_shown_names_the_relations_and_fixes_the_columns() -> None:
    schema = unfolding_of([("knowledge", "K1"), ("ethics", "E1")], ["cost", "trust"]).model_json_schema()

    first = schema["properties"]["scores"]["prefixItems"][0]["properties"]
    assert first["observed_relation"]["properties"] == {"graph": {"const": "knowledge"}, "id": {"const": "K1"}}
    assert first["values"]["minItems"] == first["values"]["maxItems"] == 2
    assert schema["properties"]["scores"]["maxItems"] == 2
    assert schema["properties"]["columns"]["prefixItems"] == [{"const": "cost"}, {"const": "trust"}]
    assert schema["required"] == ["columns", "scores"]


@pytest.mark.clause("ruling:K9")
def test_only_the_call_that_names_the_columns_is_asked_for_the_form() -> None:
    first = unfolding_of([("knowledge", "K1")]).model_json_schema()
    later = unfolding_of([("knowledge", "K1")], ["cost", "trust"]).model_json_schema()

    assert first["required"] == ["columns", "scores", "demanded_form", "open_organisation"]
    assert set(first["properties"]["demanded_form"]["items"]["properties"]) == {"demand", "words"}
    assert set(first["properties"]["open_organisation"]["properties"]) == {"open", "words"}
    assert "demanded_form" not in later["properties"]
