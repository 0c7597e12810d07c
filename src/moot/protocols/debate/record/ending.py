"""How a debate ends: the verdict with its final synthesis (debate 5.3), and with how much authority (ruling G2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean
from typing import Any, Literal

from moot.core.calls import Missing
from moot.core.canonical import plain, rounded
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.verdict import Dissent, Status, Verdict
from moot.methods.sameness import same_answer
from moot.protocols.debate.record.graph import argued
from moot.protocols.debate.record.ledger import ledger, sorted_counts
from moot.protocols.debate.record.summary import (
    agent_response,
    agreements,
    cases,
    disagreements,
    participants,
    references,
    refuted_claims,
)
from moot.protocols.debate.rules import Exit, is_accepted
from moot.protocols.debate.state.context import DebateContext, RoundPacket, anchors
from moot.protocols.debate.state.state import Camp, DebateState, accepting, camps, tied_with
from moot.views.words import counted


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a debate ended, and with what status."""

    status: Literal["complete", "forced", "flagged", "partial"]
    reason: str


QUORUM = Fraction(4, 5)
"""Of the seats that debate, as many as consensus takes (debate 2 P1, ruling D12)."""


def reached(context: DebateContext, exit_reason: Exit) -> Ending:
    """Return the ending that an exit makes, with who accepts and who did not answer in its words (rulings G8, D12)."""
    figures = context.figures[-1]
    settled, votes = is_accepted(figures), votes_words(context)
    if context.suspected and settled:
        why = f"{context.suspected.trigger} was suspected and no round was left to test it"
        return Ending("forced", f"{why} ({'; '.join(context.suspected.why)})")
    heard = len(figures.confidences)
    unsettled = "forced" if heard >= QUORUM * figures.asked else "partial"
    match exit_reason:
        case "consensus":
            return Ending("complete", f"consensus: {votes}")
        case "plateau" if settled:
            return Ending("complete", f"plateau: two rounds changed little; {votes}")
        case "plateau":
            return Ending(unsettled, f"plateau: two rounds changed little without consensus: {votes}")
        case _:
            return Ending(unsettled, f"cap: {counted(figures.round, 'round')} without consensus: {votes}")


def votes_words(context: DebateContext) -> str:
    """Return how many of all who debate accept the proposal, and how many were not heard."""
    figures, withheld = context.figures[-1], len(context.packets[-1].withheld)
    words = [
        f"{figures.accepting} of {figures.asked} agents accept {figures.voted_on}"
        if figures.voted_on
        else "nothing was voted on"
    ]
    silent = figures.unheard - withheld
    words += [f"{silent} did not answer"] if silent else []
    return "; ".join([*words, f"{withheld} withheld"] if withheld else words)


def concluded(context: DebateContext, ending: Ending) -> Verdict:
    """Return the verdict on a debate that has ended."""
    answer = final_answer(context)
    caveats = tuple(_caveats(context, answer, ending))
    status = Status(ending.status)
    if status is Status.COMPLETE and (context.watch.unreviewed or _is_nobodys_own(context.state, answer)):
        status = Status.PARTIAL
    return Verdict(
        answer=answer,
        status=status,
        stop_reason=ending.reason,
        confidence=_confidence(context, answer),
        dissent=tuple(_dissent(context.state, answer)),
        caveats=caveats,
        missing=tuple(_withheld(context)),
        asked=len(context.agents),
        answered=len(context.packets[-1].heard) if context.packets else 0,
        detail=_detail(context, answer),
    )


def final_answer(context: DebateContext) -> str | None:
    """Return the answer of the proposal that has its votes, else the one that most hold at the end."""
    proposal = context.state.proposal
    if proposal and context.figures and is_accepted(context.figures[-1]):
        return proposal.answer
    standing = camps(context.state)
    return standing[0].answer if standing else None


def _is_held(camp: Camp, answer: str | None) -> bool:
    return answer is not None and same_answer(camp.answer, answer).outcome == "same"


