"""Consensus by axioms and oracles: the six steps of spiral 5.1, in the paper's order.

Steps 2 to 5 are a loop, once for each of seven levels of axioms. What is measured stands beside what is only scheduled.
"""

from dataclasses import replace

from moot.core.budget import Budget, Expectation
from moot.core.calls import Missing
from moot.core.canonical import plain
from moot.core.confidence import Basis
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Verdict
from moot.methods.offering import further_oracles, oracle_origins
from moot.methods.search import asked_over_what_is_shown, first_question
from moot.protocols.spiral.agreement.judging import JUDGE_TOKENS
from moot.protocols.spiral.agreement.measures import LOOPS, STRETTO_FROM, measured
from moot.protocols.spiral.agreement.measuring import Agreement, Unmeasured, measure
from moot.protocols.spiral.axioms.registry import LEVELS
from moot.protocols.spiral.axioms.shipped import all_axioms, shipped_texts
from moot.protocols.spiral.evidence import Evidence
from moot.protocols.spiral.gathering import gathered_evidence
from moot.protocols.spiral.panes import panes
from moot.protocols.spiral.positions import Position, Positions, disagreements, has_one_answer
from moot.protocols.spiral.prompts import exposition_messages
from moot.protocols.spiral.record.notes import draft_note, loop_note
from moot.protocols.spiral.record.report import markdown_report
from moot.protocols.spiral.record.verdicts import Course, concluded, too_few, unmeasured
from moot.protocols.spiral.revising import compressed, drafted, revised
from moot.protocols.spiral.run import Spiral
from moot.protocols.spiral.schemas import PositionReply, SpiralSettings
from moot.protocols.spiral.structure.structures import Structure, initialization
from moot.protocols.spiral.telling import SPIRAL_TELLING

TYPICAL_POSITION = 120


@asked_over_what_is_shown
async def spiral(question: Question, deliberation: Deliberation, settings: SpiralSettings) -> Verdict:
    """Return what the panel comes to agree on, with its harmony, and what stays in dispute."""
    # Step 0: initialization, without a model.
    start = initialization(question.text, structure=_structure(settings), self_reference=_self_reference(settings))
    await deliberation.note("initialization", start)
    further = further_oracles(settings.oracles)
    run = Spiral(question, deliberation, settings, all_axioms(_own_files(settings)), start, further)

    # Step 1: exposition, in conclave.
    positions = await _exposition(run)
    if len(positions) < 2:
        return too_few(positions, deliberation.panel)
    stand = await _measured(run, positions, loop=0, tag="0")

    loop = 0
    while isinstance(stand, Agreement):
        # Step 2: the consensus check, before each loop and after the last.
        # Step 5: the limit check.
        if stand.measured.is_consensus or loop == LOOPS:
            break
        # Step 3: one loop through one level of axioms.
        loop += 1
        stand = await _spiral_loop(run, stand, loop)
        # Step 4: stretto.
        if loop >= STRETTO_FROM and isinstance(stand, Agreement):
            stand = await _stretto(run, stand, loop)
    if isinstance(stand, Unmeasured):
        return unmeasured(positions, stand, deliberation.panel)

    # Step 6: coda.
    course = Course(loop, start, tuple(run.history), tuple(run.gathered), run.draft, further)
    return concluded(stand, course, deliberation.panel)


async def _exposition(run: Spiral) -> dict[str, Position]:
    """Step 1: every member answers without knowledge of the others (conclave mode)."""
    messages = exposition_messages(run.question)
    asks = [run.asked_of(member.name, "exposition", messages, PositionReply) for member in run.deliberation.panel]
    replies = await run.deliberation.ask_all(asks)
    return {
        ask.seat: Position(ask.seat, reply.answer, reply.claims)
        for ask, reply in zip(asks, replies, strict=True)
        if not isinstance(reply, Missing)
    }


