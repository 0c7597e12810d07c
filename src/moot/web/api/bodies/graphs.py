"""What callers send about graphs of their own."""

from typing import Annotated, Any

from pydantic import Field

from moot.web.api.bodies.common import Text
from moot.web.api.bodies.sent import Sent


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


class UndoRefuted(Sent):
    """A claim of a graph whose refutation is taken back."""

    node_id: Annotated[str, Field(max_length=1000)] = Field(examples=["n1"])
