"""Stretto, the limit and forced consensus: all evidence, only what is disputed, the best there was (5.1.3 to 5.2)."""

from typing import Any

import pytest

from moot.core.verdict import Status
from moot.protocols.spiral.axioms.registry import LEVELS
from moot.protocols.spiral.axioms.shipped import all_axioms
from tests.protocols.ended import Ended
from tests.protocols.spiral.kit import EQUIVALENT, OPPOSED, Member, panel_of, position, spiralled

SUMS = "Is the sum of two even numbers even?"
EVEN = position("The sum is even.", "The sum of two even numbers is even.")
ODD = position("The sum is even.", "The sum of two even numbers is not even.")
RIGHT = position("391", "17 * 23 = 391.")
WRONG = position("401", "17 * 23 = 401.")
MILL = "What shall be done with the old mill?"
YES, NO = position("Yes, keep it."), position("No, sell it.")


def by_first_word(prompt: str) -> dict[str, Any]:
    first, second = (part.split("answer: ")[1].split()[0].strip(",.") for part in prompt.split("Position ")[1:])
    return EQUIVALENT if first == second else OPPOSED


def disputed(*members: Member, question: str = SUMS, **options) -> Ended:
    return spiralled(panel_of(*members, judge=by_first_word), question=question, **options)


def section(prompt: str, title: str) -> str:
    """What stands under a title in a prompt, up to the next blank line."""
    return prompt.split(title)[1].split("\n\n")[0] if title in prompt else ""


@pytest.mark.clause("spiral:5.1.3", "ruling:S5")
def test_loop_n_finds_axioms_of_level_n_and_of_no_other() -> None:
    level_of = {axiom.id: axiom.level for axiom in all_axioms({})}
    ship = position("Yes.", "The ship is the same thing after its parts are replaced one by one.")
    another = position("Yes.", "The ship is not the same thing after its parts are replaced one by one.")

    sums = disputed(Member(EVEN), Member(EVEN), Member(ODD))
    theseus = disputed(Member(ship), Member(ship), Member(another), question="Is it still the ship of Theseus?")

    for done, at in ((sums, 1), (theseus, 3)):
        notes = done.notes("loop")
        assert [note["level"] for note in notes] == list(LEVELS.values())
        found = {
            note["loop"]: {level_of[axiom["id"]] for point in note["disagreements"] for axiom in point["axioms"]}
            for note in notes
        }
        assert found[at] == {at}
        assert all(levels <= {loop} for loop, levels in found.items())


@pytest.mark.clause("spiral:5.1.3")
def test_every_disagreement_has_its_own_search() -> None:
    one = position("Yes.", EVEN["claims"][0], "The ship is the same thing after its parts are replaced one by one.")
    other = position(
        "Yes.", ODD["claims"][0], "The ship is not the same thing after its parts are replaced one by one."
    )

    done = disputed(Member(one), Member(one), Member(other))

    first = done.notes("loop")[0]["disagreements"]
    assert len(first) == 2
    assert first[0]["axioms"]
    assert first[0]["axioms"] != first[1]["axioms"]


@pytest.mark.clause("spiral:5.1.4")
def test_stretto_shows_all_the_evidence_of_every_loop_so_far() -> None:
    done = disputed(Member(RIGHT), Member(RIGHT), Member(WRONG), question="How much is 17 times 23?")
    sums = disputed(Member(EVEN), Member(EVEN), Member(ODD))

    statement = sums.notes("loop")[0]["disagreements"][0]["axioms"][0]["statement"]
    assert statement in sums.prompt("stretto/7/m3")
    assert "17 * 23 = 401.: false" in done.prompt("stretto/7/m3")


@pytest.mark.clause("spiral:5.1.4")
def test_stretto_names_the_open_points_and_nothing_that_is_agreed() -> None:
    agreed = "Snow melts late."
    one, other = position("Yes.", EVEN["claims"][0], agreed), position("Yes.", ODD["claims"][0], agreed)

    done = disputed(Member(one), Member(one), Member(other))

    points = section(done.prompt("stretto/5/m1"), "What is contradicted")
    assert f"One side: {EVEN['claims'][0]}" in points
    assert f"The other side: {ODD['claims'][0]}" in points
    assert agreed not in points


@pytest.mark.clause("spiral:5.1.4")
def test_only_the_parties_to_what_is_disputed_are_asked_in_stretto() -> None:
    aside = position("The sum is even.", "Snow melts late.")

    done = disputed(Member(EVEN), Member(ODD), Member(aside))

    assert [step for step in done.steps if step.startswith("stretto/5")] == ["stretto/5/m1", "stretto/5/m2"]


