"""One round: everybody at once or one after the other (debate 3.6), with look-ups, revisions and the safety tiers.

A round takes the context that it finds and returns the context that it leaves: nothing changes behind its back.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from moot.core.calls import Ask, Message, Missing
from moot.core.deliberation import Deliberation
from moot.protocols.debate.ballots import with_mitigation
from moot.protocols.debate.checks import Fault, Judgement, Said, is_refusal, judged
from moot.protocols.debate.context import DebateContext
from moot.protocols.debate.fold import hear
from moot.protocols.debate.modes import anchor_of
from moot.protocols.debate.prompts import (
    debate_so_far,
    mending_messages,
    review_messages,
    revision_messages,
    round_messages,
)
from moot.protocols.debate.safety import Withheld, harm_in
from moot.protocols.debate.schemas import AgentResponse, Mitigations, SafetyReview, response_type
from moot.protocols.debate.speech import Agent, Speech, read_speech, spoken_text
from moot.protocols.debate.state import DebateState
from moot.protocols.debate.tools import look_up

REVIEW_TOKENS = 300
MENDING_TOKENS = 500


@dataclass(frozen=True, slots=True)
class Turn:
    """One agent's turn in a round: how it was asked, and what came."""

    agent: Agent
    messages: tuple[Message, ...]
    speech: Speech | None = None
    told: tuple[str, ...] = ()
    """Breaches that it has not been told of yet."""
    to_revise: tuple[str, ...] = ()


async def hold_round(context: DebateContext, deliberation: Deliberation) -> DebateContext:
    """Return the context after its round: at once all see the rounds before, in turn also who spoke before (3.6)."""
    agents, decided = context.agents, len(context.state.decisions)
    for batch in [agents] if context.mode.order == "parallel" else [(agent,) for agent in agents]:
        context = await _speak(context, deliberation, batch)
    state = await _mended(context, deliberation)
    state = replace(state, round=context.number)
    decisions = tuple(item.id for item in state.decisions[decided:])
    return replace(context, state=state, current=replace(context.current, decisions=decisions))


