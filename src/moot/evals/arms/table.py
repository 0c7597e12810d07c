"""The arms, all with one signature: an item and a context in, a row of results out (ruling V2).

A protocol in Moot's table is an arm by being there, under its own name; `interrogation` is the paper's arm 6.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from moot.core.budget import Budget
from moot.core.errors import (
    ModelFileError,
    MootError,
    NotFound,
    RecordError,
    StoreError,
    UsageError,
)
from moot.core.events import Answered
from moot.core.ports import Progress, ProgressEvent
from moot.core.protocol import ProtocolSpec
from moot.evals.arms.forms import FORM, is_read_at_once
from moot.evals.arms.protocols import EVAL_PROTOCOLS, SCREEN, find_eval_protocol
from moot.evals.items.grading import grade
from moot.evals.items.items import ArmRow, Grade, Item
from moot.methods.sameness import answer_groups
from moot.methods.search import setting_of
from moot.protocols import PROTOCOLS, all_protocols, protocol_names
from moot.service.background.handing import HandedOver
from moot.service.orders import Order, Plan
from moot.service.results import Result
from moot.service.service import Service, no_progress

PAPER = ("single-pass", "revisit", "verbatim", "arrows", "compressed", "interrogation")
"""The six arms of the paper, in its order (interrogation 5)."""

FULL_SYSTEM, SAMPLING, FRONTIER = "interrogation", "self-consistency", "frontier"

STOPPING = (StoreError, ModelFileError, RecordError)
"""What is wrong with the machine or the record, and not with an arm: the run ends and can go on later."""

NOT_SAID = "The documents do not say."
SAMPLES = "run/"
"""How the steps of independent samples begin; each of them is a vote."""

WORDED = ("span", "free")
"""The kinds whose answers are words, and are counted as they were given."""

TIED = "tied"
"""Where a verdict names the answers of a tie: nobody has won, so there is nothing to grade (ruling I16)."""

WIDTH, RESILIENCE = "support_width", "resilience"
GRAPH_PARTS = ("graph", "surviving_claims", "disputed", "support_width")

Begun = Callable[[str, str, str], None]
"""Hears arm, item and deliberation before anything of it is sent."""


def unheard(arm: str, item: str, deliberation: str) -> None:
    """Hear of a deliberation and say nothing."""


@dataclass(frozen=True, slots=True)
class ArmContext:
    """What all arms of a run share: who answers, with what settings and limits, and what has begun before."""

    service: Service
    members: tuple[str, ...]
    """One string for each seat."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    calls: int | None = None
    """Calls for an item at most; without it, each protocol's own limit."""
    usd: float | None = None
    frontier: str | None = None
    seed: int = 0
    begun: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The deliberations that an earlier process began, by arm and item."""
    created: Begun = unheard
    progress: Progress = no_progress
    workers: HandedOver | None = None
    """Who runs the deliberations, where it is not this process."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One way of answering. Calling it with an item and a context gives the row of its result."""

    name: str
    row: ProtocolSpec
    number: str = ""
    """Its number in the paper, where it has one."""
    members: tuple[str, ...] = ()
    """Who answers, where it is not the members of the run."""

    async def __call__(self, item: Item, context: ArmContext) -> ArmRow:
        """Return what the arm makes of an item; an arm that fails gives a row that says so, graded wrong.

        Raises:
            StoreError, ModelFileError, RecordError: for what is no failure of the arm.
        """
        latest = context.begun.get((self.name, item.id), "")

        def created(deliberation: str) -> None:
            nonlocal latest
            latest = deliberation
            context.created(self.name, item.id, deliberation)

        try:
            result = await self._result(item, context, latest, created)
        except STOPPING:
            raise
        except Exception as error:
            problem = str(error) if isinstance(error, MootError) else f"{type(error).__name__}: {error}"
            spent = await context.service.show(latest) if latest else None
            return row_of(self.name, item, spent, problem)
        return row_of(self.name, item, result)

    async def plan(self, item: Item, context: ArmContext) -> Plan:
        """Return what the arm would do with an item, checked; nothing is sent."""
        return await context.service.planner.plan(self.order(item, context))

    def order(self, item: Item, context: ArmContext) -> Order:
        """Return what the service is asked for. The gold answer is no part of it."""
        known = self.row.settings.model_fields
        chosen = {name: value for name, value in context.settings.items() if name in known}
        settings = {**self.row.unattended, **chosen}
        if self.name == SAMPLING:
            settings.setdefault("samples", full_system_calls(context.calls))
        return Order(
            question=item.asked(),
            protocol=self.row.name,
            members=self._members(context),
            settings=settings,
            budget=Budget(calls=self._calls(context, settings), usd=context.usd),
            seed=item_seed(context.seed, self.name, item.id),
        )

    def _members(self, context: ArmContext) -> tuple[str, ...]:
        if self.name == FRONTIER:
            if context.frontier is None:
                raise UsageError("the arm `frontier` needs a strong member; name it with --frontier SPEC.")
            return (context.frontier,)
        return seats_for(self.row, self.members or context.members)

    def _calls(self, context: ArmContext, settings: Mapping[str, Any]) -> int | None:
        if self.name == SAMPLING:
            # Calls that a killed process lost are counted too, and must not cost a sample when it goes on.
            return 2 * int(settings["samples"])
        if context.calls is None or self.row.name not in EVAL_PROTOCOLS:
            return context.calls
        return min(context.calls, self.row.budget.calls or context.calls)

    async def _result(self, item: Item, context: ArmContext, begun: str, created: Callable[[str], None]) -> Result:
        def heard(event: ProgressEvent) -> None:
            context.progress(replace(event, step=f"{self.name} {item.id} {event.step}"))

        runner = context.workers or context.service
        if not begun:
            plan = await self.plan(item, context)
            return await runner.ask(plan, on_progress=heard, on_created=created)
        try:
            shown = await context.service.show(begun)
        except NotFound:
            raise StoreError(
                f"{self.name} began item {item.id!r} as deliberation {begun}, and its record is gone; "
                "restore the folder's record.db, or begin anew in another folder with --out."
            ) from None
        return shown if shown.status.ended else await runner.resume(begun, on_progress=heard)


