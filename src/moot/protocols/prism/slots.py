"""The slots of a layer as open steps of the door: who may fill them, what they show (prism; rulings P1, P5, P8)."""

from typing import Any

from moot.core.canonical import plain
from moot.core.deliberation import HOUSE, Contribution, Invitation, PanelAgent
from moot.core.panel import Panel
from moot.protocols.prism.claim_progress import (
    Arc,
    LayerAttempt,
    Review,
    Slot,
    earlier_outputs,
    passage_outputs,
    questions,
    weaknesses,
)
from moot.protocols.prism.layers import CONSENSUS, WORK, Layer, SlotType
from moot.protocols.prism.prompts import GOALS, slot_messages, task_of, wanted_of
from moot.protocols.prism.rules import slot_digest
from moot.protocols.prism.schemas import OUTPUTS, FlagReview, Output, PrismSettings

REVIEWER, REVIEW = "reviewer", "review"
SLOT, FLAG = "slot", "flag"
"""What a step is to the board."""


def slot_invitation(
    arc: Arc, passage: LayerAttempt, type_: SlotType, number: int, role: str, panel: Panel, settings: PrismSettings
) -> Invitation[Output]:
    """Return a slot, to be filled by the house where the settings say so, and else by whoever comes."""
    layer, name = passage.layer, group_name(passage)
    context = slot_context(arc, passage, type_, role)
    by_house = settings.house in ("all", type_)
    place = number - 1 + (len(layer.roles) if type_ == CONSENSUS and settings.house == "all" else 0)
    agents = house_agents(panel, house_slots(layer, settings)) if by_house else ()
    return Invitation(
        step=f"{name}/{type_}/{number}",
        group=name,
        role=role,
        title=f"{layer.name} (layer {layer.number}), {type_}: {role}",
        context=context,
        reply=OUTPUTS[layer.shape],
        messages=slot_messages(arc.shown, context),
        house=(*agents[place:], *agents[:place]),
        wait=not by_house,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        labels=_labels(passage, SLOT, type_),
    )


def group_name(passage: LayerAttempt) -> str:
    """Return the name of one attempt at one layer, within which nobody fills two slots (ruling P1)."""
    return f"L{passage.layer.number}.{passage.attempt}"


def slot_context(arc: Arc, passage: LayerAttempt, type_: SlotType, role: str) -> dict[str, Any]:
    """Return what the slot shows, fixed when it opens: nothing of its own phase (ruling P8)."""
    layer = passage.layer
    context: dict[str, Any] = {
        "claim": arc.question.text,
        "domain": arc.domain,
        "documents": [document.name for document in arc.question.documents],
        "layer": {"number": layer.number, "name": layer.name, "goal": GOALS[layer.shape]},
        "phase": type_,
        "role": role,
        "task": task_of(layer, role, consensus=type_ == CONSENSUS),
        "wanted": wanted_of(layer),
        "earlier": earlier_outputs(arc),
    }
    if arc.question.form:
        context["form"] = arc.question.form
    if type_ == CONSENSUS and layer.roles:
        context["work"] = passage_outputs(passage, passage.work)
    if layer.shape == "defense":
        context["weaknesses"] = [f"W{number}: {item.text}" for number, item in enumerate(weaknesses(arc), 1)]
        context["questions"] = [f"Q{number}: {text}" for number, text in enumerate(questions(arc), 1)]
    if passage.attempt > 1 and (before := arc.passages[-1].review):
        context["review"] = before.decision.note
    return context


def filled_slot(asked: Invitation[Output], got: Contribution[Output], type_: SlotType) -> Slot:
    """Return a slot as it was filled."""
    return Slot(asked.step, type_, asked.role, got.agent, got.reply, got.filled, _sealed(asked, got), got.model)


def review_invitation(arc: Arc, passage: LayerAttempt, *, wait: bool) -> Invitation[FlagReview]:
    """Return the step by which a person clears the flag of an attempt (ruling P5)."""
    layer, name = passage.layer, group_name(passage)
    reasons = passage.flag.reasons if passage.flag else ()
    return Invitation(
        step=f"{name}/{REVIEW}",
        group=f"{name}/{REVIEW}",
        role=REVIEWER,
        title=f"{layer.name} (layer {layer.number}) is flagged: {'; '.join(reasons)}",
        context={
            "claim": arc.question.text,
            "domain": arc.domain,
            "documents": [document.name for document in arc.question.documents],
            "layer": {"number": layer.number, "name": layer.name, "goal": GOALS[layer.shape]},
            "flag": plain(passage.flag),
            "earlier": earlier_outputs(arc),
            "work": passage_outputs(passage, passage.work),
            "consensus": passage_outputs(passage, passage.consensus),
            "wanted": {
                "decision": '"advance" to go on in spite of the flag, "redo" to do the layer again, "close" to end',
                "note": "why",
            },
        },
        reply=FlagReview,
        wait=wait,
        labels=_labels(passage, FLAG, REVIEW),
    )


def filled_review(asked: Invitation[FlagReview], got: Contribution[FlagReview]) -> Review:
    """Return a review as it was made."""
    return Review(got.agent, got.reply, (asked.step, _sealed(asked, got)))


def _labels(passage: LayerAttempt, board: str, type_: str) -> dict[str, str]:
    return {"board": board, "layer": str(passage.layer.number), "attempt": str(passage.attempt), "type": type_}


def _sealed(asked: Invitation[Any], got: Contribution[Any]) -> str:
    return slot_digest(
        asked.step,
        role=asked.role,
        labels=asked.labels,
        context=asked.context,
        agent=got.agent,
        reply=plain(got.reply),
    )


def house_slots(layer: Layer, settings: PrismSettings) -> int:
    """Return how many slots of a layer the house fills."""
    by_house = {"all": layer.slots, WORK: len(layer.roles), CONSENSUS: layer.consensus, "none": 0}
    return by_house[settings.house]


def house_agents(panel: Panel, slots: int) -> tuple[PanelAgent, ...]:
    """Return the agents of the house: each member as often as the layer's slots need, by distinct names (ruling P1)."""
    if not slots or not len(panel):
        return ()
    seatings = -(-slots // len(panel))
    return tuple(
        PanelAgent(f"{HOUSE}{member.name}" + (f".{seating}" if seating > 1 else ""), member.name)
        for seating in range(1, seatings + 1)
        for member in panel
    )
