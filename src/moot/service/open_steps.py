"""Open steps that are not the board's: a person's turn, a ruling, whatever a protocol invites others to.

The board has rules of its own for its slots and flags. Here a step is taken, filled and given back, and whoever fills
one resumes its deliberation.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from moot.core.calls import Reply
from moot.core.errors import NotFound
from moot.core.moments import iso_moment
from moot.core.ports import OpenStep, Progress
from moot.protocols.prism.slots import FLAG
from moot.service.orders import outside_agent
from moot.service.service import Created, Service, ignore_id, no_progress

PERSON, REVIEWER = "person", "reviewer"
"""Roles that are for people: whoever asked is at hand for the first, and nobody reviews what they asked themselves.
A step of any other role may be filled by agents too."""

BOARD = "board"
"""The label that makes a step the board's."""

LEASE = 300.0

Kind = Literal["step", "slot", "flag"]


class OpenSteps:
    """The open steps of all deliberations, but for the board's."""

    def __init__(self, service: Service, resume_if_due: Callable[[str], None] | None = None) -> None:
        """`resume_if_due` resumes a deliberation elsewhere; without it, whoever fills a step does."""
        self._service = service
        self._store = service.store
        self._resume_if_due = resume_if_due

    async def waiting(
        self,
        prefix: str | None = None,
        *,
        for_agent: str | None = None,
        after: int = 0,
        limit: int | None = None,
    ) -> list[OpenStep]:
        """Return the steps that wait, oldest first, past a number; of one deliberation, or of all.

        `for_agent` is the prefix of an agent's key: it is told of a person's steps only where it asked the question,
        and never of what is for reviewers.
        """
        return await self._store.steps.waiting(
            unlabelled=BOARD,
            deliberation=None if prefix is None else await self._store.deliberations.resolve(prefix),
            closed_roles=() if for_agent is None else (REVIEWER,),
            own_roles=() if for_agent is None else (PERSON,),
            owner=for_agent,
            after=after,
            limit=limit,
        )

    async def find(self, prefix: str, step: str) -> OpenStep:
        """Return a step as it stands.

        Raises:
            NotFound: where there is none of this name, or it is the board's.
        """
        deliberation = await self._store.deliberations.resolve(prefix)
        asked = await self._store.steps.read(deliberation, step)
        if kind_of(asked) != "step":
            see = f"it is a {kind_of(asked)} of the board, and is filled there"
            raise NotFound(what="open step beside the board", name=step, see=see)
        return asked

    async def take(self, step: OpenStep, agent: str, *, lease: float = LEASE) -> OpenStep:
        """Give a step to somebody for the seconds of the lease; to take one's own again renews it.

        Raises:
            AlreadyEnded, ProtocolNotInstalled, ProtocolVersionChanged: where nothing could come of it.
        """
        await self._service.check_resumable(step.deliberation)
        return await self._store.steps.take(step.deliberation, step.step, outside_agent(agent), lease=lease)

    async def renew(self, step: OpenStep, agent: str, *, lease: float = LEASE) -> OpenStep:
        """Give whoever holds a step a new lease on it."""
        return await self._store.steps.renew(step.deliberation, step.step, outside_agent(agent), lease=lease)

    async def release(self, step: OpenStep, agent: str | None) -> None:
        """Take a step back from the one who holds it; without an agent, from whoever does."""
        await self._store.steps.release(step.deliberation, step.step, agent and outside_agent(agent))

    async def fill(
        self,
        step: OpenStep,
        agent: str,
        reply: Mapping[str, Any],
        *,
        on_progress: Progress = no_progress,
        on_stored: Created = ignore_id,
    ) -> None:
        """Put a reply into a step, and resume its deliberation where nothing waits any more.

        `on_stored` hears the deliberation's id once the reply is kept and before anything else is done.

        Raises:
            BadSubmission: for a reply of the wrong shape; the step stays taken.
        """
        await self._service.submit(step.deliberation, step.step, agent, reply)
        on_stored(step.deliberation)
        if self._resume_if_due is not None:
            self._resume_if_due(step.deliberation)
        else:
            await self._service.resume_if_due(step.deliberation, on_progress=on_progress)


def kind_of(step: OpenStep) -> Kind:
    """Return what a step is to those who would fill it: a slot or a flag of the board, or a step of another kind."""
    if BOARD not in step.labels:
        return "step"
    return "flag" if step.labels[BOARD] == FLAG else "slot"


def step_json(step: OpenStep, shape: type[Reply]) -> dict[str, Any]:
    """Return a step as whoever would fill it sees it: what it is about, and the JSON schema of the reply."""
    return {
        **line_json(step),
        "context": dict(step.context),
        "reply_schema": shape.model_json_schema(by_alias=True),
    }


def line_json(step: OpenStep) -> dict[str, Any]:
    """Return a step in short: what is wanted of whom, who has it and until when."""
    return {
        "deliberation_id": step.deliberation,
        "step": step.step,
        "kind": kind_of(step),
        "role": step.role,
        "title": step.title,
        "state": step.state,
        "agent": step.agent,
        "lease_until": iso_moment(step.lease_until),
    }