def all_arms() -> dict[str, Arm]:
    """Return every arm there is: the paper's in its order, those beside it, then the other protocols.

    An installed protocol that cannot be loaded is no arm; `all_protocols` says why.
    """
    numbers = {name: str(number) for number, name in enumerate(PAPER, 1)}
    own = [name for name in EVAL_PROTOCOLS if name not in (*PAPER, SCREEN.name, FORM.name)]
    names = [*PAPER, *own, *(name for name in PROTOCOLS if name not in PAPER)]
    arms = {name: Arm(name, find_eval_protocol(name), numbers.get(name, "")) for name in names}
    for spec in all_protocols()[0]:
        arms.setdefault(spec.name, Arm(spec.name, spec))
    summary = "one call of the strong member that --frontier names"
    arms[FRONTIER] = Arm(FRONTIER, replace(find_eval_protocol(PAPER[0]), summary=summary))
    return arms


def chosen_arms(names: Iterable[str]) -> dict[str, Arm]:
    """Return the arms of these names, each once; `paper` is all six, a number from 1 to 6 one of them.

    Raises:
        UsageError: for a name that no arm has, or where there is none.
        PluginBroken, PluginClash: for an installed protocol that cannot be used.
    """
    known, chosen = all_arms(), dict[str, Arm]()
    for name in (word.strip() for word in names):
        numbered = PAPER[int(name) - 1] if name.isdecimal() and 1 <= int(name) <= len(PAPER) else name
        for one in PAPER if numbered == "paper" else (numbered,):
            if one not in known:
                if one in protocol_names():
                    find_eval_protocol(one)
                raise UsageError(f"there is no arm {name!r}; there are {', '.join(known)}, or `paper` for its six.")
            chosen[one] = known[one]
    if not chosen:
        raise UsageError("no arm is named; give --arms, as in --arms single-pass,interrogation (`moot evals arms`).")
    return chosen


def full_system_calls(calls: int | None) -> int:
    """Return how many calls arm 6 may make for an item: what self-consistency gets as samples."""
    own = find_eval_protocol(FULL_SYSTEM).budget.calls
    return calls or own or 1