def _is_nobodys_own(state: DebateState, answer: str | None) -> bool:
    return answer is not None and not any(_is_held(camp, answer) for camp in camps(state))


def _carriers(state: DebateState, answer: str | None) -> set[str]:
    """Those who give the answer themselves or voted for the proposal that has it (ruling D14)."""
    holders = {name for camp in camps(state) if _is_held(camp, answer) for name in camp.names}
    return holders | set(accepting(state, answer or ""))


def _confidence(context: DebateContext, answer: str | None) -> Confidence:
    last = context.figures[-1] if context.figures else None
    if last is None or not last.confidences:
        return no_confidence("nobody spoke in the last round")
    carriers = _carriers(context.state, answer)
    stated = [value for name, value in last.confidences.items() if name in carriers]
    if not stated:
        return no_confidence("nobody who spoke in the last round holds or accepts it")
    votes = ", ".join(f"{list(last.votes.values()).count(vote)} {vote}" for vote in sorted(set(last.votes.values())))
    who = f"{len(stated)} of {last.asked} agents state who hold or accept it"
    return Confidence(rounded(fmean(stated)), Basis.STATED, f"the mean of what {who}; votes: {votes or 'none'}")


def _dissent(state: DebateState, answer: str | None) -> Iterator[Dissent]:
    carriers = _carriers(state, answer)
    for camp in camps(state):
        figures = {item.agent: item.confidence for item in camp.holders if item.agent not in carriers}
        if figures:
            yield Dissent(camp.answer, tuple(figures), {"confidences": figures})
    for item in state.open_objections:
        yield Dissent(f"{item.id}: {item.text}", (item.by,), {"objection": item.id, "proposal": item.proposal})


def _withheld(context: DebateContext) -> Iterator[Missing]:
    seats = {agent.name: agent.seat for agent in context.agents}
    for packet in context.packets:
        for item in packet.withheld:
            yield Missing(
                seats[item.agent],
                f"round/{packet.number}/{seats[item.agent]}",
                "withheld",
                f"for safety: {item.reason}",
            )


def _caveats(context: DebateContext, answer: str | None, ending: Ending) -> Iterator[str]:
    state = context.state
    if tied := _tied(context):
        others = ", ".join(f"\u201c{other}\u201d" for other in tied)
        yield f"It is a tie: as many agents hold {others}; the order of the seats alone is between them."
    if ending.status == "complete" and _is_nobodys_own(state, answer):
        yield "Nobody's own answer is that of the accepted proposal."
    if wrong := state.with_status("refuted"):
        yield f"Refuted: the program computes {', '.join(claim.id for claim in wrong)} and comes to something else."
    facts = [claim for claim in state.claims if claim.label == "FACT" and not (claim.grounded or claim.refuted)]
    computed = sum(bool(claim.computed_by) for claim in facts)
    if unverified := len(facts) - computed:
        yield f"Unverified: {counted(unverified, 'claim')} called FACT could be found in no source."
    if computed:
        yield f"Computed only: {counted(computed, 'claim')} called FACT has a right sum and no source."
    if state.open_objections:
        yield f"Objections that stand unresolved: {', '.join(item.id for item in state.open_objections)}."
    if unmended := [item.id for item in state.vulnerabilities if not item.mitigations]:
        yield f"No mitigation was given for {', '.join(unmended)}."
    yield from _injections(context)
    yield from _safety(context)
    yield from _groupthink(context)


def _safety(context: DebateContext) -> Iterator[str]:
    watch = context.watch
    if withheld := sum(len(packet.withheld) for packet in context.packets):
        yield f"Withheld for safety and not in the answer: {counted(withheld, 'contribution')}."
    if watch.unreviewed:
        yield f"The safety evaluator was called for and did not answer in round {_listed(watch.unreviewed)}."
    names = {agent.seat: agent.name for agent in context.agents}
    debating = [names[seat] for seat in watch.reviewers if seat in names]
    if debating:
        yield f"Safety was judged by {' and '.join(debating)}, in a fresh context, who also debate."
    if watch.unconfirmed:
        blocks = counted(watch.unconfirmed, "block")
        yield f"{blocks} of an evaluator who debates found no second seat and did not stand."


