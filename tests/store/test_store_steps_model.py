"""Open steps against a plain model of them, over random histories."""

import asyncio
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from store_kit import SettableClock, invitation, with_steps
from typing_extensions import override

from moot.core.errors import StepError
from moot.store import Store

GROUP_OF = {"a": "g", "b": "g", "c": "g", "d": "h"}
STEPS = st.sampled_from(sorted(GROUP_OF))
AGENTS = st.sampled_from(["ann", "ben", "cyd"])


class OpenSteps(RuleBasedStateMachine):
    """A step is (agent, until, done) in the model; the store must agree after every move."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = SettableClock()
        self.store = Store.open(f"sqlite:///{Path(self.folder.name) / 'moot.db'}", clock=self.clock)
        self.loop = asyncio.new_event_loop()
        self.model: dict[str, tuple[str | None, float, bool]] = dict.fromkeys(GROUP_OF, (None, 0.0, False))
        self.loop.run_until_complete(
            with_steps(self.store, "x", *(invitation(step, group=group) for step, group in GROUP_OF.items()))
        )

    @override
    def teardown(self) -> None:
        self.loop.run_until_complete(self.store.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        self.folder.cleanup()

    def worked(self, attempt) -> bool:
        try:
            self.loop.run_until_complete(attempt)
        except StepError:
            return False
        return True

    def holder(self, step: str) -> str | None:
        agent, until, done = self.model[step]
        return agent if done or until > self.clock.time else None

    @rule(step=STEPS, agent=AGENTS, lease=st.sampled_from([10.0, 100.0]))
    def take(self, step, agent, lease):
        busy = any(
            self.holder(other) == agent for other in GROUP_OF if other != step and GROUP_OF[other] == GROUP_OF[step]
        )
        allowed = not self.model[step][2] and self.holder(step) in (None, agent) and not busy

        assert self.worked(self.store.steps.take("x", step, agent, lease=lease)) == allowed
        if allowed:
            for other in GROUP_OF:
                if GROUP_OF[other] == GROUP_OF[step] and self.model[other][0] == agent:
                    self.model[other] = (None, 0.0, False)
            self.model[step] = (agent, self.clock.time + lease, False)

    @rule(step=STEPS, agent=AGENTS)
    def submit(self, step, agent):
        allowed = not self.model[step][2] and self.holder(step) == agent

        assert self.worked(self.store.steps.submit("x", step, agent, {"by": agent})) == allowed
        if allowed:
            self.model[step] = (agent, 0.0, True)

    @rule(step=STEPS, agent=AGENTS)
    def release(self, step, agent):
        allowed = not self.model[step][2] and self.model[step][0] == agent

        assert self.worked(self.store.steps.release("x", step, agent)) == allowed
        if allowed:
            self.model[step] = (None, 0.0, False)

    @rule(seconds=st.sampled_from([5.0, 10.0, 95.0, -50.0]))
    def time_passes(self, seconds):
        self.clock.time += seconds

    @invariant()
    def the_store_agrees(self):
        for step in self.loop.run_until_complete(self.store.steps.search()):
            assert step.agent == self.holder(step.step)
            assert (step.state == "done") == self.model[step.step][2]


TestOpenSteps = OpenSteps.TestCase
TestOpenSteps.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
