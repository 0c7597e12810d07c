"""Each arm on a small item, with a scripted member (interrogation 5, ruling V2)."""

from pathlib import Path
from typing import Any

import pytest

from moot.core.calls import Request
from moot.core.errors import UsageError
from moot.core.question import Question
from moot.evals.arms.protocols import EVAL_PROTOCOLS
from moot.evals.arms.table import PAPER, all_arms, chosen_arms
from moot.evals.prompts import answer_messages
from moot.protocols import PROTOCOLS
from moot.testing import scripted
from tests.evals.kit import MEMBER, evaluate, failing, reply

ASKING_FOR_DOCUMENTS = "/lookup"
"""How the steps end by which an agent of a debate asks for passages that it has not been shown (ruling D10)."""

EVERY = [name for name in all_arms() if name != "frontier"]
CALLS = {"prism": 34}
"""What an arm needs for an item, where that is more than a few: `prism-v1` has so many slots."""


@pytest.mark.clause("evals:5.arms")
@pytest.mark.parametrize("arm", EVERY)
def test_an_arm_answers_an_item_through_the_service(arm: str, tmp_path: Path) -> None:
    member = scripted(reply)

    (row,) = evaluate(tmp_path, [arm], count=1, member=member, calls_per_item=CALLS.get(arm, 8)).rows

    assert (row.arm, row.item, row.answer, row.correct, row.problem) == (arm, "q1", "7", True, "")
    assert row.calls == len(member.requests) > 0
    assert row.deliberations and row.usd == 0 and row.tokens_in and row.tokens_out


@pytest.mark.clause("evals:5.arms")
@pytest.mark.parametrize("arm", EVERY)
def test_the_gold_answer_reaches_no_prompt_and_documents_are_fenced(arm: str, tmp_path: Path) -> None:
    member = scripted(reply)

    evaluate(tmp_path, [arm], count=1, member=member, calls_per_item=8)

    for request in member.requests:
        text = "\n".join(message.content for message in request.messages)
        if request.step != "chain" and not request.step.endswith(ASKING_FOR_DOCUMENTS):
            assert "<<<" in text and "There are 7 apples in the basket." in text
        assert '"7"' not in text.replace("There are 7 apples", "")


@pytest.mark.clause("ruling:V2")
def test_the_paper_has_six_arms_and_every_protocol_of_moot_is_an_arm_by_being_there() -> None:
    known = all_arms()

    assert [known[name].number for name in PAPER] == ["1", "2", "3", "4", "5", "6"]
    assert set(PROTOCOLS) <= set(known)
    assert {"self-consistency", "frontier"} <= set(known)
    assert not set(EVAL_PROTOCOLS) & set(PROTOCOLS)


def test_arms_are_chosen_by_name_by_number_or_all_six_each_once() -> None:
    chosen = chosen_arms(["6", " paper", "self-consistency", "1"])

    assert list(chosen) == ["interrogation", *PAPER[:-1], "self-consistency"]


@pytest.mark.parametrize("names", [["seventh"], ["7"], ["0"], [""], []])
def test_an_arm_that_there_is_not_is_named(names: list[str]) -> None:
    with pytest.raises(UsageError, match="arm"):
        chosen_arms(names)


def steps(arm: str, folder: Path) -> list[Request]:
    member = scripted(
        {
            "answer": "FIRST TRACE\nAnswer: 3",
            "revisit": "Answer: 7",
            "reinjected": "Answer: 7",
            "chain": "a → b",
            "verified": "Answer: 7",
        }
    )
    (row,) = evaluate(folder, [arm], count=1, member=member).rows
    assert row.answer == "7"
    return member.requests


@pytest.mark.clause("evals:5.arms")
def test_the_naive_revisit_goes_on_in_the_same_conversation(tmp_path: Path) -> None:
    first, second = steps("revisit", tmp_path)

    assert [message.role for message in second.messages] == ["system", "user", "assistant", "user"]
    assert second.messages[:2] == first.messages
    assert "FIRST TRACE" in second.messages[2].content
    assert "Revisit your reasoning" in second.messages[3].content


@pytest.mark.clause("evals:5.arms")
def test_verbatim_re_injection_feeds_the_full_trace_back_in_a_new_prompt(tmp_path: Path) -> None:
    _, second = steps("verbatim", tmp_path)

    assert [message.role for message in second.messages] == ["system", "user"]
    assert "FIRST TRACE\nAnswer: 3" in second.messages[1].content


@pytest.mark.clause("evals:5.arms")
def test_a_compressed_chain_is_verified_in_a_context_that_never_saw_the_trace(tmp_path: Path) -> None:
    _, chain, verified = steps("compressed", tmp_path)

    assert "FIRST TRACE" in chain.messages[1].content
    told = "\n".join(message.content for message in verified.messages)
    assert "a → b" in told and "FIRST TRACE" not in told


@pytest.mark.clause("evals:5.arms")
def test_arrow_notation_is_forced_by_the_system_prompt_in_one_call(tmp_path: Path) -> None:
    member = scripted(reply)

    evaluate(tmp_path, ["arrows"], count=1, member=member)

    (request,) = member.requests
    assert "arrow notation" in request.messages[0].content


@pytest.mark.parametrize("arm", ["single-pass", "verbatim", "arrows", "compressed", "self-consistency"])
def test_behind_documents_a_member_is_told_again_to_reason_before_it_answers(arm: str, tmp_path: Path) -> None:
    member = scripted(reply)

    evaluate(tmp_path, [arm], count=1, member=member, calls_per_item=3)

    asking = [request for request in member.requests if request.step != "chain"]
    assert len(asking) == {"verbatim": 2, "compressed": 2, "self-consistency": 3}.get(arm, 1)
    for request in asking:
        told = "\n".join(message.content for message in request.messages)
        assert told.index("apples in the basket") < told.rindex('begins with "Answer:"')


