"""The pure rules of `interrogation`, and what becomes of any reply at all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.core.canonical import canonical, plain
from moot.methods.sameness import Setting
from moot.protocols.interrogation.case import Case
from moot.protocols.interrogation.report import reported
from moot.protocols.interrogation.rules import (
    FanOut,
    Run,
    Undetermined,
    Unusable,
    affordable_claims,
    disputes_in_order,
    fan_out_size,
    majority,
    mostly_undetermined,
    read_run,
    structural_confidence,
)
from moot.protocols.interrogation.schemas import Argument
from tests.protocols.interrogation_kit import DOCUMENTS, IS_KESTREL, KESTREL, LEFT, SEEN, argument
from tests.protocols.interrogation_kit import given as stated


def read(reply, run_id: str = "r1") -> Run | Unusable | Undetermined:
    return read_run(run_id, Argument.model_validate(reply), DOCUMENTS)


def run_of(reply, run_id: str = "r1") -> Run:
    made = read(reply, run_id)
    assert isinstance(made, Run)
    return made


@pytest.mark.clause("ruling:I3")
@pytest.mark.parametrize(
    ("n", "calls", "verifications", "runs"),
    [
        (6, None, 3, 6),
        (6, 20, 3, 6),
        (6, 9, 3, 6),
        (6, 8, 3, 5),
        (6, 4, 3, 1),
        (6, 3, 3, 3),
        (6, 1, 3, 1),
        (2, 3, 1, 2),
    ],
)
def test_the_fan_out_takes_what_one_verification_leaves(n, calls, verifications, runs) -> None:
    assert fan_out_size(n, calls, verifications) == runs


@given(st.integers(1, 100), st.integers(1, 200), st.integers(1, 15))
def test_the_fan_out_is_never_empty_and_never_above_the_budget(n: int, calls: int, verifications: int) -> None:
    size = fan_out_size(n, calls, verifications)

    assert 1 <= size <= min(n, calls)
    assert size == min(n, calls) or size + verifications <= calls


@pytest.mark.clause("ruling:I3")
def test_a_claim_is_verified_with_all_its_calls_or_not_at_all() -> None:
    assert [affordable_claims(3, left, 3) for left in (None, 0, 2, 3, 5, 6, 99)] == [3, 0, 0, 1, 1, 2, 3]


@pytest.mark.clause("ruling:I2")
@given(st.lists(st.sampled_from(["supported", "refuted", "not_determinable"]), max_size=7), st.integers(0, 3))
def test_a_majority_is_more_than_half_of_those_asked(verdicts: list[str], silent: int) -> None:
    asked = len(verdicts) + silent

    said = majority(verdicts, asked)

    if said in ("supported", "refuted"):
        assert 2 * verdicts.count(said) > asked
    elif said == "not_determinable":
        assert verdicts == ["not_determinable"] * asked
    else:
        assert 2 * max(verdicts.count("supported"), verdicts.count("refuted")) <= asked


@pytest.mark.clause("ruling:I8", "ruling:G8")
def test_most_is_more_than_half_of_the_runs_asked() -> None:
    assert [mostly_undetermined(*runs) for runs in ((1, 1), (2, 3), (1, 2), (0, 0), (1, 6), (3, 6), (4, 6))] == [
        True,
        True,
        False,
        False,
        False,
        False,
        True,
    ]


@pytest.mark.clause("interrogation:4.1.4", "ruling:I5")
def test_ungrounded_givens_come_first_then_contradictions_then_isolated_claims_each_once() -> None:
    order = disputes_in_order(["u"], [("p", "q"), ("q", "u")], ["i", "p"], frozenset("i"))

    assert order == ("u", "p", "q")


@pytest.mark.clause("ruling:G1")
def test_confidence_grows_with_width_and_never_reaches_1() -> None:
    values = [structural_confidence(width) for width in range(6)]

    assert values[0] == 0
    assert values == sorted(values)
    assert values[-1] < 1


@pytest.mark.clause("interrogation:4.1.1")
def test_ids_of_a_run_carry_its_name_and_edges_follow_them() -> None:
    run = run_of(KESTREL, "r7")

    assert run.conclusion == "r7:c"
    assert [node["id"] for node in run.nodes] == ["r7:c", "r7:a", "r7:b"]
    assert [(edge["src"], edge["dst"]) for edge in run.edges] == [("r7:a", "r7:c"), ("r7:b", "r7:c")]


def test_the_named_conclusion_counts_and_where_it_is_typed_otherwise_the_typed_one() -> None:
    untyped = argument("Kestrel", IS_KESTREL, stated("a", LEFT))
    untyped["nodes"][0]["type"] = "inference"
    misnamed = argument("Kestrel", IS_KESTREL, stated("a", LEFT)) | {"conclusion_node": "a"}
    unnamed = argument("Kestrel", IS_KESTREL, stated("a", LEFT)) | {"conclusion_node": "nobody"}

    assert [run_of(reply).conclusion for reply in (untyped, misnamed, unnamed)] == ["r1:c"] * 3


def test_a_given_whose_quote_is_in_another_document_is_ungrounded() -> None:
    run = run_of(argument("Kestrel", IS_KESTREL, stated("a", LEFT, document=2), stated("b", SEEN)))

    assert run.ungrounded == {"r1:a": "the quote is not found in 'port.txt'"}


SCALARS = st.none() | st.booleans() | st.integers(-2, 3) | st.floats(-1, 2) | st.text(max_size=6)
ANYTHING = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(max_size=2), SCALARS, max_size=2)
NAMES = st.sampled_from(["c", "a", "b", 1, "1"]) | ANYTHING
CLAIMS = st.sampled_from([LEFT, SEEN, IS_KESTREL, "The radio was not silent."]) | ANYTHING
KINDS = st.sampled_from(["conclusion", "given", "given", "inference", "assumption"]) | ANYTHING
NODE = st.fixed_dictionaries(
    {"id": NAMES, "claim": CLAIMS, "type": KINDS},
    optional={"confidence": ANYTHING, "document": ANYTHING, "quote": CLAIMS},
)
EDGE = st.fixed_dictionaries(
    {"from": NAMES, "to": NAMES, "relation": st.sampled_from(["supports", "attacks", "assumes"]) | ANYTHING},
    optional={"confidence": ANYTHING},
)
REPLY = st.fixed_dictionaries(
    {"nodes": st.lists(NODE, max_size=6), "edges": st.lists(EDGE, max_size=6), "answer": st.sampled_from("xyz")},
    optional={"conclusion_node": NAMES, "documents_say": st.booleans()},
)


@settings(max_examples=60, deadline=None)
@given(st.lists(REPLY, min_size=1, max_size=4))
def test_whatever_the_runs_say_there_is_a_verdict_that_the_record_can_keep(replies) -> None:
    runs = [read(plain(reply), f"r{number}") for number, reply in enumerate(replies, 1)]
    case = Case()
    arguing = tuple(run for run in runs if isinstance(run, Run))
    case.take_in(arguing, Setting())
    case.merge()

    asked = FanOut(asked=len(runs), arguing=arguing, undetermined=0, dropped=())
    verdict = reported(case, case.assess(), "(a) nothing is disputed", runs=asked, models=1)

    answers = {run.answer for run in runs if isinstance(run, Run)}
    assert verdict.answer is None or verdict.answer in answers
    assert canonical(verdict)
