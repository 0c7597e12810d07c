"""What a round measures to: the figures that exits and the groupthink guard read (rulings D2 and D3)."""

from collections.abc import Mapping

from moot.protocols.debate.exits import Figures, Vector, belief_change, position_change, votes_changed
from moot.protocols.debate.floor import Floor
from moot.protocols.debate.groupthink import premise_overlap, semantic_clusters
from moot.protocols.debate.packets import RoundLog
from moot.protocols.debate.speech import Speech


def measured(floor: Floor, log: RoundLog, vectors: Mapping[str, Vector] | None) -> Figures:
    """Return the figures of a round that has just been spoken; a measure that cannot be taken is None."""
    state = floor.state
    now = {item.speech.agent: item.speech for item in log.heard}
    before = _spoken(floor.logs[-1]) if floor.logs else {}
    votes = {name: speech.vote for name, speech in now.items() if speech.vote and state.proposal}
    earlier = floor.figures[-1].votes if floor.figures else {}
    return Figures(
        round=log.number,
        confidences={name: speech.said.confidence for name, speech in now.items()},
        votes=votes,
        voted_on=state.proposal.id if state.proposal else "",
        open_objections=len(state.open_objections),
        new_facts=len(state.new_facts(log.number)),
        belief_change=belief_change(now, before),
        votes_changed=votes_changed(votes, earlier),
        position_change=position_change(vectors, floor.vectors) if vectors else None,
        leanings=tuple(speech.leaning for speech in now.values() if speech.leaning is not None),
        clusters=semantic_clusters(vectors) if vectors else None,
        premise_overlap=premise_overlap([state.premises(name) for name in now]),
        sources=sum(bool(item.supports) for item in state.evidence),
    )


def _spoken(log: RoundLog) -> dict[str, Speech]:
    return {item.speech.agent: item.speech for item in log.heard}
