"""Agents with roles argue in rounds over one ledger of claims, and vote on a numbered proposal (debate 1 to 9).

A round is spoken, folded into the state and measured. Then: does agreement come too easily (decision 3)? Is one of the
exit criteria met (P1)? If not, a person may speak, a proposal is written from the state, and the next round begins.
"""

from dataclasses import replace

from moot.core.budget import Budget, Expectation
from moot.core.calls import Missing
from moot.core.deliberation import Deliberation, Invitation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolRow
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Verdict
from moot.protocols.debate.ballots import with_decision
from moot.protocols.debate.context import Budgets
from moot.protocols.debate.ending import Ending, concluded
from moot.protocols.debate.exits import exit_of, is_accepted
from moot.protocols.debate.floor import Floor, anchors, seated_floor
from moot.protocols.debate.fold import PERSON, hear
from moot.protocols.debate.groupthink import Suspicion, objection_round_failed, suspicion
from moot.protocols.debate.helping import LOOKUP_TOKENS
from moot.protocols.debate.measures import measured
from moot.protocols.debate.modes import MODES
from moot.protocols.debate.packets import RoundLog
from moot.protocols.debate.prompts import lookup_messages, round_messages
from moot.protocols.debate.report import graph_file, markdown_report
from moot.protocols.debate.rounds import hold_round
from moot.protocols.debate.safety import harm_in
from moot.protocols.debate.schemas import AgentResponse, PersonTurn, Ruling
from moot.protocols.debate.settings import DebateSettings
from moot.protocols.debate.speech import Speech, inline_statements
from moot.protocols.debate.state import proposed
from moot.protocols.debate.summary import block_text, round_block
from moot.protocols.debate.watching import REVIEW_TOKENS

FEWEST = 2
TYPICAL_REPLY = 350


async def debate(question: Question, deliberation: Deliberation, settings: DebateSettings) -> Verdict:
    """Return what the agents come to, with who agrees, who does not, and on what evidence."""
    floor = seated_floor(question, deliberation.panel, settings)
    await deliberation.note("seating", {"mode": floor.mode.name, "anchors": anchors(floor.agents)})
    critical: Suspicion | None = None
    while True:
        log = await hold_round(floor, deliberation, critical="; ".join(critical.why) if critical else "")
        await _measure(floor, deliberation, log)
        if len(log.heard) < FEWEST:
            return concluded(floor, Ending("partial", f"fewer than {FEWEST} agents were heard in round {log.number}"))
        if critical and objection_round_failed(floor.figures[-1]):
            ruling = await _escalate(floor, deliberation, critical)
            if ruling:
                return concluded(floor, ruling)
        exit_reason = exit_of(floor.figures, settings.rounds)
        critical = _too_easy(floor)
        if critical and log.number < settings.rounds:
            await deliberation.note("groupthink", critical)
        elif exit_reason:
            return concluded(floor, _ending(floor, exit_reason, unexamined=critical))
        else:
            critical = None
        await _between_rounds(floor, deliberation)


async def _measure(floor: Floor, deliberation: Deliberation, log: RoundLog) -> None:
    """Take the figures of a round, record what the votes settled, and put its summary into the record (5.2)."""
    floor.focus = ""
    positions = {item.speech.agent: item.speech.said.position for item in log.heard}
    vectors = (
        await deliberation.embed(list(positions.values()), step=f"round/{log.number}/positions") if positions else None
    )
    rows = None if vectors is None or isinstance(vectors, Missing) else dict(zip(positions, vectors.rows, strict=True))
    figures = measured(floor, log, rows)
    floor.logs.append(log)
    floor.figures.append(figures)
    floor.vectors |= rows or {}
    if is_accepted(figures) and floor.state.proposal:
        text = f"{floor.state.proposal.id} has its votes: {floor.state.proposal.answer}"
        floor.state = with_decision(floor.state, text, log.number)
    if floor.is_clear():
        floor.watching = ()
    block = round_block(log, floor.state, figures)
    await deliberation.note("round", {**block, "figures": figures, "unverified": _unverified(log)})


def _unverified(log: RoundLog) -> dict[str, tuple[str, ...]]:
    return {item.speech.agent: item.unverified for item in log.heard if item.unverified}


def _too_easy(floor: Floor) -> Suspicion | None:
    """Return a trigger of groupthink that has not been met by an objection round yet (decision 3, ruling D4)."""
    found = suspicion(floor.figures)
    if found is None or any(found.trigger == earlier.trigger for earlier in floor.suspicions):
        return None
    floor.suspicions.append(found)
    return found


def _ending(floor: Floor, exit_reason: str, *, unexamined: Suspicion | None) -> Ending:
    figures = floor.figures[-1]
    if unexamined and is_accepted(figures):
        why = f"{unexamined.trigger} was suspected and no round was left to test it ({'; '.join(unexamined.why)})"
        return Ending("forced", why)
    match exit_reason:
        case "consensus":
            return Ending("complete", f"consensus: {100 * (figures.acceptance or 0):.0f}% accept {figures.voted_on}")
        case "plateau":
            settled = "; the proposal has its votes" if is_accepted(figures) else " without consensus"
            return Ending(
                "complete" if is_accepted(figures) else "forced", f"plateau: two rounds changed little{settled}"
            )
        case _:
            return Ending("forced", f"cap: {figures.round} rounds without consensus")


