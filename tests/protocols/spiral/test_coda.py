"""The coda: what all hold, what some add, what is disputed or refuted, and how that is shown (5.1 step 6; S8, S15)."""

import pytest

from moot.core.verdict import Status
from moot.methods.entailment import Entailment
from moot.protocols.spiral.positions import Position
from moot.protocols.spiral.record.coda import Coda, HeldClaim, coda, coda_lines
from moot.views.markdown import markdown
from moot.views.page import page
from moot.views.words import coda_rows, other_caveats
from tests.protocols.spiral.kit import Member, panel_of, position, spiralled

VALLEY = "Does the valley flood?"
ONE = position("It floods.", "The river rises in May.", "The dam is 40 metres high.")
TWO = position("It floods.", "The river rises in May.", "The dam is 60 metres high.", "Snow melts late.")
WRONG = position("401", "17 * 23 = 401.")


@pytest.mark.clause("spiral:5.1.6", "ruling:S8")
def test_the_coda_holds_what_all_hold_what_some_add_and_what_is_disputed() -> None:
    done = spiralled(panel_of(Member(ONE), Member(TWO), Member(ONE)), question=VALLEY)

    assert [held["claim"] for held in done.detail["common"]] == ["It floods.", "The river rises in May."]
    assert [held["claim"] for held in done.detail["nuances"]] == ["Snow melts late."]
    assert {held["claim"]: held["against"] for held in done.detail["caveats"]} == {
        "The dam is 40 metres high.": ["m2"],
        "The dam is 60 metres high.": ["m1", "m3"],
    }


@pytest.mark.clause("spiral:5.1.6", "ruling:S8")
def test_claims_are_joined_across_members_unless_that_joins_what_is_contradicted() -> None:
    first, second, third = (Position(seat, "Yes.", (seat,)) for seat in ("m1", "m2", "m3"))
    same, apart = Entailment("entails", "entails", ((0, 0),), ()), Entailment("entails", "entails", (), ((0, 0),))
    standings = {("m1", "m2"): same, ("m1", "m3"): apart, ("m2", "m3"): same}

    found = coda({"m1": first, "m2": second, "m3": third}, standings)

    assert [held.held_by for held in found.common] == [("m1", "m2", "m3")]
    assert [(held.held_by, held.against) for held in found.caveats] == [
        (("m1", "m2"), ("m3",)),
        (("m3",), ("m1", "m2")),
    ]


@pytest.mark.clause("spiral:5.1.6", "ruling:S8")
def test_opposed_answers_are_caveats_and_name_both_sides() -> None:
    first, second = Position("m1", "It is kept."), Position("m2", "It is sold.")

    found = coda({"m1": first, "m2": second}, {("m1", "m2"): Entailment("contradicts", "contradicts", (), ())})

    assert [(held.claim, held.against, held.is_answer) for held in found.caveats] == [
        ("It is kept.", ("m2",), True),
        ("It is sold.", ("m1",), True),
    ]


@pytest.mark.clause("ruling:S15")
def test_every_part_is_a_line_in_the_order_of_the_paper() -> None:
    done = spiralled(panel_of(Member(ONE), Member(TWO), Member(ONE)), question=VALLEY)

    assert done.detail["coda"].splitlines() == [
        "all hold: It floods.",
        "all hold: The river rises in May.",
        "some add: Snow melts late. (m2)",
        "disputed: The dam is 40 metres high. (m1, m3, against m2)",
        "disputed: The dam is 60 metres high. (m2, against m1, m3)",
    ]
    assert done.verdict.answer == "It floods."


@pytest.mark.clause("ruling:S15")
def test_what_all_hold_and_a_computation_refutes_is_called_refuted_and_not_disputed() -> None:
    done = spiralled(panel_of(Member(WRONG), Member(WRONG), Member(WRONG)))

    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.stop_reason == "consensus at once, on something that a computation refutes"
    refuted = [line for line in done.detail["coda"].splitlines() if line.startswith("refuted by a computation")]
    assert refuted == [caveat for caveat in done.verdict.caveats if "17 * 23 = 401." in caveat]
    assert refuted[0].startswith("refuted by a computation: 17 * 23 = 401. (m1, m2, m3): 391")
    assert "disputed" not in " ".join(done.verdict.caveats)


@pytest.mark.clause("ruling:S15")
def test_a_disputed_claim_that_a_computation_refutes_says_both_and_how_it_was_read() -> None:
    held = HeldClaim("17 * 23 = 401.", ("m3",), ("m1",), ("It is 391.",), "391 (read as 17 * 23 = 401)")

    lines = list(coda_lines(Coda(caveats=(held,))))

    assert lines == ["disputed: 17 * 23 = 401. (m3, against m1; a computation refutes it: 391 (read as 17 * 23 = 401))"]


@pytest.mark.clause("ruling:S15")
def test_a_refutation_shows_the_reading_of_the_oracle() -> None:
    done = spiralled(panel_of(Member(WRONG), Member(WRONG), Member(WRONG)))

    assert "(read as 17 * 23 = 401" in done.verdict.caveats[0]


@pytest.mark.clause("ruling:S15")
def test_pages_show_the_three_parts_and_no_dispute_twice() -> None:
    done = spiralled(panel_of(Member(ONE), Member(TWO), Member(ONE)), question=VALLEY)

    text, web = markdown("d1", done.record), page("d1", done.record)

    for shown in (text, web):
        assert shown.count("The dam is 40 metres high. (m1, m3, against m2)") == 1
        assert shown.count("Snow melts late. (m2)") == 1
    assert "- All hold: It floods." in text
    assert "<dt>some add</dt>" in web
    assert dict(coda_rows(done.verdict))["some add"] == "Snow melts late. (m2)"
    assert not any(caveat.startswith("disputed") for caveat in other_caveats(done.verdict))


@pytest.mark.clause("ruling:S15")
def test_a_long_answer_with_line_breaks_is_one_line_of_the_coda() -> None:
    poem = position("Roses are red,\nbread is brown,\n" + "and so on " * 400)

    done = spiralled(panel_of(Member(poem), Member(poem), Member(poem)), question="Write a poem.")

    assert len(done.detail["coda"].splitlines()) == 1
    assert len(done.detail["coda"]) < 700
    assert (done.verdict.answer or "").startswith("Roses are red,\nbread")


@pytest.mark.clause("ruling:S15", "ruling:S8")
def test_agreement_by_measure_is_not_complete_while_a_point_is_disputed() -> None:
    shared = ("The drug is approved.", "It is cheap.", "It is old.", "It is sold in May.", "Doctors know it.")
    members = [Member(position("Yes.", *shared, f"The dose is {dose} mg.")) for dose in (40, 60, 60)]

    done = spiralled(panel_of(*members), question="Is the drug used?")

    assert (done.verdict.confidence.value or 0) > 0.9
    assert done.verdict.status is Status.PARTIAL
    assert done.verdict.stop_reason == "consensus at once, while 1 point stays in dispute"