@pytest.mark.clause("spiral:5.1.4", "ruling:S4")
def test_stretto_asks_for_compromise_in_loops_5_6_and_7_and_shows_the_other_positions() -> None:
    done = disputed(Member(YES), Member(YES), Member(NO), question=MILL)

    strettos = [step for step in done.steps if step.startswith("stretto/")]
    assert strettos == [f"stretto/{loop}/{seat}" for loop in (5, 6, 7) for seat in ("m1", "m2", "m3")]
    told = done.prompt("stretto/5/m3")
    assert "could hold together" in told
    assert YES["answer"] in section(told, "The positions that remain")
    assert NO["answer"] not in section(told, "The positions that remain")


@pytest.mark.clause("spiral:5.1.4", "ruling:S3")
def test_harmony_is_measured_anew_after_stretto() -> None:
    done = disputed(Member(YES), Member(YES), Member(NO, {"stretto/5": YES}), question=MILL)

    assert [note["after"] for note in done.notes("measured")][-2:] == ["5", "5s"]
    before, after = done.detail["history"][-2:]
    assert (before["loop"], after["loop"]) == (5, 5)
    assert before["harmony"] < after["harmony"] == 1.0
    assert done.verdict.stop_reason == "consensus after loop 5"


@pytest.mark.clause("spiral:5.1.5")
def test_there_are_seven_loops_and_no_eighth() -> None:
    done = disputed(Member(YES), Member(YES), Member(NO), question=MILL)

    assert [note["loop"] for note in done.notes("loop")] == [1, 2, 3, 4, 5, 6, 7]
    assert done.detail["loops"] == 7


@pytest.mark.clause("spiral:5.2.forced", "ruling:S3")
def test_a_forced_result_names_the_best_harmony_and_its_loop_and_not_the_last() -> None:
    # In the stretto of loop 5 the third comes nearer, and in that of loop 6 it goes away again.
    nearer = position("Yes, but not for ever.")
    moving = Member(NO, {"stretto/5": nearer, "stretto/6": NO})

    def judge(prompt: str) -> dict[str, Any]:
        return {**OPPOSED, "a_to_b": "entails"} if nearer["answer"] in prompt else by_first_word(prompt)

    done = spiralled(panel_of(Member(YES), Member(YES), moving, judge=judge), question=MILL)

    best, last = done.detail["best"], done.detail["history"][-1]
    assert best["loop"] == 5
    assert best["harmony"] > last["harmony"]
    assert f"the best harmony was {best['harmony']:.2f} in loop 5" in done.verdict.stop_reason
    assert done.verdict.confidence.value == last["harmony"]


@pytest.mark.clause("spiral:5.2.forced")
def test_a_forced_result_carries_the_axiom_evidence_of_all_loops() -> None:
    done = disputed(Member(EVEN), Member(EVEN), Member(ODD))

    noted = {
        (note["loop"], axiom["id"], axiom["similarity"])
        for note in done.notes("loop")
        for point in note["disagreements"]
        for axiom in point["axioms"]
    }
    assert noted
    assert {(item["loop"], item["id"], item["similarity"]) for item in done.detail["axioms"]} == noted


@pytest.mark.clause("spiral:5.2.forced", "spiral:5.1.6")
def test_a_forced_result_names_every_point_that_remains_with_its_sides() -> None:
    done = disputed(Member(EVEN), Member(EVEN), Member(ODD))

    assert done.verdict.status is Status.FORCED
    remaining = [caveat for caveat in done.verdict.caveats if caveat.startswith("disputed")]
    assert remaining == [
        f"disputed: {EVEN['claims'][0]} (m1, m2, against m3)",
        f"disputed: {ODD['claims'][0]} (m3, against m1, m2)",
    ]


@pytest.mark.clause("spiral:5.1.6", "ruling:S2")
def test_the_final_harmony_is_that_of_the_end_and_the_mean_over_all_pairs() -> None:
    done = disputed(Member(YES), Member(YES), Member(NO, {"stretto/6": YES}), question=MILL)

    assert done.detail["history"][0]["harmony"] < 0.9
    assert done.verdict.confidence.value == done.detail["history"][-1]["harmony"] == 1.0
    first = done.notes("measured")[0]
    assert first["harmony"] == pytest.approx(sum(pair["agreement"] for pair in first["pairs"]) / 3, abs=1e-6)


@pytest.mark.clause("spiral:5.1.3", "ruling:S7")
def test_oracles_are_asked_at_level_4_alone_and_by_the_parties() -> None:
    done = disputed(Member(RIGHT), Member(RIGHT), Member(WRONG), question="How much is 17 times 23?")

    assert {note["loop"] for note in done.notes("loop") if note["oracles"]} == {4}
    assert [step for step in done.steps if step.startswith("oracles/")] == ["oracles/m1", "oracles/m2", "oracles/m3"]