async def _escalate(floor: Floor, deliberation: Deliberation, why: Suspicion) -> Ending | None:
    """Ask a person to rule where the objection round changed nothing (decision 3); None where the debate goes on."""
    number = floor.round
    context = {
        "suspected": why.trigger,
        "because": list(why.why),
        "proposal": floor.state.proposal.answer if floor.state.proposal else "",
        "summary": block_text(round_block(floor.logs[-1], floor.state, floor.figures[-1])),
    }
    title = "The agents agree and nothing tested it. Accept the answer, reject it, or let them continue?"
    (ruling,) = await deliberation.invite_all(
        [
            Invitation(
                step=f"escalation/{number}",
                group=f"escalation/{number}",
                role=PERSON,
                title=title,
                context=context,
                reply=Ruling,
                wait=floor.settings.join,
            )
        ]
    )
    failed = f"{why.trigger}: the objection round brought no new fact and moved nobody"
    if isinstance(ruling, Missing):
        return Ending("flagged", f"{failed}; a person should look at it")
    note = f": {ruling.reply.note}" if ruling.reply.note else ""
    match ruling.reply.decision:
        case "accept":
            return Ending("complete", f"{failed}; {ruling.agent} accepted the answer{note}")
        case "reject":
            return Ending("flagged", f"{failed}; {ruling.agent} rejected the answer{note}")
    floor.state = with_decision(floor.state, f"{ruling.agent} lets the debate go on{note}", number)
    return None


async def _between_rounds(floor: Floor, deliberation: Deliberation) -> None:
    """Let a person speak where one has joined, and write the proposal that the next round votes on (ruling D11)."""
    if floor.settings.join:
        await _person(floor, deliberation)
    floor.state = replace(floor.state, proposal=proposed(floor.state, floor.round + 1))


async def _person(floor: Floor, deliberation: Deliberation) -> None:
    number = floor.round
    (turn,) = await deliberation.invite_all(
        [
            Invitation(
                step=f"turn/{number}",
                group=f"turn/{number}",
                role=PERSON,
                title=f"Round {number} is over. Say something before round {number + 1}, or pass.",
                context={"summary": block_text(round_block(floor.logs[-1], floor.state, floor.figures[-1]))},
                reply=PersonTurn,
            )
        ]
    )
    if isinstance(turn, Missing):
        return
    floor.focus = turn.reply.focus_question
    text = turn.reply.text
    if harm := harm_in(f"{text} {floor.focus}"):
        floor.focus = ""
        await deliberation.note("withheld", {"round": number, "agent": PERSON, "tier": 1, "reason": harm})
    elif text:
        floor.note_person(text)
        said = AgentResponse(position=text[:800], confidence=0.5)
        speech = Speech(PERSON, number, said, tuple(inline_statements(text)), None, "")
        floor.state, _ = hear(floor.state, speech, floor.question.documents)


def fewest_seats(settings: DebateSettings) -> int:
    """Return how many seats the mode needs, and one more where one of them only judges safety."""
    return MODES[settings.mode].minimum + bool(settings.evaluator)


def expected(question: Question, panel: Panel, settings: DebateSettings) -> Expectation:
    """Return what a debate takes that goes on to its last round."""
    floor = seated_floor(question, panel, settings)
    seats, rounds, budgets = len(floor.agents), settings.rounds, Budgets()
    first = _first_prompt(floor)
    texts = seats * (2 if floor.mode.order == "sequential" else 1)
    later = min(floor.prompt_tokens, first + 300 + 100 * seats + TYPICAL_REPLY * texts)
    looking = seats * rounds if settings.lookups and question.documents else 0
    reviews = (seats if floor.mode.order == "sequential" else 1) if floor.watching else 0
    asked = prompt_tokens(lookup_messages(question, floor.agents[0], settings.lookups, "")) if looking else 0
    most = first + 400 + budgets.state + 2 * budgets.summary + budgets.instructions
    most += min(budgets.previous, texts * floor.reply_tokens) + (budgets.findings if looking else 0)
    most += floor.reply_tokens + 300 if settings.revise else 0
    return Expectation(
        calls=seats * rounds + looking + reviews,
        tokens_in=seats * (first + (rounds - 1) * later) + looking * asked + reviews * TYPICAL_REPLY * seats,
        tokens_out=seats * rounds * min(TYPICAL_REPLY, floor.reply_tokens)
        + looking * LOOKUP_TOKENS // 2
        + reviews * REVIEW_TOKENS // 4,
        longest=max(min(settings.context, most), first) + floor.reply_tokens,
        note="to the last round; consensus ends it earlier, and a revision of a response is a further call",
    )


def _first_prompt(floor: Floor) -> int:
    messages = round_messages(
        floor.question,
        floor.agents[0],
        floor.mode,
        floor.state,
        RoundLog(1, ()),
        lambda budgets: "",
        rounds=floor.settings.rounds,
        focus=floor.focus_question(1),
        told=(),
        findings=(),
        critical="",
        high_stakes=floor.settings.high_stakes,
        limit=floor.prompt_tokens,
    )
    return prompt_tokens(messages)


DEBATE = ProtocolRow(
    name="debate",
    version=2,
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
)
