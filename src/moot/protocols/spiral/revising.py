"""How positions change: revised in the way of the structure, drafted and accepted, or brought together in stretto."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from moot.core.calls import Message, Missing
from moot.methods.sameness import is_equal
from moot.protocols.spiral.agreement.measures import mean_agreements
from moot.protocols.spiral.agreement.measuring import Agreement
from moot.protocols.spiral.evidence import Evidence, standing_denials
from moot.protocols.spiral.positions import Disagreement, Draft, Position, Positions, parties
from moot.protocols.spiral.prompts import accept_messages, draft_messages, revision_messages, stretto_messages
from moot.protocols.spiral.run import Spiral
from moot.protocols.spiral.schemas import AcceptReply, RevisedReply
from moot.protocols.spiral.turn_orders import Turn, turns

Prompting = Callable[[Turn, str, Positions], tuple[Message, ...]]
"""What a member is sent in its turn, with the positions as they then are."""


@dataclass(frozen=True, slots=True)
class Revised:
    """The positions after a revision, what each member says moved it or kept it, and who spoke last."""

    positions: Positions
    reasons: dict[str, str]
    last: str = ""


async def revised(run: Spiral, stand: Agreement, evidence: Evidence) -> Revised:
    """Return the positions after one loop over what is contradicted, in the way of its structure (5.1 step 3)."""

    def messages(turn: Turn, seat: str, positions: Positions) -> tuple[Message, ...]:
        return revision_messages(run.question, positions[seat], evidence, turn.heard_by(seat, positions), turn.note)

    return await _in_turns(run, stand, parties(evidence.disagreements, stand.positions), evidence.loop, messages)


async def drafted(run: Spiral, stand: Agreement, loop: int) -> Revised:
    """Return the positions after the structure's turn where nothing is contradicted (ruling S10).

    Members work on a draft in the way of the structure; then each accepts it or keeps its own.
    """

    def messages(turn: Turn, seat: str, positions: Positions) -> tuple[Message, ...]:
        return draft_messages(run.question, positions[seat], turn.heard_by(seat, positions), turn.note)

    worked = await _in_turns(run, stand, list(stand.positions), loop, messages)
    if not worked.last:
        return worked
    draft = worked.positions[worked.last]
    before = tuple(seat for seat, held in stand.positions.items() if is_equal(held.answer, draft.answer))
    run.draft = Draft(loop, worked.last, draft.stated, before)
    positions, reasons = dict(worked.positions), dict(worked.reasons)
    asks = [
        run.asked_of(seat, f"accept/{loop}", accept_messages(run.question, position, draft), AcceptReply)
        for seat, position in positions.items()
        if position.stated != draft.stated
    ]
    for ask, reply in zip(asks, await run.deliberation.ask_all(asks), strict=True):
        if isinstance(reply, Missing):
            continue
        reasons[ask.seat] = reply.why
        if reply.accepts:
            positions[ask.seat] = Position(ask.seat, draft.answer, draft.claims, loop)
    return Revised(positions, reasons, worked.last)


async def compressed(run: Spiral, stand: Agreement, open_: Sequence[Disagreement], loop: int) -> Revised:
    """Return the positions after stretto: with all evidence so far, members seek what they can hold together (S4)."""
    positions, reasons = dict(stand.positions), {}
    denials = standing_denials(positions, run.gathered)
    asks = [
        run.asked_of(
            seat,
            f"stretto/{loop}",
            stretto_messages(
                run.question,
                positions[seat],
                [other for name, other in positions.items() if name != seat],
                open_,
                run.gathered,
                denials,
            ),
            RevisedReply,
        )
        for seat in parties(open_, positions)
    ]
    for ask, reply in zip(asks, await run.deliberation.ask_all(asks), strict=True):
        _take(positions, reasons, ask.seat, reply, loop)
    return Revised(positions, reasons)


async def _in_turns(run: Spiral, stand: Agreement, speaking: list[str], loop: int, messages: Prompting) -> Revised:
    """Let members revise turn by turn; whoever comes later hears the revisions before."""
    positions, reasons, last = dict(stand.positions), {}, ""
    mean = mean_agreements(list(positions), stand.measured.pairs)
    leading = sorted(positions, key=lambda seat: (-mean[seat], list(positions).index(seat)))
    for turn in turns(run.start.structure, speaking, positions, stand.agreements, leading):
        asks = [
            run.asked_of(seat, f"{turn.name}/{loop}", messages(turn, seat, positions), RevisedReply)
            for seat in turn.seats
        ]
        for ask, reply in zip(asks, await run.deliberation.ask_all(asks), strict=True):
            last = last if isinstance(reply, Missing) else ask.seat
            _take(positions, reasons, ask.seat, reply, loop)
    return Revised(positions, reasons, last)


def _take(
    positions: dict[str, Position], reasons: dict[str, str], seat: str, reply: RevisedReply | Missing, loop: int
) -> None:
    """Take a revision in; who did not answer stays where they were."""
    if isinstance(reply, Missing):
        return
    reasons[seat] = reply.why
    moved = Position(seat, reply.answer, reply.claims, loop)
    if moved.stated != positions[seat].stated:
        positions[seat] = moved