async def _speak(context: DebateContext, deliberation: Deliberation, batch: Sequence[Agent]) -> DebateContext:
    """Ask some agents at once, let them revise, and let what may pass into the state."""
    context, findings = await look_up(context, deliberation, batch)
    shown, so_far = context.state, debate_so_far(context)
    to_tell = context.breaches.to_tell
    turns = [
        Turn(
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
    spoken: list[Turn] = []
    for turn, reply in zip(turns, replies, strict=True):
        context, turn = _judged(context, turn, reply, shown)
        spoken.append(turn)
    context, spoken = await _revised(context, deliberation, spoken, shown)
    context, blocked = await _guarded(context, deliberation, [turn.speech for turn in spoken if turn.speech])
    return _passed_on(context, spoken, blocked)


def _ask(context: DebateContext, agent: Agent, messages: tuple[Message, ...], further: str = "") -> Ask[AgentResponse]:
    shape = response_type(
        agent.role.fields, voting=context.state.proposal is not None, aligned=bool(context.mode.alignments)
    )
    step = f"round/{context.number}/{agent.seat}{further}"
    return Ask(step, agent.seat, messages, shape, context.settings.temperature, context.reply_tokens)


def _judged(
    context: DebateContext, turn: Turn, reply: AgentResponse | Missing, shown: DebateState
) -> tuple[DebateContext, Turn]:
    """Read a response and judge it once: what it breaks, and what it has to revise (decision 6, rulings D7 and D8)."""
    if isinstance(reply, Missing):
        return context, turn
    agent, breaches = turn.agent, context.breaches
    last = context.last_speech(agent.name)
    anchor = anchor_of(agent.place).name
    speech = read_speech(reply, agent, context.number, anchor, last, voting=shown.proposal is not None)
    if is_refusal(speech):
        refused = (Fault("refusal", "you declined to take part; a position is needed"),)
        turn = replace(turn, speech=None, told=breaches.fresh(agent.name, refused))
        return replace(context, breaches=breaches.with_breaches(agent.name, refused)), turn
    said = Said(speech, agent, shown, last, context.others(agent), context.concerns)
    found: Judgement = judged(said, high_stakes=context.settings.high_stakes)
    told = (*turn.told, *breaches.fresh(agent.name, found.breaches))
    turn = replace(turn, speech=speech, told=told, to_revise=found.to_revise)
    return replace(context, breaches=breaches.with_judgement(agent.name, found)), turn


async def _revised(
    context: DebateContext, deliberation: Deliberation, turns: Sequence[Turn], shown: DebateState
) -> tuple[DebateContext, list[Turn]]:
    """Let those whose response fails a check revise it, once (decision 6, ruling D8)."""
    asks = {
        turn.agent.name: _ask(
            context,
            turn.agent,
            revision_messages(turn.messages, turn.speech.said, turn.to_revise, turn.told),
            "/revision",
        )
        for turn in turns
        if context.settings.revise and turn.speech and turn.to_revise
    }
    if not asks:
        return context, list(turns)
    replies = dict(zip(asks, await deliberation.ask_all(list(asks.values())), strict=True))
    current = replace(context.current, revisions=context.current.revisions + len(asks))
    context = replace(context, current=current)
    revised: list[Turn] = []
    for turn in turns:
        if reply := replies.get(turn.agent.name):
            context, again = _judged(context, replace(turn, speech=None, told=(), to_revise=()), reply, shown)
            # One who does not answer, or declines now, has still said what it said first.
            turn = again if again.speech else replace(turn, told=())
        revised.append(turn)
    return context, revised


def _passed_on(context: DebateContext, turns: Sequence[Turn], blocked: Collection[str]) -> DebateContext:
    """Fold what may pass into the state, in the order of the seats; keep what each is to be told."""
    state, current, breaches = context.state, context.current, context.breaches
    for turn in turns:
        name = turn.agent.name
        breaches = breaches.telling_later(name, turn.told)
        if turn.speech is None:
            breaches = breaches.counting(name, Fault("silence", f"you did not answer in round {context.number}"))
            current = replace(current, silent=(*current.silent, name))
        elif name in blocked:
            current = replace(current, withheld=(*current.withheld, name))
        else:
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
        context, found = await _reviewed(context, deliberation, spoken)
        blocked = {**found, **blocked}
        watch = context.watch
        context = replace(context, watch=replace(watch, clear=(*watch.clear, not blocked)))
    breaches = context.breaches
    for item in blocked.values():
        words = f"what you said in round {context.number} was withheld for safety: {item.reason}"
        breaches = breaches.counting(item.agent, Fault("withheld", words))
        note = {"round": context.number, "agent": item.agent, "tier": item.tier, "reason": item.reason}
        await deliberation.note("withheld", note)
    watch = replace(context.watch, withheld=(*context.watch.withheld, *blocked.values()))
    return replace(context, breaches=breaches, watch=watch), blocked


async def _reviewed(
    context: DebateContext, deliberation: Deliberation, spoken: Sequence[Speech]
) -> tuple[DebateContext, Mapping[str, Withheld]]:
    """Ask the evaluator, who sees what was said and nothing else of the debate (decision 2, tier 3)."""
    watch, alone = context.watch, context.mode.order == "sequential"
    step = f"round/{context.number}/safety"
    review = await deliberation.ask(
        Ask(
            f"{step}/{spoken[0].agent}" if alone else step,
            context.evaluator,
            review_messages(spoken, watch.why, context.settings.audience),
            SafetyReview,
            0.0,
            REVIEW_TOKENS,
        )
    )
    if isinstance(review, Missing):
        return replace(context, watch=replace(watch, unreviewed=(*watch.unreviewed, context.number))), {}
    names = {speech.agent for speech in spoken}
    found = {item.agent: Withheld(item.agent, 3, item.reason) for item in review.blocks if item.agent in names}
    return replace(context, watch=replace(watch, clear=(*watch.clear, review.clear))), found


async def _mended(context: DebateContext, deliberation: Deliberation) -> DebateState:
    """Ask the blue team for what every open vulnerability still lacks, by id (ruling D5)."""
    state = context.state
    blue = [agent for agent in context.agents if "mitigations" in agent.role.fields]
    missing = [item for item in state.vulnerabilities if not item.mitigations]
    if not blue or not missing:
        return state
    parts = {agent.seat: missing[place :: len(blue)] for place, agent in enumerate(blue)}
    replies = await deliberation.ask_all(
        [
            Ask(
                f"round/{context.number}/{seat}/mitigations",
                seat,
                mending_messages(context.question, part),
                Mitigations,
                context.settings.temperature,
                MENDING_TOKENS,
            )
            for seat, part in parts.items()
            if part
        ]
    )
    for reply in replies:
        answers = () if isinstance(reply, Missing) else reply.mitigations
        for item in (answer for answer in answers if not harm_in(answer.text)):
            state = with_mitigation(state, item.vulnerability.upper(), item.text)
    return state
