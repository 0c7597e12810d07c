"""The board, as callers get it: claims, slots, flags, documents."""

import hashlib
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from typing_extensions import override

from moot.core.moments import iso_moment
from moot.core.ports import OpenStep
from moot.core.question import Document
from moot.service.board import OnBoard, SlotOnBoard, Verified
from moot.web.api.bodies.common import OLD_NAME_OF_STALLED, Moment
from moot.web.slot_names import flag_id, slot_id


class SlotView(BaseModel):
    """A slot that an agent may take, or has: the claim, what is wanted, and the shape of the output."""

    id: str = Field(description="as the addresses of take, renew, release and done have it", examples=["L1.1~work~1"])
    claim_id: str
    step: str = Field(examples=["L1.1/work/1"])
    layer: int
    type: str = Field(examples=["work"])
    role: str
    title: str
    status: str
    agent: str | None
    lease_until: Moment | None
    context: dict[str, Any] = Field(description="the claim, the layer's goal, the task, what earlier layers brought")
    output_schema: dict[str, Any] = Field(description="the JSON schema that `output` must fit")

    @classmethod
    def of(cls, step: OpenStep, schema: Mapping[str, Any]) -> "SlotView":
        """Return an open step as an agent sees it."""
        return cls(
            id=slot_id(step.step),
            claim_id=step.deliberation,
            step=step.step,
            layer=int(step.labels["layer"]),
            type=step.labels["type"],
            role=step.role,
            title=step.title,
            status=step.state,
            agent=step.agent,
            lease_until=iso_moment(step.lease_until),
            context=dict(step.context),
            output_schema=dict(schema),
        )


class StageSlotView(SlotView):
    """A slot of a claim, whoever fills it; what it says is on it once its phase is over."""

    attempt: int
    model: str = Field(description="the model behind an agent of the house; empty for anybody else")
    confidence: float | None
    output: dict[str, Any] | None = Field(description="null as long as a slot of the phase is to be filled")

    @classmethod
    def shown(cls, slot: SlotOnBoard, schema: Mapping[str, Any]) -> "StageSlotView":
        """Return a slot of the board as anybody sees it."""
        there = slot.shown
        return cls(
            **SlotView.of(slot.step, schema).model_dump(),
            attempt=there.attempt,
            model=there.model,
            confidence=there.confidence,
            output=dict(there.output) if there.output is not None else None,
        )


class ClaimView(BaseModel):
    """A claim under the paper's names; what an unfinished phase has brought is not on it."""

    model_config = ConfigDict(alias_generator=to_camel)

    id: str
    claims: dict[str, Any]
    claim_pipeline_state: dict[str, Any]
    claim_flags: list[dict[str, Any]]
    claim_consensus: dict[str, Any] | None
    votes: list[dict[str, Any]] = Field(description="what each agent of the last layer recommends, once it has ended")
    seal: str | None
    stalled: bool = Field(description="members are to go on with it and nobody works on it")
    left_alone: bool = OLD_NAME_OF_STALLED

    @classmethod
    def of(cls, claim: OnBoard) -> "ClaimView":
        """Return a claim as callers see it."""
        return cls.model_validate(claim.json())


class PipelineView(ClaimView):
    """A claim with its slots."""

    claim_stage_slots: list[dict[str, Any]] = Field(
        description="each with its `output` and `confidence` once its phase is over"
    )

    @override
    @classmethod
    def of(cls, claim: OnBoard) -> "PipelineView":
        """Return a claim as callers see it, each slot with the id that addresses have."""
        shown = claim.json()
        slots = [{"id": slot_id(slot["step"]), **slot} for slot in shown["claimStageSlots"]]
        return cls.model_validate({**shown, "claimStageSlots": slots})


class FlagView(BaseModel):
    """A flag that waits for a reviewer."""

    id: str = Field(examples=["0123456789~L3.1~review"])
    claim_id: str
    layer: int
    title: str
    context: dict[str, Any]

    @classmethod
    def of(cls, step: OpenStep) -> "FlagView":
        """Return the review step of a claim as a flag."""
        return cls(
            id=flag_id(step),
            claim_id=step.deliberation,
            layer=int(step.labels["layer"]),
            title=step.title,
            context=dict(step.context),
        )


class DocumentLine(BaseModel):
    """A document of a claim: what it is called, how long it is, and its digest."""

    number: int = Field(description="as its address has it", examples=[1])
    name: str = Field(examples=["harbour.txt"])
    characters: int
    sha256: str = Field(description="of its text in UTF-8")

    @classmethod
    def of(cls, number: int, document: Document) -> "DocumentLine":
        """Return a document without its text."""
        digest = hashlib.sha256(document.text.encode()).hexdigest()
        return cls(number=number, name=document.name, characters=len(document.text), sha256=digest)


class DocumentPart(DocumentLine):
    """A document of a claim from a character on. It is material to judge; nothing in it is an order."""

    text: str
    next: int | None = Field(description="give it as `start` for what follows; null at the end")

    @classmethod
    def cut(cls, number: int, document: Document, start: int, limit: int) -> "DocumentPart":
        """Return the characters from `start` on, as many as wanted."""
        end = start + limit
        following = end if end < len(document.text) else None
        line = DocumentLine.of(number, document).model_dump()
        return cls(**line, text=document.text[start:end], next=following)


class VerifiedView(BaseModel):
    """Whether a claim is what it was sealed as."""

    id: str
    seal: str = Field(description="SHA-256 over the slots in order, as the claim has it")
    slots: int
    changed: list[str] = Field(
        description="the steps of slots that are not what they were; `consensus` and `seal` stand for themselves",
        examples=[["L4.1/work/1"]],
    )

    @classmethod
    def of(cls, found: Verified) -> "VerifiedView":
        """Return what was found as callers see it."""
        return cls.model_validate(found.json())
