"""What callers send and get, as values with examples; the OpenAPI document is made of these."""

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from typing_extensions import override

from moot.core.budget import Budget
from moot.core.calls import Reply
from moot.core.canonical import plain
from moot.core.errors import MootError
from moot.core.moments import iso_moment
from moot.core.ports import OpenStep
from moot.core.question import Document
from moot.service.board import OnBoard, Verified
from moot.service.contests import Contest
from moot.service.open_steps import kind_of, line_json, step_json
from moot.service.results import Result
from moot.store.deliberations import Summary
from moot.store.keys import Key

Scope = Literal["agent", "reviewer", "admin"]
Text = Annotated[str, Field(max_length=200_000)]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Moment = Annotated[
    str,
    Field(
        description="ISO 8601", examples=["2026-01-31T09:30:00.000+00:00"], json_schema_extra={"format": "date-time"}
    ),
]
MOST_DOCUMENTS, MOST_MEMBERS = 100, 24
# Written for one release beside the name that says what it means.
OLD_NAME_OF_STALLED = Field(alias="left_alone", description="the old name of `stalled`", deprecated=True)


class Sent(BaseModel):
    """What a caller sends; a field that nobody knows may be one that was meant and misspelt, and is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SentDocument(Sent):
    """A document, as text."""

    name: Name = Field(examples=["harbour.txt"])
    text: Text = Field(examples=["The harbour of Tarn was dredged in 1911."])

    def document(self) -> Document:
        """Return it as a value."""
        return Document(name=self.name, text=self.text)


class SentBudget(Sent):
    """Limits in the place of the protocol's own."""

    calls: int | None = Field(default=None, gt=0, le=100_000, examples=[20])
    tokens: int | None = Field(default=None, gt=0, le=10**12)
    usd: float | None = Field(default=None, gt=0, le=1e6)
    seconds: float | None = Field(default=None, gt=0, le=1e9)

    def budget(self) -> Budget:
        """Return it as a value."""
        return Budget(self.calls, self.tokens, self.usd, self.seconds)


class SentOrder(Sent):
    """What everything that costs calls may say of how."""

    members: list[Annotated[str, Field(max_length=500)]] = Field(
        default_factory=list,
        max_length=MOST_MEMBERS,
        description="member strings, of those that the server allows; without any, the server's own",
    )
    settings: dict[str, Any] = Field(default_factory=dict, description="settings of the protocol; files as their texts")
    budget: SentBudget = Field(default_factory=SentBudget)
    seed: int | None = Field(default=None, ge=0, lt=2**31)


class NewDeliberation(SentOrder):
    """A question to be deliberated."""

    question: Text = Field(examples=["Is 97 a prime number?"])
    form: Annotated[str, Field(max_length=1000)] = Field(default="", description="the form the answer should take")
    documents: list[SentDocument] = Field(default_factory=list, max_length=MOST_DOCUMENTS)
    protocol: Annotated[str, Field(max_length=100)] | None = Field(
        default=None,
        description="without it, interrogation where there are documents, and else spiral",
        examples=[None],
    )


class NewClaim(SentOrder):
    """A claim for the board. Without members its slots wait for people and agents."""

    claim: Text = Field(examples=["The harbour of Tarn was dredged in 1911."])
    documents: list[SentDocument] = Field(default_factory=list, max_length=MOST_DOCUMENTS)
    table: Annotated[str, Field(max_length=100)] | dict[str, Any] = Field(
        default="prism-v1",
        description="the name of a layer table, or a table as an object",
        examples=["prism-v1-solo"],
    )
    house: Literal["all", "work", "consensus", "none"] | None = Field(
        default=None, description="which slots the members fill; without it, all where there are members, and else none"
    )


class NewFork(SentOrder):
    """Another way to go from a step on."""

    at: Annotated[str, Field(max_length=500)] = Field(description="the step", examples=["answer"])


