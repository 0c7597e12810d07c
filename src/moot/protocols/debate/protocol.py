"""Agents with roles argue in rounds over one ledger of claims, and vote on a numbered proposal (debate 1 to 9).

A round is spoken, folded into the state and measured. Then: does agreement come too easily (decision 3)? Is one of the
exit criteria met (P1)? If not, a person may speak, a proposal is written from the state, and the next round begins.
"""

from dataclasses import replace

from moot.core.budget import Budget, Expectation
from moot.core.calls import Missing
from moot.core.canonical import plain
from moot.core.confidence import Basis
from moot.core.deliberation import Deliberation, Invitation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Verdict
from moot.protocols.debate.modes import MODES
from moot.protocols.debate.panes import panes
from moot.protocols.debate.prompts.asking import lookup_messages, round_messages
from moot.protocols.debate.record.ending import QUORUM, Ending, concluded, reached, votes_words
from moot.protocols.debate.record.report import block_text, markdown_report
from moot.protocols.debate.record.summary import participants, round_note
from moot.protocols.debate.rounds import REVIEW_TOKENS, hold_round
from moot.protocols.debate.rules import Suspicion, exit_of, is_accepted, measured, objection_round_failed, suspicion
from moot.protocols.debate.safety import harm_in
from moot.protocols.debate.schemas import AgentResponse, DebateSettings, PersonTurn, Ruling
from moot.protocols.debate.state.context import Budgets, DebateContext, RoundPacket, opening
from moot.protocols.debate.state.fold import PERSON, hear
from moot.protocols.debate.state.speech import Speech, bare, inline_statements
from moot.protocols.debate.state.state import proposed
from moot.protocols.debate.state.votes import with_decision
from moot.protocols.debate.telling import DEBATE_TELLING
from moot.protocols.debate.tools import LOOKUP_TOKENS
from moot.views.graph_file import graph_file

FEWEST = 2
REVIEWER = "reviewer"
"""Who rules where a debate is escalated: an agent that asked the question is not to accept its own answer (D4)."""

TYPICAL_REPLY = 350


async def debate(question: Question, deliberation: Deliberation, settings: DebateSettings) -> Verdict:
    """Return what the agents come to, with who agrees, who does not, and on what evidence."""
    context = opening(question, deliberation.panel, settings)
    await deliberation.note("seating", {"mode": context.mode.name, "participants": participants(context.agents)})
    while True:
        context = await _measured(await hold_round(context, deliberation), deliberation)
        if len(context.current.heard) < FEWEST:
            why = f"fewer than {FEWEST} agents were heard in round {context.number}: {votes_words(context)}"
            return concluded(context, Ending("partial", why))
        if context.tested and _is_untested(context):
            context, ruling = await _escalated(context, deliberation, context.tested)
            if ruling:
                return concluded(context, ruling)
            context = _suspecting(context)
        exit_reason = exit_of(context.figures, settings.rounds)
        if exit_reason and not _objects_next(context):
            return concluded(context, reached(context, exit_reason))
        if context.suspected:
            await deliberation.note("groupthink", context.suspected)
        context = _next_round(await _person_heard(context, deliberation))


async def _measured(context: DebateContext, deliberation: Deliberation) -> DebateContext:
    """Return the context with its round over: its figures, what the votes settled, what is suspected (5.2, P1)."""
    packet, state = context.current, context.state
    positions = {name: bare(speech.said.position) for name, speech in packet.speeches.items()}
    vectors = (
        await deliberation.embed(list(positions.values()), step=f"round/{packet.number}/positions")
        if positions
        else None
    )
    rows = None if vectors is None or isinstance(vectors, Missing) else dict(zip(positions, vectors.rows, strict=True))
    before = context.packets[-1].speeches if context.packets else {}
    earlier = context.figures[-1] if context.figures else None
    figures = measured(state, packet.number, packet.speeches, before, rows, context.vectors, earlier)
    if is_accepted(figures) and state.proposal:
        state = with_decision(state, f"{state.proposal.id} has its votes: {state.proposal.answer}", packet.number)
    context = replace(
        context,
        state=state,
        packets=(*context.packets, packet),
        figures=(*context.figures, figures),
        vectors={**context.vectors, **(rows or {})},
        watch=context.watch.after_round(packet.number),
    )
    context = context if _is_untested(context) else _suspecting(context)
    await deliberation.note("round", round_note(context, _coming(context)))
    return replace(context, noted=context.state)


def _is_untested(context: DebateContext) -> bool:
    """Return whether this was an objection round that changed nothing: then a person rules first (decision 3)."""
    return context.tested is not None and objection_round_failed(context.figures[-1])


def _suspecting(context: DebateContext) -> DebateContext:
    """Return the context with a trigger of groupthink that fires for the first time (decision 3, ruling D4)."""
    fired = suspicion(context.figures)
    if fired is None or fired.trigger in {earlier.trigger for earlier in context.suspicions}:
        return context
    return replace(context, suspected=fired, suspicions=(*context.suspicions, fired))


def _objects_next(context: DebateContext) -> bool:
    """Return whether a critical objection round comes next: within the cap, and before any exit (ruling D4)."""
    return context.suspected is not None and context.number < context.settings.rounds


def _coming(context: DebateContext) -> str:
    if _is_untested(context):
        return "a person is asked to rule: the objection round brought no new fact and moved nobody"
    if context.suspected and _objects_next(context):
        return f"a critical objection round, because of {context.suspected.trigger}: {'; '.join(context.suspected.why)}"
    return ""