def seats_for(row: ProtocolSpec, members: Sequence[str]) -> tuple[str, ...]:
    """Return who sits: one member alone takes as many seats as the protocol has."""
    return tuple(members) * row.seats if len(members) == 1 else tuple(members)


def item_seed(seed: int, arm: str, item: str) -> int:
    """Return the seed of one arm's work on one item."""
    return int.from_bytes(hashlib.sha256(f"{seed}\n{arm}\n{item}".encode()).digest()[:4], "big") >> 1


def row_of(arm: str, item: Item, result: Result | None, problem: str = "") -> ArmRow:
    """Return the row of a result. Without an answer it is wrong, with the problem named."""
    verdict = result.record.verdict if result and not problem else None
    tied = verdict.detail.get(TIED) if verdict else None
    answer = verdict.answer if verdict and not tied else None
    graded = grade(item, answer) if answer is not None else Grade(correct=False, abstained=False, normalised="")
    if result and not problem and answer is None:
        problem = verdict.stop_reason if verdict else f"it did not end ({result.status.value})"
    votes = _votes(item, result) if result else []
    spent, width = result.spent.wholly_known if result else None, verdict.detail.get(WIDTH) if verdict else None
    return ArmRow(
        arm=arm,
        item=item.id,
        dataset=item.dataset,
        answer=answer,
        correct=graded.correct,
        abstained=graded.abstained,
        abstain_item=item.abstain,
        status=verdict.status.value if verdict else "failed",
        confidence=verdict.confidence.value if verdict else None,
        basis=verdict.confidence.basis.value if verdict and verdict.confidence.basis else None,
        support_width=width if isinstance(width, int) else None,
        calls=spent.calls if spent else 0,
        tokens_in=spent.tokens_in if spent else 0,
        tokens_out=spent.tokens_out if spent else 0,
        usd=spent.usd if spent else 0.0,
        seconds=spent.seconds if spent else 0.0,
        deliberations=(result.id,) if result else (),
        votes=_counted_votes(item, votes),
        problem=problem,
        detail={**_detail(result), "right_votes": [vote.correct for _, vote in votes]} if result else {},
    )


def _counted_votes(item: Item, votes: Sequence[tuple[str, Grade]]) -> tuple[str, ...]:
    """The votes as they are counted: answers that are the same by ruling G12 go under one wording.

    A number, a yes or no, a label and an abstention are read by the rule of their set first.
    """
    said = [answer if item.kind in WORDED and not vote.abstained else vote.normalised for answer, vote in votes]
    groups = answer_groups(said, setting=setting_of(item.asked()))
    return tuple(groups.groups[groups.group_of(place)].answer for place in range(len(said)))


def _votes(item: Item, result: Result) -> list[tuple[str, Grade]]:
    verdict = result.record.verdict
    if verdict and "votes" in verdict.detail:
        # One that could not be read keeps its place, so that the others keep theirs.
        answers = [vote["answer"] or "" for vote in verdict.detail["votes"]]
        return [(answer, grade(item, answer)) for answer in answers]
    votes: list[tuple[str, Grade]] = []
    for event in result.record.asked:
        if not (isinstance(event, Answered) and event.step.startswith(SAMPLES)):
            continue
        said = event.reply.get("answer", "") if event.reply.get("documents_say", True) else NOT_SAID
        votes.append((str(said), grade(item, str(said))))
    return votes


def _detail(result: Result) -> dict[str, Any]:
    verdict = result.record.verdict
    if verdict is None:
        return {}
    kept: dict[str, Any] = {"stop_reason": verdict.stop_reason, "missing": len(verdict.missing)}
    if result.record.header.protocol == FULL_SYSTEM:
        kept |= {RESILIENCE: verdict.detail[RESILIENCE]} if RESILIENCE in verdict.detail else {}
        # G5: a conclusion is auditable if its graph, survivors, width and disputed nodes came with it.
        kept["auditable"] = all(part in verdict.detail for part in GRAPH_PARTS)
    if result.record.header.protocol == FORM.name:
        kept |= {**verdict.detail, "at_once": is_read_at_once(result.record)}
    return kept