def _tied(context: DebateContext) -> tuple[str, ...]:
    if context.figures and is_accepted(context.figures[-1]):
        return ()
    standing = camps(context.state)
    return tied_with(context.state, standing[0], standing[1:]) if standing else ()


def _injections(context: DebateContext) -> Iterator[str]:
    found = [(name, words) for packet in context.packets for name, words in packet.injections.items()]
    for name in dict.fromkeys(name for name, _ in found):
        times = [words for who, words in found if who == name]
        yield f"{name} tried to give the others orders ({counted(len(times), 'time')}): \u201c{times[0][:120]}\u201d."


def _groupthink(context: DebateContext) -> Iterator[str]:
    for item in context.suspicions:
        held = item != context.suspected
        came = "an objection round was held" if held else "no objection round was left"
        yield f"Groupthink was suspected ({item.trigger}: {'; '.join(item.why)}); {came}."
    skipped = [words for item in context.suspicions for words in item.skipped]
    if skipped:
        yield f"The groupthink guard went without: {'; '.join(dict.fromkeys(skipped))}."


def _listed(rounds: Sequence[int]) -> str:
    return ", ".join(str(number) for number in dict.fromkeys(rounds))


def _detail(context: DebateContext, answer: str | None) -> dict[str, Any]:
    state, breaches, packets = context.state, context.breaches, context.packets
    agents = {agent.name: agent for agent in context.agents}
    last = packets[-1] if packets else RoundPacket(0)
    return {
        "mode": context.mode.name,
        "rounds": len(packets),
        "synthesis": _synthesis(context, answer),
        "debateState": ledger(state),
        "finalPositions": [agent_response(agents[item.speech.agent], item, last) for item in last.heard],
        "participants": participants(context.agents),
        "vulnerabilities": plain(state.vulnerabilities),
        "cases": cases(context.agents, last),
        "openQuestions": plain(state.questions),
        "objections": plain(state.objections),
        "references": references(state),
        "said": [
            {"round": packet.number, "text": packet.person, "focus": packet.person_focus}
            for packet in packets
            if packet.person or packet.person_focus
        ],
        "tie": _tied(context),
        "diversity": _diversity(context),
        "groupthink": plain(context.suspicions),
        "breaches": sorted_counts(breaches.counted),
        "unmetChecks": sorted_counts(breaches.unmet),
        "drafts": sorted_counts(breaches.drafts),
        "revisions": sum(packet.revisions for packet in packets),
        "withheld": [{"round": packet.number, **plain(item)} for packet in packets for item in packet.withheld],
        "toolCalls": [call for packet in packets for call in packet.tool_calls],
        **argued(state, packets),
    }


def _synthesis(context: DebateContext, answer: str | None) -> dict[str, Any]:
    """The executive summary, key evidence and final positions (debate 5.3), all computed from the state."""
    state = context.state
    figures = context.figures[-1] if context.figures else None
    return {
        "answer": answer,
        "proposal": plain(state.proposal),
        "agreements": agreements(state),
        "disagreements": disagreements(state),
        "refuted": refuted_claims(state),
        "evidence": references(state),
        "votes": dict(figures.votes) if figures else {},
        "decisions": plain(state.decisions),
    }


def _diversity(context: DebateContext) -> dict[str, Any]:
    """What the anchors led to over the rounds (decision 5: diversity is assessed by outcome)."""
    brought = {
        agent.name: sum(claim.introduced_by == agent.name for claim in context.state.claims) for agent in context.agents
    }
    return {
        "anchors": anchors(context.agents),
        "claims_introduced": brought,
        "premise_overlap": [item.premise_overlap for item in context.figures],
        "semantic_clusters": [item.clusters for item in context.figures],
    }
