"""The pure rules of `interrogation`, and what becomes of any reply at all."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.canonical import canonical, plain
from moot.core.panel import seated
from moot.core.question import Question
from moot.core.verdict import Status
from moot.methods.votes import number_asked
from moot.protocols.interrogation.rules import (
    affordable_claims,
    disputes_in_order,
    interrogation_forms,
    verify_of,
    verifying_seats,
)
from tests.protocols.interrogation.kit import ASKED, DOCUMENTS, IS_KESTREL, LEFT, SEEN, interrogated


@pytest.mark.clause("ruling:I3")
def test_a_claim_is_verified_with_all_its_calls_or_not_at_all() -> None:
    assert [affordable_claims(3, left, 3) for left in (None, 0, 2, 3, 5, 6, 99)] == [3, 0, 0, 1, 1, 2, 3]


@pytest.mark.clause("interrogation:4.1.4", "ruling:I5")
def test_ungrounded_claims_come_first_then_contradictions_then_isolated_ones_each_once() -> None:
    assert disputes_in_order(["u"], [("p", "q"), ("q", "u")], ["i", "p"]) == ("u", "p", "q", "i")


@pytest.mark.clause("ruling:I14")
def test_the_leading_candidates_claims_come_before_all_others_in_the_same_order() -> None:
    order = disputes_in_order(["u", "v"], [("p", "q")], ["i"], lambda node: node in "qiv")

    assert order == ("v", "q", "i", "u", "p")


@pytest.mark.clause("ruling:I9")
@pytest.mark.parametrize(
    ("models", "wanted", "forms"),
    [
        (["api:x"], "auto", ("graph",)),
        (["embedded:x"], "auto", ("plain", "numbered")),
        (["api:x", "embedded:x"], "auto", ("plain", "numbered")),
        (["embedded:x"], "graph", ("graph",)),
        (["api:x"], "plain", ("plain",)),
    ],
)
def test_a_panel_with_a_small_member_is_asked_for_free_text(models, wanted, forms) -> None:
    question = Question(text=ASKED, documents=DOCUMENTS)

    assert interrogation_forms(wanted, seated(models), number_asked(question), question) == forms


@pytest.mark.clause("ruling:I14")
def test_graphs_are_verified_by_anybody_and_other_forms_only_by_a_model_that_did_not_write_them() -> None:
    panel = seated(["a:x", "b:y", "a:x"])

    assert [verify_of("auto", forms) for forms in (("graph",), ("plain",), ("plain", "graph"))] == [
        "always",
        "other",
        "other",
    ]
    assert verify_of("never", ("graph",)) == "never"
    assert verifying_seats("always", panel, ["a:x"]) == ("m1", "m2", "m3")
    assert verifying_seats("other", panel, ["a:x"]) == ("m2",)
    assert verifying_seats("other", panel, ["a:x", "b:y"]) == ()
    assert verifying_seats("never", panel, []) == ()


SCALARS = st.none() | st.booleans() | st.integers(-2, 7) | st.floats(-1, 2) | st.text(max_size=6)
ANYTHING = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(max_size=2), SCALARS, max_size=2)
NAMES = st.sampled_from(["c", "a", "b", 1, "1", "[1]"]) | ANYTHING
CLAIMS = st.sampled_from([LEFT, SEEN, IS_KESTREL, "The radio was not silent."]) | ANYTHING
KINDS = st.sampled_from(["conclusion", "given", "given", "inference", "assumption"]) | ANYTHING
NODE = st.fixed_dictionaries(
    {"id": NAMES, "claim": CLAIMS, "type": KINDS, "because": st.lists(NAMES, max_size=3) | ANYTHING},
    optional={"confidence": ANYTHING, "document": ANYTHING, "quote": CLAIMS, "against": NAMES},
)
EDGE = st.fixed_dictionaries(
    {"from": NAMES, "to": NAMES, "relation": st.sampled_from(["supports", "attacks", "assumes"]) | ANYTHING},
    optional={"confidence": ANYTHING},
)
ITEMS = st.lists(NODE, max_size=4) | ANYTHING
REPLY = st.fixed_dictionaries(
    {"answer": st.sampled_from(["x", "y", "the documents do not say"]), "steps": ITEMS},
    optional={
        "nodes": ITEMS,
        "edges": st.lists(EDGE, max_size=6),
        "objections": ITEMS,
        "assumptions": ITEMS,
        "conclusion": NODE | ANYTHING,
        "conclusion_node": NAMES,
    },
)


@settings(max_examples=60, deadline=None)
@given(st.lists(REPLY, min_size=1, max_size=4))
def test_whatever_the_runs_say_there_is_a_verdict_that_the_record_can_keep(replies: list[Any]) -> None:
    scene = interrogated(*plain(replies), default="not_determinable")

    answer = scene.verdict.answer
    assert answer is None or set(answer.split(" or ")) <= {"x", "y", "The documents do not say."}
    assert (answer is None) <= (scene.verdict.status in (Status.FAILED, Status.EXHAUSTED))
    assert canonical(scene.verdict)
    assert scene.course.replayed().events == len(scene.course.disk.texts)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=200) | st.just(f"{LEFT}\nAnswer: Kestrel"), min_size=1, max_size=4))
def test_whatever_free_text_says_there_is_a_verdict_that_the_record_can_keep(replies: list[str]) -> None:
    for form in ("plain", "program", "numbered"):
        scene = interrogated(*replies, form=form)

        assert canonical(scene.verdict)
        assert scene.course.replayed().events == len(scene.course.disk.texts)
