"""What a protocol is made of, for those who write one (docs/writing-a-protocol.md). These names are promised.

A protocol is an `async def run(question, deliberation, settings) -> Verdict` and a `ProtocolSpec` that says all that
the rest of Moot needs to know of it. `deliberation` is its only way to the world.
"""

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Message, Missing, Prose, Reply
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.deliberation import Contribution, Deliberation, Invitation
from moot.core.panel import Member, Panel
from moot.core.panes import (
    ChartSeries,
    ItemList,
    LineChart,
    MatrixChart,
    Pane,
    PaneCell,
    PaneChoice,
    PaneItem,
    PaneOption,
    PaneRow,
    Panes,
    PaneSection,
    PaneTable,
    PathPicture,
    SeatPosition,
    SeatStanding,
    Stage,
    TextBlock,
    TextDiff,
)
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Document, Question
from moot.core.record import Record
from moot.core.telling import Telling, Told
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Dissent, Status, Verdict
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents
from moot.methods.search import Passages, asked_over_what_is_shown, first_question

__all__ = [
    "FENCE_RULE",
    "Ask",
    "Basis",
    "Budget",
    "ChartSeries",
    "Confidence",
    "Contribution",
    "Deliberation",
    "Dissent",
    "Document",
    "Expectation",
    "Invitation",
    "ItemList",
    "LineChart",
    "MatrixChart",
    "Member",
    "Message",
    "Missing",
    "Pane",
    "PaneCell",
    "PaneChoice",
    "PaneItem",
    "PaneOption",
    "PaneRow",
    "PaneSection",
    "PaneTable",
    "Panel",
    "Panes",
    "Passages",
    "PathPicture",
    "Prose",
    "ProtocolSpec",
    "Question",
    "Record",
    "Reply",
    "SeatPosition",
    "SeatStanding",
    "Settings",
    "Stage",
    "Status",
    "Telling",
    "TextBlock",
    "TextDiff",
    "Told",
    "Verdict",
    "asked_over_what_is_shown",
    "fenced",
    "fenced_documents",
    "first_question",
    "no_confidence",
    "prompt_tokens",
]
