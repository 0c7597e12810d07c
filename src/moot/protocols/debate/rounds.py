"""One round: everybody at once or one after the other (debate 3.6), with look-ups, revisions and the safety tiers.

A round takes the context that it finds and returns the context that it leaves: nothing changes behind its back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from moot.core.calls import Ask, Message, Missing
from moot.core.deliberation import Deliberation
from moot.core.tokens import BYTES_PER_TOKEN
from moot.protocols.debate.checks import Fault, JudgedResponse, ResponseJudgement, judged, order_in
from moot.protocols.debate.modes import anchor_of
from moot.protocols.debate.prompts.asking import (
    debate_so_far,
    mending_messages,
    review_messages,
    revision_messages,
    round_messages,
)
from moot.protocols.debate.safety import SafetyWatch, Withheld, harm_in
from moot.protocols.debate.schemas import AgentResponse, Mitigations, SafetyReview, response_type
from moot.protocols.debate.state.context import DebateContext
from moot.protocols.debate.state.fold import hear
from moot.protocols.debate.state.speech import Agent, Speech, read_speech, spoken_text
from moot.protocols.debate.state.state import DebateState
from moot.protocols.debate.state.votes import with_mitigation
from moot.protocols.debate.tools import look_up

REVIEW_TOKENS = 300
MENDING_TOKENS = 500


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """One agent's turn in a round: how it was asked, what came or why nothing did, and what is wrong with it."""

    agent: Agent
    messages: tuple[Message, ...]
    speech: Speech | None = None
    judgement: ResponseJudgement = field(default_factory=ResponseJudgement)
    missing: str = ""


async def hold_round(context: DebateContext, deliberation: Deliberation) -> DebateContext:
    """Return the context after its round: at once all see the rounds before, in turn also who spoke before (3.6)."""
    agents, decided = context.agents, len(context.state.decisions)
    counted = [deliberation.bytes_per_token(agent.seat) or BYTES_PER_TOKEN for agent in agents]
    context = replace(context, bytes_per_token=min(counted))
    for batch in [agents] if context.mode.order == "parallel" else [(agent,) for agent in agents]:
        context = await _speak(context, deliberation, batch)
    state = await _mended(context, deliberation)
    state = replace(state, round=context.number)
    decisions = tuple(item.id for item in state.decisions[decided:])
    return replace(context, state=state, current=replace(context.current, decisions=decisions))


async def _speak(context: DebateContext, deliberation: Deliberation, batch: Sequence[Agent]) -> DebateContext:
    """Ask some agents at once, let them revise, and let what may pass into the state."""
    context, findings = await look_up(context, deliberation, batch)
    so_far, to_tell = debate_so_far(context), context.breaches.to_tell
    turns = [
        AgentTurn(
            agent,
            round_messages(
                context, agent, so_far, told=to_tell.get(agent.name, ()), findings=findings.get(agent.name, ())
            ),
        )
        for agent in batch
    ]
    context = replace(
        context,
        breaches=context.breaches.having_told(agent.name for agent in batch),
        watch=context.watch.called_by(turn.messages[-1].content for turn in turns),
    )
    replies = await deliberation.ask_all([_ask(context, turn.agent, turn.messages) for turn in turns])
    spoken = [_judged(context, turn, reply) for turn, reply in zip(turns, replies, strict=True)]
    context, spoken = await _revised(context, deliberation, spoken)
    context, blocked = await _guarded(context, deliberation, [turn.speech for turn in spoken if turn.speech])
    return _passed_on(context, spoken, blocked)


def _ask(context: DebateContext, agent: Agent, messages: tuple[Message, ...], further: str = "") -> Ask[AgentResponse]:
    shape = response_type(
        agent.role.fields, voting=context.state.proposal is not None, aligned=bool(context.mode.alignments)
    )
    step = f"round/{context.number}/{agent.seat}{further}"
    return Ask(step, agent.seat, messages, shape, context.settings.temperature, context.reply_tokens)


def _judged(context: DebateContext, turn: AgentTurn, reply: AgentResponse | Missing) -> AgentTurn:
    """Read a response and judge it once: what it breaks, and what it does not meet (decision 6, rulings D7 and D8)."""
    if isinstance(reply, Missing):
        return replace(turn, missing=reply.reason)
    agent, state = turn.agent, context.state
    last = context.last_speech(agent.name)
    anchor = anchor_of(agent.place).name
    speech = read_speech(reply, agent, context.number, anchor, last, voting=state.proposal is not None)
    said = JudgedResponse(speech, agent, state, last, context.others(agent), context.concerns)
    return replace(turn, speech=speech, judgement=judged(said, high_stakes=context.settings.high_stakes))


