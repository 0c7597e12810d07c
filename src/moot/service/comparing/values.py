"""The values of a comparison. Columns, cells and settings are in the order in which the deliberations were named."""

from dataclasses import dataclass

from moot.core.budget import Spent
from moot.core.confidence import Confidence
from moot.core.verdict import Dissent, Status
from moot.methods.argued import SharedClaim


@dataclass(frozen=True, slots=True)
class SameAnswer:
    """Whether an answer is that of the base, as far as the program can tell, and who decided (rulings G11, G12)."""

    outcome: str
    """`same`, `opposed` or `undecided`."""
    decided_by: str
    """`equal`, `guard`, or `nobody`."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TakenFactors:
    """How many times as much as the base it took; None where that is not known of both, or one has not ended (G10)."""

    calls: float | None = None
    tokens: float | None = None
    usd: float | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class PanelShare:
    """A model, and how many seats it has."""

    model: str
    seats: int


@dataclass(frozen=True, slots=True)
class ComparedDeliberation:
    """One column: what a deliberation came to, how, and what it took."""

    id: str
    question: str
    documents: tuple[str, ...]
    protocol: str
    protocol_version: int
    mode: str | None
    status: Status
    stalled: bool
    stopped: bool
    """Whether it is stalled because it was stopped at a server."""
    started: float
    stop_reason: str
    answer: str | None
    same_answer: SameAnswer | None
    """Beside the base's; None for the base itself, for another question, and where one of the two has no answer."""
    confidence: Confidence
    dissent: tuple[Dissent, ...]
    caveats: tuple[str, ...]
    missing: tuple[str, ...]
    turnout: str
    """How many of those asked answered, where somebody did not."""
    spent: Spent
    seconds: float | None
    """For how long at least one call was in flight; None while it has not ended."""
    factors: TakenFactors
    panel: tuple[PanelShare, ...]
    parent: str | None
    forks: int
    contests: int
    claims: int | None
    """How many claims its argument has; None where it has no argument."""
    claims_left_out: int
    """How many of them are not compared, since there are too many."""
    no_argument: str
    """Why it has no argument; empty where it has one."""
    absence: str
    """Why its protocol's own words are missing; empty where it is installed."""


@dataclass(frozen=True, slots=True)
class ComparedSetting:
    """A setting that differs; None for a protocol that does not have it."""

    name: str
    values: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class StepChange:
    """What was said at one step in a deliberation and in its fork; None where it came to no such step."""

    step: str
    phase: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """Where a fork left its parent, and what was said from there on."""

    fork: str
    parent: str
    at: str
    """The step; empty where it kept every step of its parent."""
    kept: int
    """How many steps they have in common."""
    equal: int
    """How many steps from there on say the same in both."""
    steps: tuple[StepChange, ...]
    """Those that differ, in order."""
    left_out: int
    """How many more differ."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two to six deliberations side by side."""

    base: str
    columns: tuple[ComparedDeliberation, ...]
    same_question: bool
    several_bases: bool
    """Whether confidences were measured by different means: such values are never compared (ruling G1)."""
    settings: tuple[ComparedSetting, ...]
    claims: tuple[SharedClaim, ...]
    forks: tuple[ForkPoint, ...]
