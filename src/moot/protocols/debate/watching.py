"""The safety tiers at work on what was just said, before anybody else gets to see it (decision 2, ruling D9)."""

from collections.abc import Sequence

from moot.core.calls import Ask, Missing
from moot.core.deliberation import Deliberation
from moot.protocols.debate.contract import Breach
from moot.protocols.debate.floor import Floor
from moot.protocols.debate.prompts import review_messages
from moot.protocols.debate.safety import Withheld, harm_in, intent_triggers
from moot.protocols.debate.schemas import SafetyReview
from moot.protocols.debate.speech import Speech
from moot.protocols.debate.verification import spoken_text

REVIEW_TOKENS = 300


async def guarded(
    floor: Floor, deliberation: Deliberation, spoken: Sequence[Speech], number: int
) -> dict[str, Withheld]:
    """Return what must not be passed on: tier 1 by pattern, tier 3 by the evaluator where called for (decision 2)."""
    harms = {speech.agent: harm for speech in spoken if (harm := harm_in(spoken_text(speech)))}
    blocked = {name: Withheld(name, 1, harm) for name, harm in harms.items()}
    floor.watching = tuple(dict.fromkeys((*floor.watching, *intent_triggers(map(spoken_text, spoken)))))
    if floor.watching and spoken:
        blocked = {**await _reviewed(floor, deliberation, spoken, number), **blocked}
        floor.clear.append(not blocked)
    for item in blocked.values():
        told = Breach("withheld", f"what you said in round {number} was withheld for safety: {item.reason}")
        floor.tell_later(item.agent, floor.count_breaches(item.agent, [told]))
        found = {"round": number, "agent": item.agent, "tier": item.tier, "reason": item.reason}
        await deliberation.note("withheld", found)
    floor.withheld.extend(blocked.values())
    return blocked


async def _reviewed(
    floor: Floor, deliberation: Deliberation, spoken: Sequence[Speech], number: int
) -> dict[str, Withheld]:
    """Ask the evaluator, who sees what was said and nothing else of the debate (decision 2, tier 3)."""
    alone = floor.mode.order == "sequential"
    review = await deliberation.ask(
        Ask(
            f"round/{number}/safety/{spoken[0].agent}" if alone else f"round/{number}/safety",
            floor.evaluator,
            review_messages(spoken, floor.watching, floor.settings.audience),
            SafetyReview,
            0.0,
            REVIEW_TOKENS,
        )
    )
    if isinstance(review, Missing):
        floor.unreviewed.append(number)
        return {}
    floor.clear.append(review.clear)
    names = {speech.agent for speech in spoken}
    return {item.agent: Withheld(item.agent, 3, item.reason) for item in review.blocks if item.agent in names}
