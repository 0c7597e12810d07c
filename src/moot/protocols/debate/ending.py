"""How a debate ends: the verdict with its final synthesis (debate 5.3), and with how much authority (ruling G2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from moot.core.canonical import plain, rounded
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.verdict import Dissent, Status, Verdict
from moot.methods.sameness import same_answer
from moot.protocols.debate.context import DebateContext, anchors
from moot.protocols.debate.graph import argued
from moot.protocols.debate.rules import is_accepted
from moot.protocols.debate.state import DebateState, camps
from moot.protocols.debate.summary import agreements, disagreements


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a debate ended, and with what status."""

    status: Literal["complete", "forced", "flagged", "partial"]
    reason: str


def concluded(context: DebateContext, ending: Ending) -> Verdict:
    """Return the verdict on a debate that has ended."""
    answer = final_answer(context)
    status = Status(ending.status)
    if context.watch.unreviewed and status is Status.COMPLETE:
        status = Status.PARTIAL
    return Verdict(
        answer=answer,
        status=status,
        stop_reason=ending.reason,
        confidence=_confidence(context),
        dissent=tuple(_dissent(context.state, answer)),
        caveats=tuple(_caveats(context)),
        detail=_detail(context, answer),
    )


def final_answer(context: DebateContext) -> str | None:
    """Return the answer of the proposal that has its votes, else the one that most hold at the end."""
    proposal = context.state.proposal
    if proposal and context.figures and is_accepted(context.figures[-1]):
        return proposal.answer
    standing = camps(context.state)
    return standing[0][0] if standing else None


def _confidence(context: DebateContext) -> Confidence:
    last = context.figures[-1] if context.figures else None
    if last is None or not last.confidences:
        return no_confidence("nobody spoke in the last round")
    votes = ", ".join(f"{list(last.votes.values()).count(vote)} {vote}" for vote in sorted(set(last.votes.values())))
    reason = f"the mean of what {len(last.confidences)} agents state; votes: {votes or 'none'}"
    return Confidence(rounded(fmean(last.confidences.values())), Basis.STATED, reason)


def _dissent(state: DebateState, answer: str | None) -> Iterator[Dissent]:
    for other, holders in camps(state):
        if answer is None or same_answer(other, answer).outcome != "same":
            figures = {item.agent: item.confidence for item in holders}
            yield Dissent(other, tuple(figures), {"confidences": figures})
    for item in state.open_objections:
        yield Dissent(f"{item.id}: {item.text}", (item.by,), {"objection": item.id, "proposal": item.proposal})


def _caveats(context: DebateContext) -> Iterator[str]:
    state = context.state
    unverified = sum(claim.label == "FACT" and not claim.grounded for claim in state.claims)
    if unverified:
        yield f"{unverified} claims called FACT rest on nothing that could be found: they are unverified."
    if state.open_objections:
        yield f"{len(state.open_objections)} objections stand unresolved."
    unmended = [item.id for item in state.vulnerabilities if not item.mitigations]
    if unmended:
        yield f"No mitigation was given for {', '.join(unmended)}."
    if context.watch.withheld:
        yield f"{len(context.watch.withheld)} contributions were withheld for safety and are not in the answer."
    if context.watch.unreviewed:
        yield f"The safety evaluator was called for and did not answer in round {_listed(context.watch.unreviewed)}."
    if context.watch.why or context.watch.withheld:
        seats = {agent.seat for agent in context.agents}
        if context.evaluator in seats:
            yield f"The safety evaluator is {context.evaluator} in a fresh context, who also debates."
    skipped = [words for item in context.suspicions for words in item.skipped]
    if skipped:
        yield f"The groupthink guard went without: {'; '.join(dict.fromkeys(skipped))}."


def _listed(rounds: Sequence[int]) -> str:
    return ", ".join(str(number) for number in dict.fromkeys(rounds))


def _detail(context: DebateContext, answer: str | None) -> dict[str, Any]:
    state = context.state
    last = context.packets[-1] if context.packets else None
    return {
        "mode": context.mode.name,
        "rounds": len(context.packets),
        "synthesis": _synthesis(context, answer),
        "debateState": ledger(state),
        "finalPositions": [item.speech.paper_form() for item in last.heard] if last else [],
        "participants": {agent.name: {"seat": agent.seat, "role": agent.role.name} for agent in context.agents},
        "diversity": _diversity(context),
        "groupthink": plain(context.suspicions),
        "breaches": {name: dict(sorted(counts.items())) for name, counts in sorted(context.breaches.counted.items())},
        "unmetChecks": {name: dict(sorted(counts.items())) for name, counts in sorted(context.breaches.unmet.items())},
        "revisions": sum(packet.revisions for packet in context.packets),
        "withheld": plain(context.watch.withheld),
        "toolCalls": [call for packet in context.packets for call in packet.tool_calls],
        **argued(state, context.packets),
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
        "evidence": [
            {
                "id": item.id,
                "title": item.title,
                "gist": item.gist,
                "supports": item.supports,
                "verified": item.verified,
            }
            for item in state.evidence
            if item.supports
        ],
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


def ledger(state: DebateState) -> Mapping[str, Any]:
    """Return the whole state in the paper's names (debate 7.2): nothing is pruned in the record."""
    return {
        "topic": state.topic,
        "round": state.round,
        "participants": state.participants,
        "claims": [
            {
                "id": claim.id,
                "text": claim.text,
                "label": claim.label,
                "status": state.status(claim),
                "introduced_round": claim.introduced_round,
                "last_updated_round": claim.last_updated_round,
                "support": claim.support,
                "opposition": claim.opposition,
                "held_by": sorted(claim.labels),
                "wordings": plain(claim.wordings),
                "verified": claim.grounded,
            }
            for claim in state.claims
        ],
        "evidence": [
            {
                "id": item.id,
                "kind": item.kind,
                "title": item.title,
                "url": item.url,
                "supports": item.supports,
                "gist": item.gist,
                "added_round": item.added_round,
                "verified": item.verified,
            }
            for item in state.evidence
        ],
        "decisions": plain(state.decisions),
        "agent_status": plain(list(state.agents.values())),
        "objections": plain(state.objections),
        "vulnerabilities": plain(state.vulnerabilities),
    }
