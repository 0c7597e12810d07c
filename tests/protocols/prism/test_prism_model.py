"""A board under random agents, times, failures and reviews: what holds after every move."""

import asyncio
import json
import tempfile
from collections import Counter
from contextlib import suppress
from typing import Any

from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from typing_extensions import override

from moot.core.errors import AlreadyEnded, BadSubmission, StepError, UsageError
from moot.core.verdict import Status
from moot.gateway.gateway import Gateway
from moot.protocols.prism.layers import table_of
from moot.protocols.prism.rules import passes
from moot.service.board import Board
from moot.service.service import Service
from moot.store.store import Store
from moot.testing import scripted
from tests.protocols.prism.board_kit import MEMBER, TABLE, add, short_output, work
from tests.runtime.memory import SettableClock

AGENTS = st.sampled_from(["ann", "ben", "cyd", "dan", "eve"])
CONFIDENCES = st.sampled_from([0.2, 0.69, 0.7, 0.71, 1.0])
LAYERS = {layer.number: layer for layer in table_of(TABLE).layers}


class BoardMachine(RuleBasedStateMachine):
    """Two claims: one for people alone, one whose work a house does that fails at random."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = SettableClock()
        self.failing = False
        gateway = Gateway({}, own={MEMBER: scripted(self.answer)})
        self.store = Store.open(f"sqlite:///{self.folder.name}/moot.db", clock=self.clock)
        self.service = Service(self.store, gateway, clock=self.clock, environ={})
        self.board = Board(self.service)
        self.loop = asyncio.new_event_loop()
        self.done: dict[tuple[str, str], Any] = {}
        self.contexts: dict[tuple[str, str], Any] = {}
        self.asked: list[str] = []

    def answer(self, request: Any) -> Any:
        self.asked.append(request.step)
        return "I would rather not." if self.failing else short_output(request.step)

    def do(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def tried(self, work: Any) -> bool:
        try:
            self.do(work)
        except StepError:
            return False
        return True

    @override
    def teardown(self) -> None:
        for claim in getattr(self, "claims", ()):
            self.do(self.service.replay(claim))
            event(f"it ended {self.do(self.board.claim(claim)).pipeline.state.status}")
        self.do(self.store.close())
        self.do(self.loop.shutdown_default_executor())
        self.loop.close()
        self.folder.cleanup()

    @initialize()
    def put_claims(self) -> None:
        self.claims = [
            self.do(add(self.board)),
            self.do(add(self.board, members=(MEMBER,), house="work")),
        ]

    @rule(agent=AGENTS)
    def take_the_next(self, agent: str) -> None:
        self.do(self.board.take_next(agent))

    @rule(agent=AGENTS, confidence=st.sampled_from([0.5, 0.8, 0.9]))
    def take_and_submit(self, agent: str, confidence: float) -> None:
        self.do(work(self.board, agent, confidence))

    @rule(agents=st.permutations(["fay", "gus", "hal", "ida"]))
    def several_work_one_after_the_other(self, agents: list[str]) -> None:
        for agent in agents:
            self.do(work(self.board, agent))

    @rule(agent=AGENTS, confidence=CONFIDENCES)
    def submit_what_one_holds(self, agent: str, confidence: float) -> None:
        for slot in self.do(self.store.steps.search(state="taken")):
            if slot.agent == agent and slot.role != "reviewer":
                self.do(self.board.done(slot.deliberation, slot.step, agent, short_output(slot.step, confidence)))

    @rule(agent=AGENTS, confidence=CONFIDENCES)
    def submit_and_die(self, agent: str, confidence: float) -> None:
        for slot in self.do(self.store.steps.search(state="taken"))[:1]:
            if slot.agent == agent and slot.role != "reviewer":
                self.do(self.service.submit(slot.deliberation, slot.step, agent, short_output(slot.step, confidence)))

    @rule(agent=AGENTS, data=st.data())
    def submit_to_any_slot(self, agent: str, data: Any) -> None:
        steps = [step for step in self.do(self.store.steps.search()) if step.role != "reviewer"]
        step = data.draw(st.sampled_from(steps))
        holds = step.state == "taken" and step.agent == agent

        assert self.tried(self.board.done(step.deliberation, step.step, agent, short_output(step.step))) == holds

    @rule(agent=AGENTS, wrong=st.sampled_from([{"confidence": 1.2}, {"confidence": "high"}, {"content": ""}, {"x": 1}]))
    def submit_badly(self, agent: str, wrong: dict[str, Any]) -> None:
        for slot in self.do(self.store.steps.search(state="taken")):
            if slot.agent == agent and slot.role != "reviewer":
                try:
                    self.do(self.board.done(slot.deliberation, slot.step, agent, short_output(slot.step) | wrong))
                except BadSubmission:
                    assert self.do(self.store.steps.read(slot.deliberation, slot.step)).agent == agent
                else:
                    raise AssertionError(f"{wrong} was taken")

    @rule(agent=AGENTS)
    def release_all(self, agent: str) -> None:
        for slot in self.do(self.store.steps.search(state="taken")):
            assert self.tried(self.board.release(slot.deliberation, slot.step, agent)) == (slot.agent == agent)

    @rule(seconds=st.sampled_from([10.0, 200.0, 301.0]))
    def time_passes(self, seconds: float) -> None:
        self.clock.wall += seconds

    @rule(failing=st.booleans())
    def the_house_fails_or_recovers(self, failing: bool) -> None:
        self.failing = failing

    @rule(number=st.sampled_from([0, 1]))
    def somebody_resumes(self, number: int) -> None:
        with suppress(AlreadyEnded):
            self.do(self.service.resume(self.claims[number]))

    @rule(reviewer=AGENTS, decision=st.sampled_from(["advance", "redo", "close"]), number=st.integers(0, 1))
    def review(self, reviewer: str, decision: str, number: int) -> None:
        flags = self.do(self.board.flags())
        if not flags:
            return
        flag = flags[number % len(flags)]
        try:
            self.do(self.board.clear(flag.deliberation, reviewer, decision, "looked at"))
        except StepError:
            assert flag.state == "taken" and flag.agent != reviewer

    @rule(number=st.sampled_from([0, 1]))
    def clear_what_has_no_flag(self, number: int) -> None:
        if not any(flag.deliberation == self.claims[number] for flag in self.do(self.board.flags())):
            try:
                self.do(self.board.clear(self.claims[number], "eve", "close", "x"))
            except UsageError:
                return
            raise AssertionError("a flag that is none was cleared")

    @invariant()
    def nobody_is_twice_in_an_attempt_at_a_layer(self) -> None:
        steps = self.do(self.store.steps.search())
        held = Counter((step.deliberation, step.group, step.agent) for step in steps if step.agent)

        assert set(held.values()) <= {1}

    @invariant()
    def what_is_done_and_what_was_shown_never_change(self) -> None:
        for step in self.do(self.store.steps.search()):
            key = (step.deliberation, step.step)
            assert self.contexts.setdefault(key, step.context) == step.context
            assert key not in self.done or self.done[key] == (step.agent, step.reply)
            if step.state == "done":
                self.done[key] = (step.agent, step.reply)

    @invariant()
    def nobody_sees_the_unfinished_phase_of_a_peer(self) -> None:
        for step in self.do(self.store.steps.search()):
            layer = int(step.labels["layer"])
            if step.labels["type"] == "review":
                continue
            assert all(item["layer"] < layer for item in step.context["earlier"])
            shown = {item["phase"] for item in step.context.get("work", ())}
            assert shown <= ({"work"} if step.labels["type"] == "consensus" else set())

    @invariant()
    def a_layer_opens_only_behind_one_that_passed_or_was_let_through(self) -> None:
        for claim in getattr(self, "claims", ()):
            steps = {step.step: step for step in self.do(self.store.steps.search(deliberation=claim))}
            attempts = dict.fromkeys(name.split("/")[0] for name in steps)
            for before, after in zip(attempts, list(attempts)[1:], strict=False):
                review = steps.get(f"{before}/review")
                decided = review.reply["decision"] if review and review.reply else None
                again = before.split(".")[0] == after.split(".")[0]
                assert decided == ("redo" if again else decided)
                if not again and decided != "advance":
                    assert self.passed(before, steps)

    def passed(self, attempt: str, steps: dict[str, Any]) -> bool:
        layer = LAYERS[int(attempt[1 : attempt.index(".")])]
        replies = [step.reply for name, step in steps.items() if name.startswith(f"{attempt}/consensus/")]
        return all(replies) and passes([reply["confidence"] for reply in replies], layer.threshold)

    @invariant()
    def where_a_claim_stands_is_what_its_record_says(self) -> None:
        for claim in getattr(self, "claims", ()):
            shown = self.do(self.service.show(claim))
            state = self.do(self.board.claim(claim)).pipeline.state
            waits = [step.step for step in shown.waiting]
            if shown.status.ended:
                assert state.status == shown.status.value in ("complete", "closed", "partial")
                assert shown.status is not Status.COMPLETE or shown.record.verdict.detail["claimConsensus"]
                assert not waits
                assert self.do(self.board.verify(claim)).changed == ()
            else:
                assert (state.status == "flagged") == any(step.endswith("/review") for step in waits)

    @invariant()
    def the_house_is_never_asked_the_same_again(self) -> None:
        assert all(count <= 2 for count in Counter(self.asked).values())

    @invariant()
    def the_board_can_always_be_shown(self) -> None:
        for claim in self.do(self.board.claims()):
            json.dumps(claim.json())


TestBoard = BoardMachine.TestCase
TestBoard.settings = settings(max_examples=15, stateful_step_count=30, deadline=None)
