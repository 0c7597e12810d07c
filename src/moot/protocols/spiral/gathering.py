"""What the level of a loop has to say (5.1 step 3): axioms, at level 4 oracles, at levels 5 to 7 self-reference."""

from collections.abc import Sequence

from moot.core.calls import Ask, Missing
from moot.core.canonical import canonical
from moot.oracles import consult
from moot.protocols.spiral.agreement.measures import LOOPS
from moot.protocols.spiral.agreement.measuring import Agreement
from moot.protocols.spiral.axioms.registry import SELF_REFERENTIAL, Axiom, at_level
from moot.protocols.spiral.axioms.retrieval import Relevant, by_similarity, floor_for, relevant, search_query
from moot.protocols.spiral.evidence import ORACLE_LEVEL, Consulted, Evidence, SelfDenial, computed
from moot.protocols.spiral.positions import Disagreement, Position, parties
from moot.protocols.spiral.prompts import oracle_messages, self_reference_messages
from moot.protocols.spiral.run import Spiral
from moot.protocols.spiral.schemas import OracleQuestions, SelfReferenceReply
from moot.protocols.spiral.structure.structures import self_reference_in

ORACLE_TOKENS = 300
EXAMINER_TOKENS = 200
SHOWN_OF_A_LEVEL = 3
"""Axioms of one level that an examiner is shown: those nearest to the position."""


async def gathered_evidence(run: Spiral, stand: Agreement, open_: Sequence[Disagreement], loop: int) -> Evidence:
    """Return what the level of this loop has to say of what is contradicted."""
    if not open_:
        return Evidence(loop, ())
    found = await _axioms(run, stand, open_, loop)
    consulted = await _oracles(run, stand, open_) if loop == ORACLE_LEVEL else ()
    denials = await _self_denials(run, stand, open_, loop) if loop in SELF_REFERENTIAL else ()
    return Evidence(loop, tuple(open_), found, consulted, denials)


async def _axioms(
    run: Spiral, stand: Agreement, open_: Sequence[Disagreement], level: int
) -> tuple[tuple[Relevant, ...], ...]:
    """Return, for each disagreement, the axioms of the level that bear on it, by vector (rulings S5 and S9)."""
    known = at_level(run.axioms, level)
    texts = [axiom.search_text for axiom in known] + [_query(run, stand, item, open_) for item in open_]
    vectors = await run.deliberation.embed(texts, step=f"axioms/{level}")
    if isinstance(vectors, Missing):
        await run.deliberation.note("axioms not searched", {"level": level, "reason": vectors.detail or vectors.reason})
        return tuple(() for _ in open_)
    rows = vectors.rows[: len(known)]
    by_id, floor = {axiom.id: row for axiom, row in zip(known, rows, strict=True)}, floor_for(vectors.backend, rows)
    return tuple(relevant(known, level, by_id, query, floor=floor) for query in vectors.rows[len(known) :])


def _query(run: Spiral, stand: Agreement, item: Disagreement, open_: Sequence[Disagreement]) -> str:
    """Return the text to search by; what another disagreement is about would only blur it."""
    elsewhere = {side for other in open_ if other != item for side in (other.first, other.second)}
    claims = dict.fromkeys(claim for seat in item.parties for claim in stand.positions[seat].claims)
    return search_query(run.question.text, item.first, item.second, [one for one in claims if one not in elsewhere])


async def _oracles(run: Spiral, stand: Agreement, open_: Sequence[Disagreement]) -> tuple[Consulted, ...]:
    """Level 4: what the program can compute of the positions, and what members ask to have computed (ruling S7)."""
    asks = [
        Ask(
            f"oracles/{seat}",
            seat,
            oracle_messages(run.question, stand.positions[seat], open_, run.further),
            OracleQuestions,
            0.0,
            ORACLE_TOKENS,
        )
        for seat in parties(open_, stand.positions)
    ]
    put = [
        Consulted(ask.seat, canonical(check), consult(check, run.further))
        for ask, reply in zip(asks, await run.deliberation.ask_all(asks), strict=True)
        if not isinstance(reply, Missing)
        for check in reply.checks[:3]
    ]
    return (*computed(stand.positions, run.further), *put)


async def _self_denials(
    run: Spiral, stand: Agreement, open_: Sequence[Disagreement], loop: int
) -> tuple[SelfDenial, ...]:
    """Levels 5 to 7: another member says whether a position denies what it rests on, and names the axiom (S14)."""
    examined = [stand.positions[seat] for seat in parties(open_, stand.positions)]
    examined = [position for position in examined if _is_to_examine(run, position)]
    shown = await _nearest(run, examined, loop) if examined else {}
    asks = {
        seat: Ask(
            f"self/{loop}/{seat}",
            _examiner_of(seat, [member.name for member in run.deliberation.panel]),
            self_reference_messages(run.question, stand.positions[seat], axioms),
            SelfReferenceReply,
            0.0,
            EXAMINER_TOKENS,
        )
        for seat, axioms in shown.items()
    }
    found: list[SelfDenial] = []
    for (seat, ask), reply in zip(asks.items(), await run.deliberation.ask_all(list(asks.values())), strict=True):
        run.examined[seat] = stand.positions[seat].stated
        if not isinstance(reply, Missing) and reply.denies:
            found += await _named(run, seat, ask.seat, reply, shown[seat])
    return tuple(found)


def _is_to_examine(run: Spiral, position: Position) -> bool:
    """Whether a position, or the question, speaks of models, protocols or language, and it is new since last time."""
    if run.examined.get(position.seat) == position.stated:
        return False
    return run.start.self_reference or bool(self_reference_in(position.text))


async def _nearest(run: Spiral, positions: Sequence[Position], loop: int) -> dict[str, list[Axiom]]:
    """Return, by seat, the axioms nearest to each position, of this level and those that are still to come."""
    levels = range(loop, LOOPS + 1)
    known = [axiom for axiom in run.axioms if axiom.level in levels]
    texts = [axiom.search_text for axiom in known] + [position.text for position in positions]
    vectors = await run.deliberation.embed(texts, step=f"self/{loop}")
    if isinstance(vectors, Missing):
        await run.deliberation.note("self-reference not examined", {"reason": vectors.detail or vectors.reason})
        return {}
    by_id = {axiom.id: row for axiom, row in zip(known, vectors.rows[: len(known)], strict=True)}
    return {
        position.seat: [
            near.axiom for level in levels for near in by_similarity(known, level, by_id, row)[:SHOWN_OF_A_LEVEL]
        ]
        for position, row in zip(positions, vectors.rows[len(known) :], strict=True)
    }


def _examiner_of(author: str, seats: Sequence[str]) -> str:
    """Return the member behind the author in the panel's order, who is never the author."""
    return seats[(seats.index(author) + 1) % len(seats)]


async def _named(
    run: Spiral, seat: str, examiner: str, reply: SelfReferenceReply, shown: Sequence[Axiom]
) -> list[SelfDenial]:
    """Return the mark if its axiom is one of those shown; else it is dropped, and noted."""
    axiom = next((axiom for axiom in shown if axiom.id == reply.axiom.strip().upper()), None)
    if axiom is None:
        named = {"seat": seat, "by": examiner, "axiom": reply.axiom, "shown": [item.id for item in shown]}
        await run.deliberation.note("denial dropped: no axiom that was shown is named", named)
        return []
    return [SelfDenial(seat, examiner, axiom.id, axiom.statement, reply.why)]
