"""One round: everybody at once or one after the other (debate 3.6), with look-ups, revisions and the safety tiers."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from moot.core.calls import Ask, Message, Missing
from moot.core.deliberation import Deliberation
from moot.protocols.debate.context import Budgets
from moot.protocols.debate.contract import Breach, breaches, is_refusal
from moot.protocols.debate.floor import Floor
from moot.protocols.debate.fold import hear
from moot.protocols.debate.helping import look_up, mend
from moot.protocols.debate.modes import anchor_of
from moot.protocols.debate.packets import RoundLog
from moot.protocols.debate.prompts import (
    debate_so_far,
    revision_messages,
    round_messages,
)
from moot.protocols.debate.safety import intent_triggers
from moot.protocols.debate.schemas import AgentResponse, response_type
from moot.protocols.debate.speech import Agent, Speech, read_speech
from moot.protocols.debate.state import DebateState
from moot.protocols.debate.verification import failures, verified
from moot.protocols.debate.watching import guarded


@dataclass(frozen=True, slots=True)
class Turn:
    """One agent's turn in a round: how it was asked, and what came."""

    agent: Agent
    messages: tuple[Message, ...]
    speech: Speech | None
    told: tuple[str, ...] = ()
    """Breaches that it has not been told of yet."""
    failed: tuple[str, ...] = ()
    """Checks that its response does not meet."""


async def hold_round(floor: Floor, deliberation: Deliberation, *, critical: str = "") -> RoundLog:
    """Return the next round as it went: in parallel all see the rounds before, in turn also who spoke before (3.6)."""
    log = RoundLog(floor.round + 1, (), critical=bool(critical))
    batches = [floor.agents] if floor.mode.order == "parallel" else [(agent,) for agent in floor.agents]
    decided = len(floor.state.decisions)
    for batch in batches:
        log = await _speak(floor, deliberation, batch, log, critical)
    floor.state = replace(floor.state, round=log.number)
    await mend(floor, deliberation, log.number)
    return replace(log, decisions=tuple(item.id for item in floor.state.decisions[decided:]))


async def _speak(
    floor: Floor, deliberation: Deliberation, batch: Sequence[Agent], log: RoundLog, critical: str
) -> RoundLog:
    """Ask some agents at once, let them revise, and let what may pass into the state."""
    findings = await look_up(floor, deliberation, batch, log.number)
    shown = floor.state
    so_far = debate_so_far(floor.mode, floor.state, floor.logs, log)
    turns = [_prepared(floor, agent, log, so_far, findings.get(agent.name, ()), critical) for agent in batch]
    seen = intent_triggers(turn.messages[-1].content for turn in turns)
    floor.watching = tuple(dict.fromkeys((*floor.watching, *seen)))
    shape = {agent.name: _shape(floor, agent) for agent in batch}
    replies = await deliberation.ask_all(
        [
            Ask(
                f"round/{log.number}/{turn.agent.seat}",
                turn.agent.seat,
                turn.messages,
                shape[turn.agent.name],
                floor.settings.temperature,
                floor.reply_tokens,
            )
            for turn in turns
        ]
    )
    turns = [_judged(floor, turn, reply, log.number, shown) for turn, reply in zip(turns, replies, strict=True)]
    turns = await _revised(floor, deliberation, turns, log.number, shown)
    blocked = await guarded(floor, deliberation, [turn.speech for turn in turns if turn.speech], log.number)
    return _passed_on(floor, turns, blocked, log)


def _passed_on(floor: Floor, turns: Sequence[Turn], blocked: Collection[str], log: RoundLog) -> RoundLog:
    """Fold what may pass into the state, in the order of the seats; keep what each is to be told."""
    for turn in turns:
        name = turn.agent.name
        floor.tell_later(name, turn.told)
        if turn.speech is None:
            silence = Breach("silence", f"you did not answer in round {log.number}")
            floor.tell_later(name, floor.count_breaches(name, [silence]))
            log = replace(log, silent=(*log.silent, name))
        elif name in blocked:
            log = replace(log, withheld=(*log.withheld, name))
        else:
            floor.state, heard = hear(floor.state, turn.speech, floor.question.documents)
            log = replace(log, heard=(*log.heard, heard))
    return log


def _shape(floor: Floor, agent: Agent) -> type[AgentResponse]:
    voting = floor.state.proposal is not None
    return response_type(agent.role.fields, voting=voting, aligned=bool(floor.mode.alignments))


def _prepared(
    floor: Floor,
    agent: Agent,
    log: RoundLog,
    so_far: Callable[[Budgets], str],
    findings: Sequence[str],
    critical: str,
) -> Turn:
    messages = round_messages(
        floor.question,
        agent,
        floor.mode,
        floor.state,
        log,
        so_far,
        rounds=floor.settings.rounds,
        focus=floor.focus_question(log.number),
        told=floor.tell_now(agent.name),
        findings=findings,
        critical=critical,
        high_stakes=floor.settings.high_stakes,
        limit=floor.prompt_tokens,
    )
    return Turn(agent, messages, None)


def _judged(floor: Floor, turn: Turn, reply: AgentResponse | Missing, number: int, shown: DebateState) -> Turn:
    """Read a response, find its breaches and the checks that it fails (decision 6, rulings D7 and D8)."""
    if isinstance(reply, Missing):
        return turn
    agent = turn.agent
    last = floor.last_speech(agent.name)
    anchor = anchor_of(agent.place).name
    speech = read_speech(reply, agent, number, anchor, last, voting=shown.proposal is not None)
    if is_refusal(speech):
        told = floor.count_breaches(agent.name, [Breach("refusal", "you declined to take part; a position is needed")])
        return replace(turn, speech=None, told=tuple(told))
    outcomes = verified(speech, agent.role, shown, high_stakes=floor.settings.high_stakes)
    floor.count_checks(agent.name, outcomes)
    found = breaches(speech, agent, shown, last, floor.others(agent), floor.concerns)
    return replace(
        turn,
        speech=speech,
        told=(*turn.told, *floor.count_breaches(agent.name, found)),
        failed=tuple(f"{item.name}: {item.question}" for item in failures(outcomes)),
    )


async def _revised(
    floor: Floor, deliberation: Deliberation, turns: Sequence[Turn], number: int, shown: DebateState
) -> list[Turn]:
    """Let those whose response fails a check revise it, once (decision 6, ruling D8)."""
    failing = [turn for turn in turns if turn.speech and turn.failed] if floor.settings.revise else []
    replies = (
        await deliberation.ask_all(
            [
                Ask(
                    f"round/{number}/{turn.agent.seat}/revision",
                    turn.agent.seat,
                    revision_messages(turn.messages, turn.speech.said, turn.failed, turn.told),
                    _shape(floor, turn.agent),
                    floor.settings.temperature,
                    floor.reply_tokens,
                )
                for turn in failing
                if turn.speech
            ]
        )
        if failing
        else []
    )
    floor.revisions += len(failing)
    revised: dict[str, Turn] = {}
    for turn, reply in zip(failing, replies, strict=True):
        again = _judged(floor, replace(turn, told=(), failed=()), reply, number, shown)
        # One who does not answer, or declines now, has still said what it said first.
        revised[turn.agent.name] = again if again.speech and not isinstance(reply, Missing) else replace(turn, told=())
    return [revised.get(turn.agent.name, turn) for turn in turns]
