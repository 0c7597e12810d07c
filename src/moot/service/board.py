"""The board: claims of `prism`, their slots and flags, for people at a terminal and agents from outside.

Every function is a use case over open steps of the door. Whatever fills a step resumes its claim (prism, engine).
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from moot.core.deliberation import HOUSE
from moot.core.errors import BadSetting, NotEnded, NotFound, OneAnswerPerAgent, ReviewOfOwnWork, StepGone, UsageError
from moot.core.events import Header
from moot.core.panes import Pane
from moot.core.ports import OpenStep, Progress
from moot.core.question import Document
from moot.protocols.prism.board import BoardSlot, Pipeline, changed_slots, pipeline_of
from moot.protocols.prism.claim_layers import BoardLayer, board_layers, claim_panes
from moot.protocols.prism.layers import CONSENSUS, MOST_LAYERS, TABLES, Role, SlotType
from moot.protocols.prism.schemas import FlagReview
from moot.protocols.prism.slots import FLAG, SLOT
from moot.service.orders import Order, outside_agent, shaped
from moot.service.results import Result
from moot.service.service import Created, Service, ignore_id, no_progress
from moot.store.lists import ListFilters
from moot.store.steps import AgentSteps, OpenPlace

PRISM = "prism"
ROLES = (*get_args(Role), CONSENSUS)
TYPES = get_args(SlotType)
THE_HOUSE = "the house"
TABLE_NAMES = tuple(TABLES)
"""The layer tables that come with Moot."""
LEASE = 300.0
LONGEST_LEASE = 3600.0
MOST_TRIES = 50
"""Slots for which an agent may come too late, one after the other, before there is none for it."""


@dataclass(frozen=True, slots=True)
class OnBoard:
    """A claim by its id, with its pipeline."""

    id: str
    pipeline: Pipeline
    at_work: bool = False
    """Whether a process works on it, and nobody else is waited for."""
    stalled: bool = False
    """Whether no process works on it although nobody else is waited for: `resume` goes on with it."""
    number: int = 0
    """Its place among all deliberations, for the page after it."""
    started: float = 0.0
    layers: tuple[BoardLayer, ...] = ()
    panes: tuple[Pane, ...] = ()
    """How its domain was voted for, and its consensus."""
    has_members: bool = False
    """Whether models may be called for it."""

    def json(self) -> dict[str, Any]:
        """Return the claim under the paper's names."""
        shown = self.pipeline.json()
        return {
            "id": self.id,
            "stalled": self.stalled,
            # The old name of the line above, for one release.
            "left_alone": self.stalled,
            **shown,
            "claims": {"id": self.id, **shown["claims"]},
        }


@dataclass(frozen=True, slots=True)
class Verified:
    """Whether a claim is what it was sealed as (ruling P9)."""

    id: str
    seal: str
    slots: int
    changed: tuple[str, ...]
    """The slots that are not what they were, by step; `consensus` and `seal` stand for themselves."""

    def json(self) -> dict[str, Any]:
        """Return it as `moot board verify --json` prints it."""
        return {"id": self.id, "seal": self.seal, "slots": self.slots, "changed": list(self.changed)}


@dataclass(frozen=True, slots=True)
class SlotOnBoard:
    """A slot with its claim; what it says is not on it as long as its phase goes on (ruling P8)."""

    claim: OnBoard
    step: OpenStep
    shown: BoardSlot


@dataclass(frozen=True, slots=True)
class BoardAgent:
    """Somebody who works on the board, or all seats of the house together."""

    name: str
    filled: int
    held: int
    claims: int
    roles: tuple[str, ...]
    """The roles of the slots, those that were filled most first."""


