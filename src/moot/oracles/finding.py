"""What an oracle takes and answers, and how it says that something is beyond it (rulings S7, S12)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema

Verdict = Literal["true", "false", "true as rounded", "not computable"]

LONGEST_VALUE = 130
"""Characters of a computed value that a finding shows."""


class Uncomputable(Exception):
    """Raised inside an oracle where its stated limit ends; `consult` makes a finding of it."""


@dataclass(frozen=True, slots=True)
class Computed:
    """Whether the check holds, what was computed, in one line how, and whether it holds only as rounded (S12)."""

    holds: bool
    value: str
    explanation: str
    rounded: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """What an oracle found and how it read the check (S12).

    `limit` names what stopped it where the verdict is `not computable`, else it is empty.
    """

    oracle: str
    verdict: Verdict
    value: str = ""
    explanation: str = ""
    limit: str = ""
    reading: str = ""

    @property
    def holds(self) -> bool:
        """Whether the check is true, exactly or as rounded."""
        return self.verdict in ("true", "true as rounded")


def _worded(value: Any) -> Any:
    """A number stands for its digits: members send 97 as readily as "97"."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


# The schema that a member is shown is bounded; what is read is not, so that an oracle can name the limit it refuses by.
Line = Annotated[str, BeforeValidator(_worded), WithJsonSchema({"type": "string", "maxLength": 200})]
Passage = Annotated[str, BeforeValidator(_worded), WithJsonSchema({"type": "string", "maxLength": 1000})]


class Check(BaseModel):
    """One question to an oracle, as a member sends it: a claim that is true or false."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    form: ClassVar[str] = ""
    """How a check of this kind reads, such as `{left} is {right}`; without it what it asks and its fields."""

    @property
    def reading(self) -> str:
        """How the check is read, in one plain line (S12)."""
        fields = {name: value for name, value in self if name not in ("kind", "negated") and value != ""}
        denied = "not " if getattr(self, "negated", False) else ""
        if self.form:
            return f"{denied}{self.form.format(**dict(self))}"
        asked = fields.pop("relation", None)
        listed = ", ".join(f"{name} {value}" for name, value in fields.items())
        return f"{denied}{asked}: {listed}" if asked else f"{denied}{', '.join(map(str, fields.values()))}"


class Deniable(Check):
    """A check whose claim can also be its denial: `negated` turns the verdict round."""

    negated: bool = False


class FailedReading(Check):
    """A text that an oracle of another package failed over as it read it: nothing of it is judged, and that is said."""

    kind: Literal["failed reading"] = "failed reading"
    oracle: str
    failure: str


class ReadingFailed(Exception):
    """Raised where an oracle of another package fails as it reads; `claim_checks` makes a `FailedReading` of it."""

    def __init__(self, reading: FailedReading) -> None:
        super().__init__(reading.failure)
        self.reading = reading


@dataclass(frozen=True, slots=True)
class Oracle:
    """One oracle: what it takes, what it can do in one line, where it ends, and its two pure functions."""

    kind: str
    takes: type[Check]
    help: str
    limit: str
    decide: Callable[[Any], Computed]
    read: Callable[[str], Any]


def bounded(text: str, most: int, what: str) -> str:
    """Return the text if it is short enough.

    Raises:
        Uncomputable: it has more characters than `most`.

    """
    if len(text) > most:
        raise Uncomputable(f"{what} of at most {most:,} characters")
    return text


def shortened(value: str, most: int = LONGEST_VALUE) -> str:
    """Return the value, cut where it is long, without line breaks."""
    flat = " ".join(value[: 2 * most].split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