async def _escalated(
    context: DebateContext, deliberation: Deliberation, why: Suspicion
) -> tuple[DebateContext, Ending | None]:
    """Ask a person to rule where the objection round changed nothing (decision 3); None where the debate goes on."""
    number, proposal = context.number, context.state.proposal
    shown = {
        "suspected": why.trigger,
        "because": list(why.why),
        "proposal": proposal.answer if proposal else "",
        "summary": _summary(context),
    }
    title = "The agents agree and nothing tested it. Accept the answer, reject it, or let them continue?"
    step = f"escalation/{number}"
    (ruling,) = await deliberation.invite_all(
        [Invitation(step, step, REVIEWER, title, shown, Ruling, wait=context.settings.join)]
    )
    failed = f"{why.trigger}: the objection round brought no new fact and moved nobody"
    if isinstance(ruling, Missing):
        return context, Ending("flagged", f"{failed}; a person should look at it")
    note = f": {ruling.reply.note}" if ruling.reply.note else ""
    match ruling.reply.decision:
        case "accept":
            return context, Ending("complete", f"{failed}; {ruling.agent} accepted the answer{note}")
        case "reject":
            return context, Ending("flagged", f"{failed}; {ruling.agent} rejected the answer{note}")
    state = with_decision(context.state, f"{ruling.agent} lets the debate go on{note}", number)
    return replace(context, state=state), None


def _summary(context: DebateContext) -> str:
    return block_text(plain(round_note(context, _coming(context))), width=None)


async def _person_heard(context: DebateContext, deliberation: Deliberation) -> DebateContext:
    """Return the context with what a person says between rounds, where one has joined."""
    if not context.settings.join:
        return context
    number = context.number
    step = f"turn/{number}"
    title = f"Round {number} is over. Say something before round {number + 1}, or pass."
    invitation = Invitation(step, step, PERSON, title, {"summary": _summary(context)}, PersonTurn)
    context = replace(context, focus="")
    (turn,) = await deliberation.invite_all([invitation])
    if isinstance(turn, Missing):
        return context
    text, focus = turn.reply.text, turn.reply.focus_question
    if harm := harm_in(f"{text} {focus}"):
        await deliberation.note("withheld", {"round": number, "agent": PERSON, "tier": 1, "reason": harm})
        return context
    last = replace(context.packets[-1], person=text, person_focus=focus)
    context = replace(context, focus=focus, packets=(*context.packets[:-1], last))
    if not text:
        return context
    said = AgentResponse(position=text[:800], confidence=0.5)
    speech = Speech(PERSON, number, said, tuple(inline_statements(text)), None, "")
    state, _ = hear(context.state, speech, context.question.documents)
    return replace(context, state=state)


def _next_round(context: DebateContext) -> DebateContext:
    """Return the context that the next round finds: its proposal is written from the state (ruling D11)."""
    number = context.number + 1
    return replace(
        context,
        state=replace(context.state, proposal=proposed(context.state, number)),
        current=RoundPacket(number, critical=context.suspected is not None),
        tested=context.suspected,
        suspected=None,
    )


def fewest_seats(settings: DebateSettings) -> int:
    """Return how many seats the mode needs, and one more where one of them only judges safety."""
    return MODES[settings.mode].minimum + bool(settings.evaluator)


def expected(question: Question, panel: Panel, settings: DebateSettings) -> Expectation:
    """Return what a debate takes that goes on to its last round."""
    context = opening(question, panel, settings)
    seats, rounds, budgets = len(context.agents), settings.rounds, Budgets()
    in_turn = context.mode.order == "sequential"
    first = prompt_tokens(round_messages(context, context.agents[0], lambda budgets: ""))
    texts = seats * (2 if in_turn else 1)
    later = min(context.prompt_tokens, first + 300 + 100 * seats + TYPICAL_REPLY * texts)
    looking = seats * rounds if settings.lookups and question.documents else 0
    reviews = (seats if in_turn else 1 + context.is_evaluated_by_debater) if context.watch.why else 0
    asked = prompt_tokens(lookup_messages(context, context.agents[0])) if looking else 0
    most = first + 400 + budgets.state + 2 * budgets.summary + budgets.instructions
    most += min(budgets.previous, texts * context.reply_tokens) + (budgets.findings if looking else 0)
    most += context.reply_tokens + 300 if settings.revise else 0
    return Expectation(
        calls=seats * rounds + looking + reviews,
        tokens_in=seats * (first + (rounds - 1) * later) + looking * asked + reviews * TYPICAL_REPLY * seats,
        tokens_out=seats * rounds * min(TYPICAL_REPLY, context.reply_tokens)
        + looking * LOOKUP_TOKENS // 2
        + reviews * REVIEW_TOKENS // 4,
        longest=max(min(settings.context, most), first) + context.reply_tokens,
        note="to the last round; consensus ends it earlier, and a revision of a response is a further call",
    )


DEBATE = ProtocolSpec(
    name="debate",
    version=6,
    summary="agents with roles argue in rounds over a ledger of claims and vote, in one of seven modes",
    run=debate,
    settings=DebateSettings,
    seats=3,
    minimum=fewest_seats,
    budget=Budget(calls=60),
    expected=expected,
    submissions=(PersonTurn, Ruling),
    report=markdown_report,
    files=graph_file,
    quorum=QUORUM,
    telling=DEBATE_TELLING,
    basis=Basis.STATED,
    panes=panes,
)