class Board:
    """Claims and what can be done with them."""

    def __init__(self, service: Service, resume_if_due: Callable[[str], None] | None = None) -> None:
        """`resume_if_due` resumes a claim elsewhere; without it, whoever fills a slot does."""
        self._service = service
        self._store = service.store
        self._resume_if_due = resume_if_due

    async def add(
        self, order: Order, *, on_progress: Progress = no_progress, on_created: Created = ignore_id
    ) -> Result:
        """Put a claim on the board; it goes as far as its house can take it."""
        return await self._service.ask(replace(order, protocol=PRISM), on_progress=on_progress, on_created=on_created)

    async def claims(self, limit: int | None = None) -> list[OnBoard]:
        """Return the claims, newest first."""
        return await self.page(limit)

    async def page(self, limit: int | None, before: int | None = None) -> list[OnBoard]:
        """Return so many claims, newest first, from where the page before ended."""
        rows = await self._store.deliberations.newest(limit, PRISM, before=before)
        return [replace(await self.claim(row.id), number=row.number, started=row.started) for row in rows]

    async def count(self) -> int:
        """Return how many claims there are."""
        return await self._store.deliberations.count(ListFilters(protocol=PRISM))

    async def protocols(self) -> list[dict[str, Any]]:
        """Return the layer tables of the claims on the board, each as the first claim in it brought it."""
        tables = {claim.pipeline.table.name: claim.pipeline.table for claim in await self.claims()}
        return [table.model_dump(mode="json") for table in tables.values()]

    async def claim(self, prefix: str) -> OnBoard:
        """Return one claim.

        Raises:
            UsageError: for a deliberation that is none.
        """
        shown = await self._service.show(prefix)
        _check_claim(shown.id, shown.record.header)
        steps = await self._store.steps.search(deliberation=shown.id)
        going = not shown.status.ended and not any(map(_is_for_people, steps))
        held = going and await self._store.is_held(shown.id)
        pipeline = pipeline_of(shown.record, steps)
        return OnBoard(
            shown.id,
            pipeline,
            at_work=held,
            stalled=going and not held,
            layers=board_layers(shown.record, pipeline),
            panes=claim_panes(shown.record),
            has_members=len(shown.record.header.panel) > 0,
        )

    async def slot(self, claim: str, step: str) -> SlotOnBoard:
        """Return a slot of a claim, with what it says once its phase is over.

        Raises:
            NotFound: where there is none of this name.
        """
        on_board = await self.claim(claim)
        shown = next((slot for slot in on_board.pipeline.slots if slot.step == step), None)
        if shown is None:
            raise NotFound(what="slot", name=step, see=f"the pipeline of claim {on_board.id} lists those there are")
        asked = await self._store.steps.read(on_board.id, step)
        return SlotOnBoard(on_board, replace(asked, reply=shown.output), shown)

    async def agents(self) -> list[BoardAgent]:
        """Return who has filled or holds slots, those who filled most first; nothing of what they said."""
        by_name: dict[str, list[AgentSteps]] = {}
        for did in await self._store.steps.agents({"board": SLOT}):
            name = THE_HOUSE if did.agent.startswith(HOUSE) else did.agent
            by_name.setdefault(name, []).append(did)
        agents = [_agent(name, did) for name, did in by_name.items()]
        return sorted(agents, key=lambda agent: (-agent.filled, agent.name))

    async def documents(self, claim: str) -> tuple[Document, ...]:
        """Return the documents of a claim, in full (ruling P11).

        Raises:
            UsageError: for a deliberation that is none.
        """
        id_ = await self._store.deliberations.resolve(claim)
        header = await self._store.deliberations.header(id_)
        _check_claim(id_, header)
        return header.question.documents

    async def may_work_on(self, claim: str, agent: str) -> bool:
        """Whether an agent holds a slot of a claim, or may take one (ruling P11)."""
        return bool(await self.held(agent, claim) or await self.next_slot(agent, claim=claim))

    async def held(self, agent: str, claim: str | None = None) -> list[OpenStep]:
        """Return the slots that an agent holds, oldest first."""
        deliberation = await self._store.deliberations.resolve(claim) if claim else None
        taken = await self._store.steps.search(deliberation=deliberation, state="taken", labels={"board": SLOT})
        return [step for step in taken if step.agent == agent]

    async def next_slot(
        self,
        agent: str,
        *,
        claim: str | None = None,
        layer: int | None = None,
        role: str | None = None,
        type_: str | None = None,
    ) -> OpenStep | None:
        """Return the oldest open slot that the agent may take (prism, findNextWorkSlot).

        Raises:
            BadSetting: for a role, a type or a layer that no slot can have.
        """
        slots = await self.next_slots(agent, 1, claim=claim, layer=layer, role=role, type_=type_)
        return slots[0] if slots else None

    async def next_slots(
        self,
        agent: str,
        limit: int,
        *,
        claim: str | None = None,
        layer: int | None = None,
        role: str | None = None,
        type_: str | None = None,
    ) -> list[OpenStep]:
        """Return the oldest open slots that the agent may take, as many as wanted."""
        labels = slot_labels(layer, role, type_)
        deliberation = await self._store.deliberations.resolve(claim) if claim else None
        return await self._store.steps.search(
            deliberation=deliberation, role=role, labels=labels, agent=outside_agent(agent), limit=limit
        )

    async def open_places(self, limit: int) -> list[OpenPlace]:
        """Return the open slots in short, oldest first, with the agents that may not take each."""
        return await self._store.steps.open_places({"board": SLOT}, limit)

    async def take_next(self, agent: str, *, lease: float = LEASE, **wanted: Any) -> OpenStep | None:
        """Take the oldest open slot that the agent may take; None where there is none."""
        taken = await self._take_next(agent, lease, wanted)
        if taken is None and await self._resume_due_claims():
            taken = await self._take_next(agent, lease, wanted)
        return taken

    async def _take_next(self, agent: str, lease: float, wanted: Mapping[str, Any]) -> OpenStep | None:
        tried: set[int] = set()
        while len(tried) < MOST_TRIES:
            open_ = await self.next_slots(agent, len(tried) + 1, **wanted)
            untried = next((step for step in open_ if step.number not in tried), None)
            if untried is None:
                break
            try:
                return await self.take(untried.deliberation, untried.step, agent, lease=lease)
            except (StepGone, OneAnswerPerAgent):
                # Somebody was quicker, or the agent itself in another process.
                tried.add(untried.number)
        return None

    async def _resume_due_claims(self) -> bool:
        """Resume the claims of people whose last submitter died before it could; whether there were any."""
        resumed = [await self._service.resume_if_due(id_) for id_ in await self.due_claims()]
        return any(resumed)

    async def due_claims(self) -> list[str]:
        """Return the claims of people that wait for nobody: whoever filled the last slot did not resume them.

        A claim with members of its own is none of them: to resume it may cost money, and is for `resume`.
        """
        waiting = await self._store.steps.waiting_for_nobody(PRISM)
        return [id_ for id_ in waiting if not len((await self._store.deliberations.header(id_)).panel)]

    async def take(self, claim: str, step: str, agent: str, *, lease: float = LEASE) -> OpenStep:
        """Give a slot to an agent for the seconds of the lease, an hour at most (ruling P2).

        Raises:
            BadSetting: for a lease that would keep a slot from everybody.
        """
        deliberation = await self._store.deliberations.resolve(claim)
        return await self._store.steps.take(deliberation, step, outside_agent(agent), lease=_checked_lease(lease))

    async def renew(self, claim: str, step: str, agent: str, *, lease: float = LEASE) -> OpenStep:
        """Give the agent a new lease on the slot that it holds."""
        deliberation = await self._store.deliberations.resolve(claim)
        return await self._store.steps.renew(deliberation, step, outside_agent(agent), lease=_checked_lease(lease))

    async def release(self, claim: str, step: str, agent: str | None) -> None:
        """Take a slot back from the one who holds it; without an agent, from whoever does."""
        deliberation = await self._store.deliberations.resolve(claim)
        await self._store.steps.release(deliberation, step, agent and outside_agent(agent))

    async def done(
        self,
        claim: str,
        step: str,
        agent: str,
        output: Mapping[str, Any],
        *,
        on_progress: Progress = no_progress,
        on_stored: Created = ignore_id,
    ) -> None:
        """Put an output into a slot, and resume its claim where nothing waits any more.

        `on_stored` hears the claim's id once the output is kept and before anything else is done.
        """
        await self._service.submit(claim, step, agent, output)
        deliberation = await self._store.deliberations.resolve(claim)
        on_stored(deliberation)
        if self._resume_if_due is not None:
            self._resume_if_due(deliberation)
        else:
            await self._service.resume_if_due(deliberation, on_progress=on_progress)

    async def flags(self) -> list[OpenStep]:
        """Return the flags that wait for a person, oldest first."""
        steps = await self._store.steps.search(labels={"board": FLAG}, unfilled=True)
        return [step for step in steps if step.state in ("open", "taken") and step.waits]

    async def count_flags(self) -> int:
        """Return how many flags wait for a person."""
        return await self._store.steps.count_waited_for({"board": FLAG})

    async def clear(
        self,
        claim: str,
        reviewer: str,
        decision: str,
        note: str,
        *,
        reviewers: Collection[str] = (),
        on_progress: Progress = no_progress,
        on_stored: Created = ignore_id,
    ) -> OpenStep:
        """Clear the flag of a claim: `advance`, `redo` or `close`, with a name and a note (ruling P5).

        `reviewers` are the others who could clear it; where one of them filled no slot of the attempt, somebody who
        did may not (ruling P12).

        Raises:
            UsageError: for a claim without a flag that waits.
            BadSubmission: for a decision that is none of the three, or an empty note.
            ReviewOfOwnWork: for an agent of the attempt, while somebody else can clear its flag.
        """
        id_ = (await self.claim(claim)).id
        step = next((step for step in await self.flags() if step.deliberation == id_), None)
        if step is None:
            raise UsageError(f"claim {id_} has no flag that waits; `moot board show {id_}` shows where it stands.")
        reply = shaped(step.step, FlagReview, {"decision": decision, "note": note.strip()})
        agents = await self._agents_of(step)
        others = [name for name in reviewers if name not in agents]
        if reviewer in agents and others:
            raise ReviewOfOwnWork(reviewer=reviewer, step=step.step, others=others)
        await self.take(id_, step.step, reviewer)
        await self.done(id_, step.step, reviewer, reply, on_progress=on_progress, on_stored=on_stored)
        return step

    async def _agents_of(self, flag: OpenStep) -> set[str | None]:
        """Who filled a slot of the attempt that a flag judges."""
        attempt = {name: flag.labels[name] for name in ("layer", "attempt")}
        labels = {"board": SLOT, **attempt}
        return {
            step.agent
            for step in await self._store.steps.search(deliberation=flag.deliberation, state="done", labels=labels)
        }

    async def verify(self, claim: str, seal: str | None = None) -> Verified:
        """Return whether a claim that has ended is what it was sealed as, and as what a person noted (ruling P9).

        Raises:
            NotEnded: for a claim that has no seal yet.
        """
        shown = await self._service.show((await self.claim(claim)).id)
        sealed = shown.record.verdict.detail.get("seal") if shown.record.verdict else None
        if sealed is None:
            raise NotEnded(deliberation=shown.id, what="claim")
        changed = changed_slots(shown.record, await self._store.steps.search(deliberation=shown.id))
        if seal is not None and seal.strip().lower() != sealed["sha256"]:
            changed.append("seal")
        return Verified(shown.id, sealed["sha256"], len(sealed["slots"]), tuple(dict.fromkeys(changed)))


