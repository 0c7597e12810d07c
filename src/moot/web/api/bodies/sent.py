"""What callers send."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from moot.core.budget import Budget
from moot.core.question import Document, Question
from moot.service.asking import MOST_DOCUMENTS, MOST_MEMBERS
from moot.service.board import LONGEST_LEASE
from moot.service.orders import Order
from moot.web.api.bodies.common import Name, Scope, Text


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

    def order(self) -> Order:
        """Return it as a value."""
        documents = tuple(sent.document() for sent in self.documents)
        question = Question(text=self.question, form=self.form, documents=documents)
        return Order(question, self.protocol, tuple(self.members), self.settings, self.budget.budget(), self.seed)


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

    lease: float = Field(default=300, gt=0, le=LONGEST_LEASE, description="seconds, an hour at most")


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
