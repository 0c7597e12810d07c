"""One round: everybody at once or one after the other (debate 3.6), with look-ups, revisions and the safety tiers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from moot.core.calls import Ask, Message, Missing
from moot.core.deliberation import Deliberation
from moot.protocols.debate.ballots import with_mitigation
from moot.protocols.debate.context import Budgets
from moot.protocols.debate.contract import Breach, breaches, is_refusal
from moot.protocols.debate.floor import Floor
from moot.protocols.debate.fold import hear, with_tool_result
from moot.protocols.debate.modes import anchor_of
from moot.protocols.debate.packets import RoundLog
from moot.protocols.debate.prompts import (
    debate_so_far,
    lookup_messages,
    mending_messages,
    review_messages,
    revision_messages,
    round_messages,
)
from moot.protocols.debate.safety import Withheld, harm_in, intent_triggers
from moot.protocols.debate.schemas import AgentResponse, Mitigations, SafetyReview, ToolCalls, response_type
from moot.protocols.debate.speech import Agent, Speech, read_speech
from moot.protocols.debate.state import DebateState
from moot.protocols.debate.tools import used
from moot.protocols.debate.verification import failures, spoken_text, verified

LOOKUP_TOKENS = 160
REVIEW_TOKENS = 300
MENDING_TOKENS = 500


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
    await _mend(floor, deliberation, log.number)
    return replace(log, decisions=tuple(item.id for item in floor.state.decisions[decided:]))


async def _speak(
    floor: Floor, deliberation: Deliberation, batch: Sequence[Agent], log: RoundLog, critical: str
) -> RoundLog:
    """Ask some agents at once, let them revise, and let what may pass into the state."""
    shown = floor.state
    findings = await _look_up(floor, deliberation, batch, log.number)
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
    spoken = [turn.speech for turn in turns if turn.speech]
    blocked = await _guarded(floor, deliberation, spoken, log.number)
    for turn in turns:
        floor.tell_later(turn.agent.name, turn.told)
    for speech in spoken:
        if speech.agent in blocked:
            continue
        floor.state, heard = hear(floor.state, speech, floor.question.documents)
        log = replace(log, heard=(*log.heard, heard))
    silent = tuple(turn.agent.name for turn in turns if turn.speech is None)
    for name in silent:
        words = f"you did not answer in round {log.number}"
        floor.tell_later(name, floor.count_breaches(name, [Breach("silence", words)]))
    return replace(log, silent=(*log.silent, *silent), withheld=(*log.withheld, *blocked))


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


async def _look_up(
    floor: Floor, deliberation: Deliberation, batch: Sequence[Agent], number: int
) -> dict[str, list[str]]:
    """Let agents use their tools on the documents before they speak; what a tool gives is evidence."""
    most = floor.settings.lookups
    if not most or not floor.question.documents:
        return {}
    replies = await deliberation.ask_all(
        [
            Ask(
                f"round/{number}/{agent.seat}/lookup",
                agent.seat,
                lookup_messages(floor.question, agent, most, floor.focus_question(number)),
                ToolCalls,
                floor.settings.temperature,
                LOOKUP_TOKENS,
            )
            for agent in batch
        ]
    )
    findings: dict[str, list[str]] = {}
    for agent, reply in zip(batch, replies, strict=True):
        calls = () if isinstance(reply, Missing) else reply.calls[:most]
        for call in calls:
            found = used(call, floor.question.documents)
            given = [_recorded(floor, title, text, found.is_calculation) for title, text in found.results]
            shown = [f"{name} {title}: {text}" for name, (title, text) in zip(given, found.results, strict=True)]
            findings.setdefault(agent.name, []).extend(shown or [f"{call.tool} {call.input!r}: {found.problem}"])
            floor.tool_calls.append(
                {
                    "round": number,
                    "agent": agent.name,
                    "tool": call.tool,
                    "input": call.input,
                    "evidence": given,
                    "problem": found.problem,
                }
            )
            await deliberation.note("tool", floor.tool_calls[-1])
    return findings


def _recorded(floor: Floor, title: str, text: str, calculation: bool) -> str:
    floor.state = with_tool_result(floor.state, title, text, floor.round + 1, calculation=calculation)
    wanted = " ".join(title.casefold().split()), " ".join(text.casefold().split())
    return next(item.id for item in floor.state.evidence if item.key[1:] == wanted)


async def _guarded(
    floor: Floor, deliberation: Deliberation, spoken: Sequence[Speech], number: int
) -> dict[str, Withheld]:
    """Return what must not be passed on: tier 1 by pattern, tier 3 by the evaluator where called for (decision 2)."""
    harms = {speech.agent: harm for speech in spoken if (harm := harm_in(spoken_text(speech)))}
    blocked = {name: Withheld(name, 1, harm) for name, harm in harms.items()}
    why = tuple(dict.fromkeys((*floor.watching, *intent_triggers(map(spoken_text, spoken)))))
    if why and spoken:
        floor.watching = why
        where = (
            f"round/{number}/safety" if floor.mode.order == "parallel" else f"round/{number}/safety/{spoken[0].agent}"
        )
        review = await deliberation.ask(
            Ask(
                where,
                floor.evaluator,
                review_messages(spoken, why, floor.settings.audience),
                SafetyReview,
                0.0,
                REVIEW_TOKENS,
            )
        )
        if isinstance(review, Missing):
            floor.unreviewed.append(number)
        else:
            names = {speech.agent for speech in spoken}
            judged = {item.agent: Withheld(item.agent, 3, item.reason) for item in review.blocks if item.agent in names}
            blocked = {**judged, **blocked}
            floor.clear.append(review.clear and not blocked)
    floor.withheld.extend(blocked.values())
    for item in blocked.values():
        told = Breach("withheld", f"what you said in round {number} was withheld for safety: {item.reason}")
        floor.tell_later(item.agent, floor.count_breaches(item.agent, [told]))
        found = {"round": number, "agent": item.agent, "tier": item.tier, "reason": item.reason}
        await deliberation.note("withheld", found)
    return blocked


async def _mend(floor: Floor, deliberation: Deliberation, number: int) -> None:
    """Ask the blue team for what every open vulnerability still lacks, by id (ruling D5)."""
    blue = [agent for agent in floor.agents if "mitigations" in agent.role.fields]
    missing = [item for item in floor.state.vulnerabilities if not item.mitigations]
    if not blue or not missing:
        return
    parts = {agent.seat: missing[place :: len(blue)] for place, agent in enumerate(blue)}
    replies = await deliberation.ask_all(
        [
            Ask(
                f"round/{number}/{seat}/mitigations",
                seat,
                mending_messages(floor.question, part),
                Mitigations,
                floor.settings.temperature,
                MENDING_TOKENS,
            )
            for seat, part in parts.items()
            if part
        ]
    )
    for reply in replies:
        for item in () if isinstance(reply, Missing) else reply.mitigations:
            floor.state = with_mitigation(floor.state, item.vulnerability.upper(), item.text)