class NewContest(Sent):
    """A claim of a stored graph that the caller refutes, or no longer does."""

    claim: Text = Field(description="a node's id, or the claim in words", examples=["n1"])
    reason: Text = Field(default="", examples=["the document is a forgery"])
    undo: bool = Field(default=False, description="take the latest contest of the claim back")


class NewAgent(Sent):
    """Somebody who is to have a key."""

    name: Name = Field(examples=["ada"])
    scopes: list[Scope] = Field(default=["agent"], min_length=1, max_length=3)


class Taking(Sent):
    """How long a slot is to be the caller's."""

    lease: float = Field(default=300, gt=0, le=86_400, description="seconds")


class Done(Sent):
    """The output of a slot, in the shape that the slot asks for."""

    output: dict[str, Any] = Field(examples=[{"confidence": 0.8}])


class Filling(Sent):
    """What is put into an open step, in the shape that the step asks for."""

    reply: dict[str, Any] = Field(examples=[{"text": "Think of the backups."}])


class Clearing(Sent):
    """How a flag is cleared."""

    decision: Literal["advance", "redo", "close"]
    note: Annotated[str, Field(max_length=10_000)] = Field(description="why", examples=["the evidence is enough"])


class AssertGraph(Sent):
    """Claims and relations for a graph."""

    nodes: list[Any] = Field(
        examples=[[{"id": "n1", "claim": "The log names 1911.", "type": "given", "confidence": 0.9}]]
    )
    edges: list[Any] = Field(default_factory=list)
    run_id: Annotated[str, Field(max_length=200)] | None = None
    cannot_link: list[Any] = Field(default_factory=list)


class MergeDuplicates(Sent):
    """How alike two claims must be to be one."""

    jaccard_threshold: float = Field(default=0.7, ge=0, le=1)
    ratio_threshold: float = Field(default=0.85, ge=0, le=1)


class KeepApart(Sent):
    """Claims of a graph that are not one."""

    pairs: list[Any] = Field(examples=[[["n1", "n2"]]])


class MarkRefuted(Sent):
    """A claim of a graph that is refuted."""

    node_id: Annotated[str, Field(max_length=1000)] = Field(examples=["n1"])
    reason: Text = Field(examples=["the log was written later"])


class DeliberationLine(BaseModel):
    """A deliberation in one line."""

    id: str
    protocol: str
    status: str
    question: str
    started: Moment
    parent: str | None = Field(description="the deliberation it was forked from")

    @classmethod
    def of(cls, row: Summary) -> "DeliberationLine":
        """Return a stored row as callers see it."""
        return cls(
            id=row.id, protocol=row.protocol, status=row.status, question=row.question, started=iso_moment(row.started),
            parent=row.parent,
        )  # fmt: skip


class OpenStepLine(BaseModel):
    """A step that a person or an agent may fill, in short."""

    deliberation_id: str
    step: str = Field(examples=["turn/1"])
    kind: Literal["step", "slot", "flag"] = Field(description="a slot and a flag are the board's, and are filled there")
    role: str = Field(examples=["person"])
    title: str
    state: Literal["open", "taken", "done", "gone"]
    agent: str | None = Field(description="who has it, or filled it")
    lease_until: Moment | None
    address: str = Field(
        description="where it is read, or, of the board, taken or cleared",
        examples=["/api/v1/deliberations/0123456789/open-steps/turn~1"],
    )

    @classmethod
    def of(cls, step: OpenStep) -> "OpenStepLine":
        """Return an open step as a list has it."""
        return cls(**line_json(step), address=_address(step))


class OpenStepView(OpenStepLine):
    """A step that whoever is entitled may fill: what it is about, and the shape of the reply."""

    context: dict[str, Any] = Field(description="what the one who fills it gets to see, fixed when the step opened")
    reply_schema: dict[str, Any] = Field(description="the JSON schema that `reply` must fit")

    @classmethod
    def whole(cls, step: OpenStep, shape: type[Reply]) -> "OpenStepView":
        """Return an open step as the one who may fill it sees it."""
        return cls(**step_json(step, shape), address=_address(step))


