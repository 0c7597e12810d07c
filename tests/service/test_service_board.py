"""The board as people and outside agents use it, over a real store."""

from pathlib import Path

import pytest
from typing_extensions import override

from moot.core.errors import (
    BadSubmission,
    LeaseExpired,
    NotYourStep,
    OneAnswerPerAgent,
    ReviewOfOwnWork,
    StepGone,
    UsageError,
)
from moot.core.question import Document, Question
from moot.core.verdict import Status
from moot.service.board import MOST_TRIES, Board
from moot.service.orders import Fork, Order
from tests.protocols.prism.board_kit import MEMBER, TABLE, add, on_board, short_output, work
from tests.protocols.prism.kit import output


@pytest.mark.clause("prism:seeding")
def test_prism_v1_comes_with_the_first_claim_and_not_before(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        before = await board.protocols()
        id_ = (await board.add(Order(Question(text="Crows."), settings={"house": "none"}, seed=1))).id
        return before, await board.protocols(), (await board.claim(id_)).json()

    before, after, claim = on_board(tmp_path, scene)

    assert before == []
    assert [(table["name"], len(table["layers"])) for table in after] == [("prism-v1", 7)]
    assert claim["claims"]["domain"] == "calibrating"


@pytest.mark.clause("prism:names")
@pytest.mark.clause("prism:slot-statuses")
def test_a_claim_is_shown_under_the_names_of_the_paper_while_its_slots_are_filled(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        slot = await board.take_next("Ada")
        taken = (await board.claim(id_)).json()
        await board.done(id_, slot.step, "Ada", short_output(slot.step))
        return taken, (await board.claim(id_)).json()

    taken, done = on_board(tmp_path, scene)

    assert set(taken) == {
        "id",
        "claims",
        "claimPipelineState",
        "claimStageSlots",
        "claimFlags",
        "claimConsensus",
        "votes",
        "seal",
        "stalled",
        "left_alone",
    }
    assert [slot["status"] for slot in taken["claimStageSlots"]] == ["taken", "open"]
    assert [slot["status"] for slot in done["claimStageSlots"]] == ["done", "open"]
    assert [slot["agent"] for slot in done["claimStageSlots"]] == ["Ada", None]
    assert taken["claimPipelineState"] == {"layer": 1, "phase": "work", "status": "active"}


@pytest.mark.clause("ruling:P8")
def test_nobody_sees_how_sure_a_peer_is_before_the_phase_is_over(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        await work(board, "Ada")
        during = (await board.claim(id_)).json()["claimStageSlots"][0]
        await work(board, "Bea")
        return during, (await board.claim(id_)).json()["claimStageSlots"][0]

    during, after = on_board(tmp_path, scene)

    assert (during["agent"], during["confidence"]) == ("Ada", None)
    assert (after["agent"], after["confidence"]) == ("Ada", 0.8)


@pytest.mark.clause("prism:engine")
def test_every_submission_drives_the_pipeline_and_agents_find_their_next_slot(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        slots, states = [], []
        for agent in ("Ada", "Bea", "Cyd") * 3:
            slots.append(await work(board, agent))
            state = (await board.claim(id_)).pipeline.state
            states.append(f"L{state.layer} {state.phase}")
        return [slot and slot.step for slot in slots], states, await board.claim(id_), await service.show(id_)

    slots, states, claim, shown = on_board(tmp_path, scene)

    assert slots == [
        *("L1.1/work/1", "L1.1/work/2", "L1.1/consensus/1"),
        *("L2.1/work/1", "L2.1/consensus/1", "L2.1/consensus/2"),
        *("L3.1/consensus/1", "L3.1/consensus/2", None),
    ]
    assert states == [
        *("L1 work", "L1 consensus", "L2 work"),
        *("L2 consensus", "L2 consensus", "L3 consensus"),
        *("L3 consensus", "L3 consensus", "L3 consensus"),
    ]
    assert claim.pipeline.state.status == shown.status.value == "complete"
    assert claim.pipeline.claim.domain == "cognitive-ethology"
    assert claim.pipeline.consensus["recommendation"] == "accept-with-caveats"


def test_a_claim_whose_last_submitter_died_is_gone_on_with_by_whoever_looks_for_work(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        for agent in ("Ada", "Bea"):
            slot = await board.take_next(agent)
            await service.submit(id_, slot.step, agent, short_output(slot.step))
        return await board.take_next("Cyd")

    assert on_board(tmp_path, scene).step == "L1.1/consensus/1"


def test_the_oldest_open_slot_is_found_by_layer_role_type_and_claim(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        first, second = await add(board), await add(board)
        for agent in ("Ada", "Bea", "Cyd"):
            await work(board, agent, claim=first)
        found = [
            await board.next_slot("Dan"),
            await board.next_slot("Dan", layer=2),
            await board.next_slot("Dan", role="contributor"),
            await board.next_slot("Dan", type_="consensus"),
            await board.next_slot("Dan", claim=second),
        ]
        return first, second, [(slot.deliberation, slot.step) if slot else None for slot in found]

    first, second, found = on_board(tmp_path, scene)

    assert found == [
        (second, "L1.1/work/1"),
        (first, "L2.1/work/1"),
        (second, "L1.1/work/1"),
        None,
        (second, "L1.1/work/1"),
    ]


@pytest.mark.clause("ruling:P1")
@pytest.mark.clause("prism:one-slot")
def test_nobody_has_two_slots_of_a_layer_work_or_consensus_until_it_is_redone(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        await work(board, "Ada")
        with pytest.raises(OneAnswerPerAgent):
            await board.take(id_, "L1.1/work/2", "Ada")
        await work(board, "Bea")
        with pytest.raises(OneAnswerPerAgent):
            await board.take(id_, "L1.1/consensus/1", "Ada")
        await work(board, "Cyd", 0.1)
        await board.clear(id_, "Dan", "redo", "Try again.")
        return (await board.take(id_, "L1.2/work/1", "Ada")).state

    assert on_board(tmp_path, scene) == "taken"


@pytest.mark.clause("ruling:P2")
def test_a_lease_runs_out_after_five_minutes_and_can_be_renewed_before(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        slot = await board.take_next("Ada")
        clock.wall += 299
        renewed = await board.renew(id_, slot.step, "Ada")
        clock.wall += 299
        still = (await board.claim(id_)).pipeline.slots[0].status
        clock.wall += 2
        with pytest.raises(LeaseExpired):
            await board.done(id_, slot.step, "Ada", short_output(slot.step))
        with pytest.raises(LeaseExpired):
            await board.renew(id_, slot.step, "Ada")
        await board.take(id_, slot.step, "Bea")
        with pytest.raises(NotYourStep):
            await board.done(id_, slot.step, "Ada", short_output(slot.step))
        return slot.lease_until, renewed.lease_until, still

    first, second, still = on_board(tmp_path, scene)

    assert second - first == 299
    assert still == "taken"


def test_a_foreign_slot_a_double_submit_and_a_wrong_shape_change_nothing(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        slot = await board.take_next("Ada")
        with pytest.raises(NotYourStep):
            await board.done(id_, slot.step, "Bea", short_output(slot.step))
        with pytest.raises(NotYourStep):
            await board.release(id_, slot.step, "Bea")
        with pytest.raises(BadSubmission):
            await board.done(id_, slot.step, "Ada", output(2, 1.2))
        before = (await board.claim(id_)).json()
        await board.done(id_, slot.step, "Ada", short_output(slot.step))
        with pytest.raises(StepGone):
            await board.done(id_, slot.step, "Ada", short_output(slot.step, 0.1))
        return before["claimStageSlots"][0], (await service.store.steps.read(id_, slot.step)).reply

    before, reply = on_board(tmp_path, scene)

    assert (before["status"], before["agent"]) == ("taken", "Ada")
    assert reply["confidence"] == 0.8


@pytest.mark.clause("ruling:P5")
@pytest.mark.parametrize(("decision", "status"), [("advance", "active"), ("redo", "active"), ("close", "closed")])
def test_a_flag_is_cleared_with_a_name_and_a_note(tmp_path: Path, decision: str, status: str) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        for agent, sure in (("Ada", 0.8), ("Bea", 0.8), ("Cyd", 0.62)):
            await work(board, agent, sure)
        flags = await board.flags()
        with pytest.raises(BadSubmission):
            await board.clear(id_, "Dan", decision, "  ")
        with pytest.raises(UsageError, match="no flag that waits"):
            await board.clear(await add(board), "Dan", decision, "x")
        await board.clear(id_, "Dan", decision, "I asked around.")
        return flags, await board.claim(id_), await board.flags()

    [flag], claim, left = on_board(tmp_path, scene)

    assert flag.title == "Frame (layer 1) is flagged: 62 % < 70 %"
    assert claim.pipeline.state.status == status
    assert claim.pipeline.flags[0].cleared == {"by": "Dan", "decision": decision, "note": "I asked around."}
    assert left == []


def test_two_who_clear_one_flag_at_once_do_not_both_succeed(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        for agent, sure in (("Ada", 0.8), ("Bea", 0.8), ("Cyd", 0.62)):
            await work(board, agent, sure)
        await board.take(id_, "L1.1/review", "Dan")
        with pytest.raises(StepGone):
            await board.clear(id_, "Eve", "close", "No.")
        await board.clear(id_, "Dan", "advance", "Yes.")
        return (await board.claim(id_)).pipeline

    assert on_board(tmp_path, scene).state.layer == 2


def test_a_claim_of_people_can_be_forked_to_the_house_from_any_slot(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        for agent in ("Ada", "Bea", "Cyd"):
            await work(board, agent)
        forked = await service.fork(id_, Fork("L2.1/work/1", (MEMBER,), {"house": "all"}, seed=1))
        same = await service.replay(forked.id)
        return forked, same, await board.claim(forked.id), await board.verify(forked.id)

    forked, same, claim, verified = on_board(tmp_path, scene)

    agents = [slot.agent for slot in claim.pipeline.slots]
    assert forked.status is Status.COMPLETE
    assert agents[:3] == ["Ada", "Bea", "Cyd"]
    assert all(agent.startswith("house/m1") for agent in agents[3:])
    assert verified.changed == ()
    assert not same.paused


def test_a_claim_that_a_dead_process_left_between_two_phases_is_stalled_until_it_is_resumed(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board, members=(MEMBER,), house="work")
        waits = await board.claim(id_)
        slot = await board.take_next("Ada")
        taken = await board.claim(id_)
        await service.submit(id_, slot.step, "Ada", short_output(slot.step))
        left = await board.claim(id_)
        await service.resume(id_)
        return waits, taken, left, await board.claim(id_)

    waits, taken, left, resumed = on_board(tmp_path, scene)

    assert [claim.stalled for claim in (waits, taken, left, resumed)] == [False, False, True, False]
    assert (left.pipeline.state.layer, resumed.pipeline.state.layer) == (1, 2)


def test_an_agent_that_always_comes_too_late_is_told_that_there_is_no_slot(tmp_path: Path) -> None:
    tried = []

    class Crowded(Board):
        @override
        async def take(self, claim, step, agent, *, lease=0.0):
            tried.append((claim, step))
            raise StepGone(step=step, state="taken")

    async def scene(board, service, clock):
        for _ in range(MOST_TRIES // 2 + 1):
            await add(board)
        return await Crowded(service).take_next("Ada")

    assert on_board(tmp_path, scene) is None
    assert len(tried) == len(set(tried)) == MOST_TRIES


@pytest.mark.clause("ruling:P11")
def test_documents_are_read_as_they_were_given_and_only_of_claims(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        question = Question(text="Crows.", documents=(Document(name="a.txt", text="Quill was a jackdaw."),))
        claim = await board.add(Order(question, settings={"table": TABLE, "house": "none"}, seed=1))
        other = await service.ask(Order(question, protocol="single", members=(MEMBER,), seed=1))
        with pytest.raises(UsageError, match="no claim of the board"):
            await board.documents(other.id)
        return question.documents, await board.documents(claim.id)

    given, read = on_board(tmp_path, scene, replies={"answer": "A jackdaw."})

    assert read == given


@pytest.mark.clause("ruling:P12")
def test_at_the_terminal_an_agent_of_the_attempt_may_clear_its_flag_and_is_marked(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        for agent, sure in (("Ada", 0.8), ("Bea", 0.8), ("Cyd", 0.62)):
            await work(board, agent, sure)
        with pytest.raises(ReviewOfOwnWork, match="somebody else clears it, such as 'Dan'"):
            await board.clear(id_, "Bea", "close", "No.", reviewers=("Ada", "Dan"))
        untouched = await board.flags()
        await board.clear(id_, "Bea", "close", "No.", reviewers=("Ada", "Cyd"))
        return untouched, (await service.show(id_)).record.verdict

    [flag], verdict = on_board(tmp_path, scene)

    assert flag.state == "open"
    assert any("Bea closed the claim (cleared by one of its own agents)" in caveat for caveat in verdict.caveats)


@pytest.mark.clause("ruling:P9")
def test_a_seal_is_verified_against_what_is_stored(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board, members=(MEMBER,))
        found = await board.verify(id_)
        return found, await board.verify(id_, found.seal.upper()), await board.verify(id_, "0")

    found, again, other = on_board(tmp_path, scene)

    assert found.changed == again.changed == ()
    assert (found.slots, other.changed) == (8, ("seal",))


@pytest.mark.clause("ruling:P5")
def test_a_cleared_flag_is_seen_before_anything_has_gone_on_with_the_claim(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        id_ = await add(board)
        for agent in ("ada", "bea", "cyd"):
            await work(board, agent, 0.2)
        before = (await board.claim(id_)).layers[0]
        await Board(service, lambda _id: None).clear(id_, "rita", "advance", "It is enough.")
        return before, (await board.claim(id_)).layers

    before, (after, following, *_) = on_board(tmp_path, scene)

    assert before.latest and (before.latest.state, before.latest.mean_words) == ("waits for a reviewer", "20 %")
    assert after.latest and (after.latest.state, after.latest.own_review) == ("let pass by a reviewer", False)
    assert following.latest is None


def test_agents_are_counted_by_what_they_filled_and_hold_and_the_house_is_one(tmp_path: Path) -> None:
    async def scene(board, service, clock):
        first = await add(board)
        await add(board, "Ravens plan.", members=(MEMBER,), house="work")
        await work(board, "ada", claim=first)
        await board.take(first, "L1.1/work/2", "bea")
        during = await board.agents()
        clock.wall += 1_000
        return during, await board.agents()

    during, after = on_board(tmp_path, scene)

    assert [(agent.name, agent.filled, agent.held, agent.claims) for agent in during] == [
        ("the house", 2, 0, 1),
        ("ada", 1, 0, 1),
        ("bea", 0, 1, 1),
    ]
    assert [agent.name for agent in after] == ["the house", "ada"]
    assert during[1].roles == ("contributor",)