def test_without_documents_nothing_stands_behind_the_question() -> None:
    told, asked = answer_messages(Question(text="How many?", form="a number"))

    assert asked.content == "Question: How many?"
    assert told.content.endswith('begins with "Answer:" and then gives the answer alone, as a number.')


@pytest.mark.clause("ruling:V2")
def test_self_consistency_draws_as_many_samples_as_arm_6_may_make_calls_and_takes_the_majority(tmp_path: Path) -> None:
    said = ["Answer: 5", "Answer: 7 apples", "The answer is 5", "**Answer:** 5.0"]
    member = scripted({"run/r1": said})

    (row,) = evaluate(tmp_path, ["self-consistency"], count=1, member=member, calls_per_item=4).rows

    assert row.calls == 4 and len({request.seed for request in member.requests}) == 4
    assert (row.answer, row.basis, row.confidence) == ("5", "votes", 0.6667)
    assert row.votes == ("5", "7", "5", "5")


@pytest.mark.clause("ruling:I16")
def test_a_tie_is_won_by_nobody_and_graded_as_no_answer(tmp_path: Path) -> None:
    said = ["Answer: 7", "Answer: 5", "Answer: 7", "Answer: 5"]
    member = scripted({"run/r1": said})

    (row,) = evaluate(tmp_path, ["self-consistency"], count=1, member=member, calls_per_item=4).rows

    assert (row.answer, row.correct, row.status) == (None, False, "partial")
    assert row.problem == "all 4 asked: 2 to 2; a tie between 7 and 5"


@pytest.mark.clause("ruling:I17")
def test_vote_is_an_arm_that_stops_and_whose_programs_vote_too(tmp_path: Path) -> None:
    member = scripted({"run/r1": "Answer: 7", "run/r3": "answer = 4 + 3"})

    (row,) = evaluate(tmp_path, ["vote"], count=1, member=member, calls_per_item=12).rows

    assert (row.answer, row.calls, row.votes) == ("7", 4, ("7", "7", "7", "7"))


@pytest.mark.clause("ruling:G8")
def test_the_share_of_a_vote_is_of_the_samples_asked_for(tmp_path: Path) -> None:
    said = ["Answer: 7", "Answer: 7", "I'm sorry, but I can't help with that.", "I must decline."]
    member = scripted({"run/r1": said})

    (row,) = evaluate(tmp_path, ["self-consistency"], count=1, member=member, calls_per_item=4).rows

    assert (row.answer, row.status, row.confidence, row.detail["missing"]) == ("7", "complete", 0.5, 2)
    assert row.votes == ("7", "7", "", "") and row.detail["right_votes"] == [True, True, False, False]


def test_without_a_limit_self_consistency_gets_the_default_budget_of_arm_6(tmp_path: Path) -> None:
    (row,) = evaluate(tmp_path, ["self-consistency"], count=1).rows

    assert row.calls == 20


@pytest.mark.clause("ruling:V2")
def test_the_frontier_arm_is_one_call_of_another_member(tmp_path: Path) -> None:
    cheap, strong = scripted(reply), scripted(reply)
    models = {MEMBER: cheap, "scripted:strong": strong}

    (row,) = evaluate(tmp_path, ["frontier"], count=1, models=models, frontier="scripted:strong").rows

    assert (row.correct, len(cheap.requests), len(strong.requests)) == (True, 0, 1)


def test_the_frontier_arm_without_a_member_is_refused_before_anything_is_spent(tmp_path: Path) -> None:
    member = scripted(reply)

    with pytest.raises(UsageError, match="--frontier SPEC"):
        evaluate(tmp_path, ["single-pass", "frontier"], member=member)

    assert not member.requests


@pytest.mark.clause("evals:G5")
def test_arm_6_ships_its_graph_and_its_votes(tmp_path: Path) -> None:
    (row,) = evaluate(tmp_path, ["interrogation"], count=1, settings={"n": 3}, calls_per_item=12).rows

    assert row.detail["auditable"] is True
    assert row.support_width == 1 and row.basis == "votes"
    assert row.votes == ("7", "7", "7")


def test_a_step_that_brings_nothing_leaves_the_answer_before_it_and_says_so(tmp_path: Path) -> None:
    member = scripted({"answer": "Answer: 7", "revisit": {"$failure": "timeout"}})

    (row,) = evaluate(tmp_path, ["revisit"], count=1, member=member).rows

    assert (row.answer, row.status) == ("7", "partial")
    assert "revisit" in row.detail["stop_reason"]


@pytest.mark.parametrize("arm", EVERY)
def test_an_arm_whose_member_answers_nothing_has_a_row_that_is_wrong_and_says_why(arm: str, tmp_path: Path) -> None:
    (row,) = evaluate(tmp_path, [arm], count=1, member=scripted(failing), calls_per_item=4).rows

    assert (row.answer, row.correct) == (None, False)
    assert row.problem


def test_a_claim_that_is_flagged_in_an_evaluation_ends_so_and_waits_for_nobody(tmp_path: Path) -> None:
    def unsure(request: Request) -> Any:
        return {**reply(request), "confidence": 0.5}

    (row,) = evaluate(tmp_path, ["prism"], count=1, member=scripted(unsure), calls_per_item=40).rows

    assert (row.status, row.answer, row.correct) == ("flagged", None, False)
    assert row.problem == "layer 1 Framing is flagged: 50 % < 70 %"