class DeliberationView(BaseModel):
    """A deliberation as it stands: what `moot ask --json` prints, and where it is."""

    id: str
    protocol: str
    question: str
    status: str = Field(examples=["complete"])
    stop_reason: str
    answer: str | None
    confidence: dict[str, Any] = Field(description="value, basis, and what it means")
    dissent: list[Any]
    caveats: list[Any]
    asked: int | None = Field(description="how many seats, runs or slots were asked for what decides")
    answered: int | None
    missing: list[Any] = Field(description="by cause: reason, detail, and seats with their steps")
    cost: dict[str, Any] = Field(
        description="calls, seconds, and as far as known usd, tokens_in, tokens_out; `unknown` counts calls"
    )
    backends: dict[str, Any]
    detail: dict[str, Any]
    here: Literal["queued", "running"] | None = Field(description="whether this server is at it")
    problem: str | None = Field(description="why its latest run here did not come to its end, where it did not")
    stalled: bool = Field(description="it counts as running and nobody works on it; resume goes on")
    left_alone: bool = OLD_NAME_OF_STALLED
    waiting: list[OpenStepLine] = Field(description="what it waits for, and where that is filled")

    @classmethod
    def of(
        cls, shown: Result, here: Literal["queued", "running"] | None, failed: MootError | None
    ) -> "DeliberationView":
        """Return a deliberation as callers see it."""
        return cls(
            **shown.json(),
            question=shown.record.header.question.text,
            here=here,
            problem=None if failed is None else f"{failed.code}: {failed}",
            stalled=shown.stalled and here is None,
            left_alone=shown.stalled and here is None,
            waiting=[OpenStepLine.of(step) for step in shown.waiting],
        )


class ContestView(BaseModel):
    """What a contest changes."""

    id: str
    node: str
    claim: str
    before: dict[str, Any]
    after: dict[str, Any]

    @classmethod
    def of(cls, made: Contest) -> "ContestView":
        """Return a contest as callers see it."""
        return cls.model_validate(plain(made))


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

    claim_stage_slots: list[dict[str, Any]]

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


class AgentView(BaseModel):
    """Somebody with a key; the key itself is shown once and kept nowhere."""

    name: str
    prefix: str = Field(examples=["moot_0a1b2c3d"])
    scopes: tuple[Scope, ...]
    made: Moment
    revoked: Moment | None

    @classmethod
    def of(cls, key: Key) -> "AgentView":
        """Return a key as it may be shown."""
        shown = {"name": key.name, "prefix": key.prefix, "scopes": key.scopes}
        return cls.model_validate({**shown, "made": iso_moment(key.made), "revoked": iso_moment(key.revoked)})


class MadeAgent(AgentView):
    """A new key, shown this once."""

    key: str = Field(examples=["moot_0a1b2c3d_…"])


class Health(BaseModel):
    """Whether the server can work."""

    status: Literal["ok", "stopping"]
    moot: str
    running: int = Field(description="deliberations under way here")
    queued: int


def flag_id(step: OpenStep) -> str:
    """Return a flag as addresses have it."""
    return f"{step.deliberation}~{slot_id(step.step)}"


def _address(step: OpenStep) -> str:
    match kind_of(step):
        case "slot":
            return f"/api/v1/claims/{step.deliberation}/stage-slots/{_part(step.step)}/take"
        case "flag":
            return f"/api/v1/flags/{quote(flag_id(step), safe='~')}/clear"
    return f"/api/v1/deliberations/{step.deliberation}/open-steps/{_part(step.step)}"


def _part(step: str) -> str:
    return quote(slot_id(step), safe="~:")


def slot_id(step: str) -> str:
    """Return a step as addresses have it."""
    return step.replace("/", "~")


def step_of(slot: str) -> str:
    """Return the step that an address names."""
    return slot.replace("~", "/")