def _agent(name: str, did: Sequence[AgentSteps]) -> BoardAgent:
    roles: Counter[str] = Counter()
    for one in did:
        roles[one.role] += one.filled
    return BoardAgent(
        name,
        filled=sum(one.filled for one in did),
        held=sum(one.held for one in did),
        claims=len({one.deliberation for one in did}),
        roles=tuple(role for role, _ in roles.most_common()),
    )


def is_slot(step: OpenStep) -> bool:
    """Whether an open step is a slot of the board, and not a flag or another protocol's."""
    return step.labels.get("board") == SLOT


def _check_claim(id_: str, header: Header) -> None:
    if header.protocol != PRISM:
        raise UsageError(
            f"deliberation {id_} is no claim of the board but {header.protocol}; `moot show {id_}` shows it."
        )


def _checked_lease(lease: float) -> float:
    if lease > LONGEST_LEASE:
        problem = f"a slot is given for {LONGEST_LEASE:.0f} seconds at most; take it again for more"
        raise BadSetting(name="lease", problem=problem)
    return lease


def _is_for_people(step: OpenStep) -> bool:
    """Whether somebody who is not of the house may fill the step, or is at it."""
    if step.state == "taken":
        return not (step.agent or "").startswith(HOUSE)
    return step.state == "open" and step.waits


def slot_labels(layer: int | None, role: str | None, type_: str | None) -> dict[str, str]:
    """Return the labels of the slots that are wanted.

    Raises:
        BadSetting: for a role, a type or a layer that no slot can have.
    """
    if role is not None and role not in ROLES:
        raise BadSetting(name="role", problem=f"no slot is for {role[:40]!r}; the roles are {', '.join(ROLES)}")
    if type_ is not None and type_ not in TYPES:
        raise BadSetting(name="type", problem=f"{type_[:40]!r} is none of {', '.join(TYPES)}")
    if layer is not None and not 1 <= layer <= MOST_LAYERS:
        raise BadSetting(name="layer", problem=f"layers are numbered from 1 to {MOST_LAYERS} at most, not {layer}")
    labels = {"board": SLOT}
    if layer is not None:
        labels["layer"] = str(layer)
    return labels if type_ is None else {**labels, "type": type_}