async def _revised(
    context: DebateContext, deliberation: Deliberation, turns: Sequence[AgentTurn]
) -> tuple[DebateContext, list[AgentTurn]]:
    """Let those whose response fails a grave check revise it, once (decision 6, rulings D8 and D17)."""
    asks = {
        turn.agent.name: _revision(context, turn, turn.speech)
        for turn in turns
        if turn.speech and _is_grave(context, turn)
    }
    if not asks:
        return context, list(turns)
    replies = dict(zip(asks, await deliberation.ask_all(list(asks.values())), strict=True))
    breaches, revised = context.breaches, []
    for turn in turns:
        reply = replies.get(turn.agent.name)
        # One who does not answer now has still said what it said first.
        if reply is not None and not isinstance(reply, Missing):
            breaches = breaches.replaced(turn.agent.name, turn.judgement)
            turn = _judged(context, turn, reply)
        revised.append(turn)
    current = replace(context.current, revisions=context.current.revisions + len(asks))
    return replace(context, breaches=breaches, current=current), revised


def _is_grave(context: DebateContext, turn: AgentTurn) -> bool:
    return context.settings.revise and turn.judgement.is_grave


def _revision(context: DebateContext, turn: AgentTurn, speech: Speech) -> Ask[AgentResponse]:
    told = context.breaches.fresh(turn.agent.name, turn.judgement.breaches)
    failed = [item.words for item in turn.judgement.unmet]
    return _ask(context, turn.agent, revision_messages(turn.messages, speech.said, failed, told), "/revision")


def _passed_on(context: DebateContext, turns: Sequence[AgentTurn], blocked: Mapping[str, Withheld]) -> DebateContext:
    """Fold what may pass into the state, in the order of the seats; keep what each is to be told."""
    state, current, breaches = context.state, context.current, context.breaches
    for turn in turns:
        name = turn.agent.name
        if turn.speech is None:
            breaches = breaches.counting(name, Fault("silence", f"you did not answer in round {context.number}"))
            current = replace(current, silent={**current.silent, name: turn.missing})
            continue
        if order := order_in(turn.speech):
            current = replace(current, injections={**current.injections, name: order})
        if stopped := blocked.get(name):
            words = f"what you said in round {context.number} was withheld for safety: {stopped.reason}"
            breaches = breaches.counting(name, Fault("withheld", words))
            current = replace(current, withheld=(*current.withheld, stopped))
        else:
            breaches = breaches.passed_on(name, turn.judgement)
            state, heard = hear(state, turn.speech, context.question.documents)
            current = replace(current, heard=(*current.heard, heard))
    return replace(context, state=state, current=current, breaches=breaches)


async def _guarded(
    context: DebateContext, deliberation: Deliberation, spoken: Sequence[Speech]
) -> tuple[DebateContext, Mapping[str, Withheld]]:
    """Find what must not be passed on: tier 1 by pattern, tier 3 by the evaluator where called for (decision 2)."""
    harms = {speech.agent: harm for speech in spoken if (harm := harm_in(spoken_text(speech)))}
    blocked = {name: Withheld(name, 1, harm) for name, harm in harms.items()}
    context = replace(context, watch=context.watch.called_by(map(spoken_text, spoken)))
    if context.watch.why and spoken:
        watch, doubted = await _reviewed(context, deliberation, spoken)
        found = doubted
        if context.is_evaluated_by_debater:
            doubted = {name: item for name, item in doubted.items() if name not in blocked}
            watch, found = await _confirmed(replace(context, watch=watch), deliberation, spoken, doubted)
        blocked = {**found, **blocked}
        context = replace(context, watch=replace(watch, clear=(*watch.clear, not (blocked or doubted))))
    for item in blocked.values():
        note = {"round": context.number, "agent": item.agent, "tier": item.tier, "reason": item.reason, "by": item.by}
        await deliberation.note("withheld", note)
    return context, blocked


