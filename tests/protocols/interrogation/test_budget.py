"""What the budget of calls does to an interrogation: never more, retries included (ruling I3; 4.1.5)."""

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from moot.core.budget import Budget
from moot.core.calls import Failure, Request
from moot.core.verdict import Status
from tests.protocols.interrogation.kit import (
    CONTRADICTED,
    CONTRADICTING,
    CRATES,
    IS_KESTREL,
    KESTREL,
    LEFT,
    OSPREY,
    PILOT,
    SEEN,
    SILENT,
    TALK,
    TOLD_KESTREL,
    TOLD_OSPREY,
    UNKNOWN,
    Said,
    argument,
    course,
    interrogated,
    step,
    verification,
)
from tests.protocols.vote_kit import number_of

RUNS = {
    "graph": (KESTREL, OSPREY, CONTRADICTED, CONTRADICTING, UNKNOWN),
    "plain": (TOLD_KESTREL, TOLD_OSPREY, "Nobody knows.", "Answer: the documents do not say", TOLD_KESTREL),
}


@pytest.mark.clause("ruling:I3", "interrogation:4.1.5")
@settings(max_examples=60, deadline=None)
@for_all(
    form=st.sampled_from(["graph", "plain"]),
    stop=st.sampled_from(["lead", "sure", "all"]),
    most=st.integers(1, 7),
    calls=st.integers(1, 24),
    malformed=st.sets(st.integers(1, 7)),
    verifications=st.integers(1, 4),
    talkers=st.sets(st.integers(1, 4)),
    unanswered=st.sets(st.integers(1, 7)),
    first=st.integers(0, 4),
)
def test_calls_never_exceed_the_budget_retries_included(
    form, stop, most, calls, malformed, verifications, talkers, unanswered, first
) -> None:
    def reply(request: Request) -> Said:
        kind, *rest = request.step.split("/")
        number = number_of(request.step, 1) if kind == "run" else int(rest[-1])
        if kind == "run" and number in unanswered:
            return Failure("timeout", "too slow")
        if number in (malformed if kind == "run" else talkers):
            return TALK
        if kind == "verify":
            return verification(("supported", "refuted", "not_determinable")[number % 3], IS_KESTREL)
        return {"reason": "x", "follows": "no"} if kind == "follows" else RUNS[form][(number + first) % 5]

    made = course(reply, form=form, stop=stop, most=most, verifications=verifications, budget=Budget(calls=calls))

    verdict = made.run()

    assert made.desk.calls <= calls
    assert verdict.status in (Status.COMPLETE, Status.PARTIAL, Status.EXHAUSTED, Status.FAILED)
    assert (verdict.answer is None) <= (verdict.status in (Status.FAILED, Status.EXHAUSTED))
    assert made.replayed().events == len(made.disk.texts)


@pytest.mark.clause("ruling:I3")
@pytest.mark.parametrize("stop", ["all", "lead"])
@pytest.mark.parametrize(
    ("calls", "runs", "checks"), [(1, 1, 0), (3, 3, 0), (4, 1, 3), (6, 3, 3), (9, 6, 3), (20, 6, 12)]
)
def test_the_fan_out_leaves_room_for_a_verification_where_the_budget_allows(stop, calls, runs, checks) -> None:
    own = [argument("Kestrel", IS_KESTREL, step("a", claim)) for claim in (LEFT, SEEN, PILOT)] * 2
    split = [*own[:3], *(argument("Osprey", "Osprey it is.", step("a", one)) for one in (CRATES, SILENT, CRATES))]

    scene = interrogated(*split, stop=stop, most=6, k=9, budget=Budget(calls=calls), default="not_determinable")

    assert len(scene.runs) == runs
    assert len(scene.verifications) <= checks
    assert len(scene.requests) <= calls


@pytest.mark.clause("ruling:I3")
def test_what_is_left_after_the_reserve_is_used_for_the_claim_in_dispute() -> None:
    scene = interrogated(KESTREL, OSPREY, n=6, budget=Budget(calls=5))

    assert (len(scene.runs), len(scene.verifications)) == (2, 3)


@pytest.mark.clause("ruling:I3")
def test_in_the_other_forms_nothing_is_kept_back_since_further_runs_are_drawn_instead() -> None:
    scene = interrogated(TOLD_KESTREL, TOLD_OSPREY, form="plain", stop="lead", budget=Budget(calls=6))

    assert (len(scene.runs), len(scene.verifications)) == (6, 0)


@pytest.mark.clause("ruling:I17", "ruling:G2")
def test_runs_that_the_budget_leaves_undecided_end_exhausted_with_what_there_is() -> None:
    one = interrogated(KESTREL, n=6, budget=Budget(calls=1))
    malformed = interrogated(TALK, n=6, budget=Budget(calls=1))
    abstaining = interrogated(UNKNOWN, stop="lead", budget=Budget(calls=2))

    assert [(scene.verdict.answer, scene.verdict.status) for scene in (one, malformed, abstaining)] == [
        ("Kestrel", Status.EXHAUSTED),
        (None, Status.EXHAUSTED),
        ("The documents do not say.", Status.EXHAUSTED),
    ]
    assert [len(scene.requests) for scene in (one, malformed, abstaining)] == [1, 1, 2]
    assert abstaining.verdict.stop_reason == "the budget of calls ended it after 2 of at most 8: 2 to 0"


@pytest.mark.clause("ruling:G2")
def test_runs_that_are_decided_and_hold_nothing_up_end_partial_and_not_exhausted() -> None:
    scene = interrogated("Answer: Kestrel", form="plain", stop="lead", budget=Budget(calls=4))

    assert (scene.verdict.answer, scene.verdict.status) == ("Kestrel", Status.PARTIAL)
    assert scene.detail["support_width"] == 0