async def _spiral_loop(run: Spiral, stand: Agreement, loop: int) -> Agreement | Unmeasured:
    """Step 3: hold what is contradicted against the axioms of one level, and let positions be updated."""
    open_ = disagreements(stand.positions, stand.standings)
    evidence = await gathered_evidence(run, stand, open_, loop)
    run.gathered.append(evidence)
    if not open_ and _is_to_draft(run, stand):
        return await _drafted(run, stand, loop)
    if not open_ or evidence.is_empty:
        why = "nothing is contradicted" if not open_ else f"no {LEVELS[loop]} axiom bears on what is contradicted"
        note = loop_note(run.start.structure, evidence, stand.positions, stand.positions, {})
        await run.deliberation.note("loop", {**note, "no_call": why})
        return await _unmoved(run, stand, loop)
    done = await revised(run, stand, evidence)
    after = await _measured(run, done.positions, loop=loop, tag=str(loop), before=stand)
    if isinstance(after, Agreement):
        note = loop_note(run.start.structure, evidence, stand.positions, after.positions, done.reasons)
        await run.deliberation.note("loop", note)
    return after


def _is_to_draft(run: Spiral, stand: Agreement) -> bool:
    """Whether an answer that only some hold is the open point, and the structure has not yet played for it (S10)."""
    return not (run.has_played or stand.measured.is_agreed or has_one_answer(stand.standings))


async def _drafted(run: Spiral, stand: Agreement, loop: int) -> Agreement | Unmeasured:
    """Step 3 without a contradiction: the structure's turn, once; each accepts its draft or keeps its own (S10)."""
    run.has_played = True
    done = await drafted(run, stand, loop)
    after = await _measured(run, done.positions, loop=loop, tag=str(loop), before=stand)
    note = draft_note(run.start.structure, loop, run.draft, stand.positions, done.positions, done.reasons)
    await run.deliberation.note("draft", note)
    return after


async def _stretto(run: Spiral, stand: Agreement, loop: int) -> Agreement | Unmeasured:
    """Step 4: with all evidence so far, members look for what they can hold together; then H and C anew (S3, S4)."""
    open_ = disagreements(stand.positions, stand.standings)
    if not open_:
        return stand
    done = await compressed(run, stand, open_, loop)
    after = await _measured(run, done.positions, loop=loop, tag=f"{loop}s", before=stand)
    if isinstance(after, Agreement):
        evidence = Evidence(loop, open_)
        note = loop_note(run.start.structure, evidence, stand.positions, after.positions, done.reasons)
        await run.deliberation.note("stretto", note)
    return after


async def _measured(
    run: Spiral, positions: Positions, *, loop: int, tag: str, before: Agreement | None = None
) -> Agreement | Unmeasured:
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
    if isinstance(stand, Agreement):
        run.history.append(stand.measured)
    return stand


async def _unmoved(run: Spiral, stand: Agreement, loop: int) -> Agreement:
    """Return where the panel stands after a loop in which nobody spoke: only the schedule goes on."""
    again = measured(loop, stand.measured.pairs, run.history[0].measured_divergence)
    await run.deliberation.note("measured", {"after": str(loop), **plain(again)})
    run.history.append(again)
    return replace(stand, measured=again)


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
        BadSetting: for an oracle that is not installed.
    """
    all_axioms(_own_files(settings))
    further_oracles(settings.oracles)
    question = first_question(question, panel, settings.passages)
    seats, prompt = len(panel), prompt_tokens(exposition_messages(question))
    pairs = seats * (seats - 1) // 2
    return Expectation(
        calls=seats + pairs,
        tokens_in=seats * prompt + pairs * (prompt + 2 * TYPICAL_POSITION),
        tokens_out=seats * min(TYPICAL_POSITION, settings.max_tokens) + pairs * JUDGE_TOKENS // 3,
        longest=2 * prompt + 2_000 + settings.max_tokens,
        note="where members agree at once; each loop over a disagreement takes up to as many calls again",
    )


SPIRAL = ProtocolSpec(
    name="spiral",
    version=4,
    summary="blind answers, measured agreement, seven loops of axioms and oracles, a coda",
    run=spiral,
    settings=SpiralSettings,
    seats=3,
    minimum=2,
    budget=Budget(calls=90),
    expected=expected,
    report=markdown_report,
    data=data_texts,
    uses=lambda settings: oracle_origins(settings.oracles),
    telling=SPIRAL_TELLING,
    basis=Basis.AGREEMENT,
    panes=panes,
)
