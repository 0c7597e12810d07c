"""Consensus by axioms and oracles: the six steps of spiral 5.1, in the paper's order.

Steps 2 to 5 are a loop, once for each of seven levels of axioms. What is measured stands beside what is only scheduled.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Missing
from moot.core.canonical import canonical, plain
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolRow
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Verdict
from moot.oracles import consult
from moot.protocols.spiral.evidence import ORACLE_LEVEL, Consulted, Evidence, computed
from moot.protocols.spiral.measures import LOOPS, Measured, Weights, mean_agreements, measured
from moot.protocols.spiral.measuring import JUDGE_TOKENS, Stand, Unmeasured, measure
from moot.protocols.spiral.positions import Disagreement, Position, disagreements, parties
from moot.protocols.spiral.prompts import (
    exposition_messages,
    oracle_messages,
    revision_messages,
    stretto_messages,
)
from moot.protocols.spiral.registry import LEVELS, Axiom
from moot.protocols.spiral.report import markdown_report
from moot.protocols.spiral.retrieval import Relevant, floor_for, relevant, search_query
from moot.protocols.spiral.schemas import OracleQuestions, PositionReply, RevisedReply, SpiralSettings
from moot.protocols.spiral.shipped import all_axioms, shipped_texts
from moot.protocols.spiral.structures import Initialization, Structure, initialization
from moot.protocols.spiral.verdicts import Course, concluded, too_few, unmeasured
from moot.protocols.spiral.ways import Turn, turns

STRETTO_FROM = 5
ORACLE_TOKENS = 300
TYPICAL_POSITION = 120


@dataclass(slots=True)
class Spiral:
    """One run: what it was given, and what it has gathered so far."""

    question: Question
    deliberation: Deliberation
    settings: SpiralSettings
    axioms: tuple[Axiom, ...]
    start: Initialization
    gathered: list[Evidence] = field(default_factory=list)
    history: list[Measured] = field(default_factory=list)

    @property
    def weights(self) -> Weights:
        """How the parts of an agreement count."""
        chosen = self.settings
        return Weights(chosen.similarity_weight, chosen.entailment_weight, chosen.facts_weight)


async def spiral(question: Question, deliberation: Deliberation, settings: SpiralSettings) -> Verdict:
    """Return what the panel comes to agree on, with its harmony, and what stays in dispute."""
    # Step 0: initialization, without a model.
    start = initialization(question.text, structure=_structure(settings), self_reference=_self_reference(settings))
    await deliberation.note("initialization", start)
    run = Spiral(question, deliberation, settings, all_axioms(_own_files(settings)), start)

    # Step 1: exposition, in conclave.
    positions = await _exposition(run)
    if len(positions) < 2:
        return too_few(positions)
    stand = await _measured(run, positions, loop=0, tag="0")

    loop = 0
    while isinstance(stand, Stand):
        # Step 2: the consensus check, before each loop and after the last.
        # Step 5: the limit check.
        if stand.measured.is_consensus or loop == LOOPS:
            break
        # Step 3: one loop through one level of axioms.
        loop += 1
        stand = await _spiral_loop(run, stand, loop)
        # Step 4: stretto.
        if loop >= STRETTO_FROM and isinstance(stand, Stand):
            stand = await _stretto(run, stand, loop)
    if isinstance(stand, Unmeasured):
        return unmeasured(positions, stand)

    # Step 6: coda.
    return concluded(stand, Course(loop, start, tuple(run.history), tuple(run.gathered)), deliberation.panel)


async def _exposition(run: Spiral) -> dict[str, Position]:
    """Step 1: every member answers without knowledge of the others (conclave mode)."""
    messages = exposition_messages(run.question)
    asks = [
        Ask(
            f"exposition/{seat.name}",
            seat.name,
            messages,
            PositionReply,
            run.settings.temperature,
            run.settings.max_tokens,
        )
        for seat in run.deliberation.panel
    ]
    replies = await run.deliberation.ask_all(asks)
    return {
        ask.seat: Position(ask.seat, reply.answer, reply.claims)
        for ask, reply in zip(asks, replies, strict=True)
        if not isinstance(reply, Missing)
    }


async def _spiral_loop(run: Spiral, stand: Stand, loop: int) -> Stand | Unmeasured:
    """Step 3: hold what is contradicted against the axioms of one level, and let positions be updated."""
    open_ = disagreements(stand.positions, stand.standings)
    evidence = await _evidence(run, stand, open_, loop)
    run.gathered.append(evidence)
    if not open_ or evidence.is_empty:
        why = "nothing is contradicted" if not open_ else f"no {LEVELS[loop]} axiom bears on what is contradicted"
        await _note_loop(run, evidence, stand, stand, {}, why)
        return await _unmoved(run, stand, loop)
    positions, reasons = await _revised(run, stand, evidence)
    after = await _measured(run, positions, loop=loop, tag=str(loop), before=stand)
    if isinstance(after, Stand):
        await _note_loop(run, evidence, stand, after, reasons)
    return after


async def _evidence(run: Spiral, stand: Stand, open_: Sequence[Disagreement], loop: int) -> Evidence:
    """Return what the level of this loop has to say: axioms, and at level 4 oracles."""
    found = await _axioms(run, stand, open_, loop)
    consulted = await _oracles(run, stand, open_) if loop == ORACLE_LEVEL and open_ else ()
    return Evidence(loop, loop, tuple(open_), found, consulted)


async def _axioms(
    run: Spiral, stand: Stand, open_: Sequence[Disagreement], level: int
) -> tuple[tuple[Relevant, ...], ...]:
    """Return, for each disagreement, the axioms of the level that bear on it, by vector (rulings S5 and S9)."""
    if not open_:
        return ()
    known = [axiom for axiom in run.axioms if axiom.level == level]
    texts = [axiom.search_text for axiom in known] + [_query(run, stand, item) for item in open_]
    vectors = await run.deliberation.embed(texts, step=f"axioms/{level}")
    if isinstance(vectors, Missing):
        await run.deliberation.note("axioms not searched", {"level": level, "reason": vectors.detail or vectors.reason})
        return tuple(() for _ in open_)
    rows = vectors.rows[: len(known)]
    by_id, floor = {axiom.id: row for axiom, row in zip(known, rows, strict=True)}, floor_for(vectors.backend, rows)
    return tuple(relevant(known, level, by_id, query, floor=floor) for query in vectors.rows[len(known) :])


def _query(run: Spiral, stand: Stand, item: Disagreement) -> str:
    claims = dict.fromkeys(claim for seat in item.parties for claim in stand.positions[seat].claims)
    return search_query(run.question.text, item.first, item.second, tuple(claims))


async def _oracles(run: Spiral, stand: Stand, open_: Sequence[Disagreement]) -> tuple[Consulted, ...]:
    """Level 4: what the program can compute of the positions, and what members ask to have computed (ruling S7)."""
    asks = [
        Ask(
            f"oracles/{seat}",
            seat,
            oracle_messages(run.question, stand.positions[seat], open_),
            OracleQuestions,
            0.0,
            ORACLE_TOKENS,
        )
        for seat in parties(open_, stand.positions)
    ]
    put = [
        Consulted(ask.seat, canonical(check), consult(check))
        for ask, reply in zip(asks, await run.deliberation.ask_all(asks), strict=True)
        if not isinstance(reply, Missing)
        for check in reply.checks[:3]
    ]
    return (*computed(stand.positions), *put)


async def _revised(run: Spiral, stand: Stand, evidence: Evidence) -> tuple[dict[str, Position], dict[str, str]]:
    """Return the positions after one loop in the way of its structure, and what each member says moved it."""
    positions, reasons = dict(stand.positions), {}
    speaking = parties(evidence.disagreements, positions)
    mean = mean_agreements(list(positions), stand.measured.pairs)
    leading = sorted(positions, key=lambda seat: (-mean[seat], list(positions).index(seat)))
    for turn in turns(run.start.structure, speaking, positions, stand.agreements, leading):
        asks = [_revision(run, turn, seat, positions, evidence) for seat in turn.seats]
        for ask, reply in zip(asks, await run.deliberation.ask_all(asks), strict=True):
            _take(positions, reasons, ask.seat, reply, evidence.loop)
    return positions, reasons


def _revision(
    run: Spiral, turn: Turn, seat: str, positions: dict[str, Position], evidence: Evidence
) -> Ask[RevisedReply]:
    heard = [positions[other] for other in turn.hears if other != seat]
    messages = revision_messages(run.question, positions[seat], evidence, heard, turn.note)
    step = f"{turn.name}/{evidence.loop}/{seat}"
    return Ask(step, seat, messages, RevisedReply, run.settings.temperature, run.settings.max_tokens)


async def _stretto(run: Spiral, stand: Stand, loop: int) -> Stand | Unmeasured:
    """Step 4: with all evidence so far, members look for what they can hold together; then H and C anew (S3, S4)."""
    open_ = disagreements(stand.positions, stand.standings)
    if not open_:
        return stand
    positions, reasons = dict(stand.positions), {}
    asks = [
        Ask(
            f"stretto/{loop}/{seat}",
            seat,
            stretto_messages(
                run.question,
                positions[seat],
                [other for name, other in positions.items() if name != seat],
                open_,
                run.gathered,
            ),
            RevisedReply,
            run.settings.temperature,
            run.settings.max_tokens,
        )
        for seat in parties(open_, positions)
    ]
    for ask, reply in zip(asks, await run.deliberation.ask_all(asks), strict=True):
        _take(positions, reasons, ask.seat, reply, loop)
    after = await _measured(run, positions, loop=loop, tag=f"{loop}s", before=stand)
    if isinstance(after, Stand):
        await _note_loop(run, Evidence(loop, loop, open_), stand, after, reasons, name="stretto")
    return after


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


async def _measured(
    run: Spiral, positions: dict[str, Position] | Any, *, loop: int, tag: str, before: Stand | None = None
) -> Stand | Unmeasured:
    initial = run.history[0].measured_divergence if run.history else None
    stand = await measure(
        run.question.text,
        run.deliberation,
        run.weights,
        positions,
        loop=loop,
        tag=tag,
        before=before,
        initial_divergence=initial,
    )
    if isinstance(stand, Stand):
        run.history.append(stand.measured)
    return stand


async def _unmoved(run: Spiral, stand: Stand, loop: int) -> Stand:
    """Return where the panel stands after a loop in which nobody spoke: only the schedule goes on."""
    again = measured(loop, stand.measured.pairs, run.history[0].measured_divergence)
    await run.deliberation.note("measured", {"after": str(loop), "unjudged": stand.unjudged, **plain(again)})
    run.history.append(again)
    return replace(stand, measured=again)


async def _note_loop(
    run: Spiral,
    evidence: Evidence,
    before: Stand,
    after: Stand,
    reasons: dict[str, str],
    why: str = "",
    name: str = "loop",
) -> None:
    """Note each disagreement with its axioms and their similarity, what was computed, who moved and who did not."""
    moved = [
        {"seat": seat, "from": old.answer, "to": after.positions[seat].answer, "why": reasons.get(seat, "")}
        for seat, old in before.positions.items()
        if after.positions[seat] != old
    ]
    stayed = [
        {"seat": seat, "why": reasons.get(seat, "")}
        for seat in parties(evidence.disagreements, before.positions)
        if after.positions[seat] == before.positions[seat]
    ]
    found = evidence.axioms or tuple(() for _ in evidence.disagreements)
    points = [
        {
            "claims": [item.first, item.second],
            "held_by": [item.for_first, item.for_second],
            "axioms": [
                {"id": near.axiom.id, "statement": near.axiom.statement, "similarity": near.similarity}
                for near in axioms
            ],
        }
        for item, axioms in zip(evidence.disagreements, found, strict=True)
    ]
    data = {
        "loop": evidence.loop,
        "level": LEVELS[evidence.level],
        "structure": run.start.structure,
        "disagreements": points,
        "oracles": plain(evidence.consulted),
        "self_reference": plain(evidence.denials),
        "moved": moved,
        "stayed": stayed,
    }
    await run.deliberation.note(name, {**data, **({"no_call": why} if why else {})})


def _structure(settings: SpiralSettings) -> Structure | None:
    return None if settings.structure == "auto" else settings.structure


def _self_reference(settings: SpiralSettings) -> bool | None:
    return None if settings.self_reference == "auto" else settings.self_reference == "yes"


def _own_files(settings: SpiralSettings) -> dict[str, str]:
    return dict(settings.axioms.texts) if settings.axioms else {}


def data_texts(settings: SpiralSettings) -> dict[str, str]:
    """Return the axiom files of a run: Moot's, and the user's beside them."""
    return {**shipped_texts(), **_own_files(settings)}


def expected(question: Question, panel: Panel, settings: SpiralSettings) -> Expectation:
    """Return what the exposition and one comparison of every pair take.

    Raises:
        BadDataFile: for an axiom file that cannot be used.
    """
    all_axioms(_own_files(settings))
    seats, prompt = len(panel), prompt_tokens(exposition_messages(question))
    pairs = seats * (seats - 1) // 2
    return Expectation(
        calls=seats + pairs,
        tokens_in=seats * prompt + pairs * (prompt_tokens(exposition_messages(question)) + 2 * TYPICAL_POSITION),
        tokens_out=seats * min(TYPICAL_POSITION, settings.max_tokens) + pairs * JUDGE_TOKENS // 3,
        longest=2 * prompt + 2_000 + settings.max_tokens,
        note="where members agree at once; each loop over a disagreement takes up to as many calls again",
    )


SPIRAL = ProtocolRow(
    name="spiral",
    version=1,
    summary="blind answers, measured agreement, seven loops of axioms and oracles, a coda",
    run=spiral,
    settings=SpiralSettings,
    seats=3,
    minimum=2,
    budget=Budget(calls=80),
    expected=expected,
    report=markdown_report,
    data=data_texts,
)