async def _reviewed(
    context: DebateContext, deliberation: Deliberation, spoken: Sequence[Speech]
) -> tuple[SafetyWatch, dict[str, Withheld]]:
    """Ask the evaluator, and for its own words another seat: nobody judges what it said itself (ruling D16)."""
    seats = {agent.name: agent.seat for agent in context.agents}
    own = [speech for speech in spoken if seats[speech.agent] == context.evaluator]
    parts = {context.evaluator: [speech for speech in spoken if speech not in own]}
    if own and (other := next((seat for seat in seats.values() if seat != context.evaluator), "")):
        parts[other] = own
    return await _asked_for_review(context, deliberation, {seat: part for seat, part in parts.items() if part}, seats)


async def _confirmed(
    context: DebateContext, deliberation: Deliberation, spoken: Sequence[Speech], blocked: Mapping[str, Withheld]
) -> tuple[SafetyWatch, dict[str, Withheld]]:
    """Put the blocks of one who debates to a second seat, who is neither the author nor the first (ruling D16)."""
    seats = {agent.name: agent.seat for agent in context.agents}
    parts: dict[str, list[Speech]] = {}
    for speech in spoken:
        taken = (seats[speech.agent], *(blocked[speech.agent].by if speech.agent in blocked else ()))
        if speech.agent in blocked and (second := next((seat for seat in seats.values() if seat not in taken), "")):
            parts.setdefault(second, []).append(speech)
    watch, found = (
        await _asked_for_review(context, deliberation, parts, seats, "/second") if parts else (context.watch, {})
    )
    stand = {name: replace(item, by=(*item.by, *found[name].by)) for name, item in blocked.items() if name in found}
    return replace(watch, unconfirmed=watch.unconfirmed + len(blocked) - len(stand)), stand


async def _asked_for_review(
    context: DebateContext,
    deliberation: Deliberation,
    parts: Mapping[str, Sequence[Speech]],
    seats: Mapping[str, str],
    further: str = "",
) -> tuple[SafetyWatch, dict[str, Withheld]]:
    """Ask seats to judge what was said, each with nothing else of the debate before it (decision 2, tier 3)."""
    watch = context.watch
    asks = [
        Ask(
            _review_step(context, [seats[speech.agent] for speech in part], further),
            seat,
            review_messages(part, watch.why, context.settings.audience),
            SafetyReview,
            0.0,
            REVIEW_TOKENS,
        )
        for seat, part in parts.items()
    ]
    found: dict[str, Withheld] = {}
    for (seat, part), review in zip(parts.items(), await deliberation.ask_all(asks), strict=True):
        if isinstance(review, Missing):
            watch = replace(watch, unreviewed=(*watch.unreviewed, context.number))
            continue
        reviewers = tuple(dict.fromkeys((*watch.reviewers, seat)))
        watch = replace(watch, clear=(*watch.clear, review.clear), reviewers=reviewers)
        names = {speech.agent for speech in part}
        found |= {
            item.agent: Withheld(item.agent, 3, item.reason, (seat,)) for item in review.blocks if item.agent in names
        }
    return watch, found


def _review_step(context: DebateContext, authors: Sequence[str], further: str) -> str:
    """A step for the whole round, or for the one whose words are judged apart."""
    whole = context.mode.order == "parallel" and authors != [context.evaluator] and not further
    return f"round/{context.number}/safety" + ("" if whole else f"{further}/{authors[0]}")


async def _mended(context: DebateContext, deliberation: Deliberation) -> DebateState:
    """Ask the blue team for what every open vulnerability still lacks, by id (ruling D5)."""
    state = context.state
    blue = [agent for agent in context.agents if "mitigations" in agent.role.fields]
    missing = [item for item in state.vulnerabilities if not item.mitigations]
    if not blue or not missing:
        return state
    parts = {agent: missing[place :: len(blue)] for place, agent in enumerate(blue) if missing[place :: len(blue)]}
    replies = await deliberation.ask_all(
        [
            Ask(
                f"round/{context.number}/{agent.seat}/mitigations",
                agent.seat,
                mending_messages(context.question, part),
                Mitigations,
                context.settings.temperature,
                MENDING_TOKENS,
            )
            for agent, part in parts.items()
        ]
    )
    for name, reply in zip((agent.name for agent in parts), replies, strict=True):
        answers = () if isinstance(reply, Missing) else reply.mitigations
        for item in (answer for answer in answers if not harm_in(answer.text)):
            state = with_mitigation(state, item.vulnerability.upper(), item.text, name)
    return state
