"""What a caller orders, and what it is resolved to."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from pydantic import ValidationError

from moot.core.budget import Budget, Expectation
from moot.core.calls import Reply
from moot.core.canonical import plain
from moot.core.data_files import DataFiles, given_as_paths, setting_words
from moot.core.deliberation import HOUSE
from moot.core.errors import BadAgentName, BadSetting, BadSubmission, DocumentUnreadable, MemberNotAllowed, UsageError
from moot.core.near_names import did_you_mean
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Question
from moot.gateway.members import parse_members

LONGEST_NAME = 100

ReadFiles = Callable[[str, type[DataFiles]], DataFiles]
"""Reads the files that a setting names by a path."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a caller wants to have deliberated, and how."""

    question: Question
    protocol: str | None = None
    members: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    """Limits that replace the protocol's own, each where it is given."""
    seed: int | None = None
    join: bool = False
    """Whether a person is there to fill the steps that wait for one."""
    panel: str | None = None
    """A panel of moot.toml by its name: who is asked, and what else it says, where the order says nothing itself."""


@dataclass(frozen=True, slots=True)
class Fork:
    """From which step on a deliberation is to go another way, and what is other there."""

    at: str
    members: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    """Limits that replace the parent's, each where it is given."""
    seed: int | None = None
    panel: str | None = None
    """A panel of moot.toml by its name, as in an order; the protocol stays the parent's."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An order, resolved and checked; nothing has been sent."""

    order: Order
    row: ProtocolSpec
    panel: Panel
    settings: Settings
    budget: Budget
    expected: Expectation
    usd: float | None
    why: str
    """Why these members."""
    known_usd: float = 0.0
    """What is known of the price: all of it, or that of the members whose price is known."""
    unmeasured: tuple[str, ...] = ()
    """Models that are sent a large prompt although nobody knows how much they can read."""


def valid_settings(row: ProtocolSpec, chosen: Mapping[str, Any]) -> Settings:
    """Return the protocol's settings with what the user chose.

    Raises:
        BadSetting: for a name it does not have, or a value that the name cannot take.
    """
    try:
        return row.settings.model_validate(dict(chosen))
    except ValidationError as error:
        raise _bad_setting(row, error.errors()[0]) from None


def setting_problems(row: ProtocolSpec, chosen: Mapping[str, Any]) -> list[BadSetting]:
    """Return what is wrong with the settings that the user chose: all of it, each with its name."""
    try:
        row.settings.model_validate(dict(chosen))
    except ValidationError as error:
        return [_bad_setting(row, problem) for problem in error.errors()]
    return []


def _bad_setting(row: ProtocolSpec, problem: Any) -> BadSetting:
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        known = ", ".join(row.settings.model_fields) or "none"
        meant = did_you_mean(name, row.settings.model_fields)
        return BadSetting(name=name, problem=f"{row.name} has no such setting; {meant}it has {known}")
    said = problem["msg"].removeprefix("Value error, ")
    return BadSetting(name=name, problem=f"{said[:1].lower()}{said[1:]}, not {str(problem['input'])[:60]!r}")


def joined(row: ProtocolSpec, chosen: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the settings of a run that a person takes part in.

    Raises:
        UsageError: for a protocol that has no step for a person.
    """
    if "join" in row.settings.model_fields:
        return {**chosen, "join": True}
    if not row.submissions:
        raise UsageError(f"{row.name} has no step that a person could fill; leave --join out.")
    return chosen


def check_offered(members: Sequence[str], offered: Sequence[str]) -> None:
    """Do nothing where only members are named that are offered; a member string may be an address to call.

    Raises:
        BadMember: for a string that names none.
        MemberNotAllowed: for one that is not offered.
    """
    specs = {member.spec for member in parse_members(offered)}
    for member in parse_members(members):
        if member.spec not in specs:
            raise MemberNotAllowed(spec=member.spec, allowed=sorted(specs))


def merged(own: Budget, given: Budget) -> Budget:
    """Return a budget with each limit that was given in the place of the protocol's own.

    Raises:
        BadSetting: for a limit that is not a positive number.
    """
    limits = {limit.name: getattr(given, limit.name) for limit in fields(given)}
    for name, value in limits.items():
        if value is not None and not 0 < value < math.inf:
            problem = f"{value} is no limit that can be kept; give a positive number, or leave it out"
            raise BadSetting(name=f"budget-{name}", problem=problem)
    return replace(own, **{name: value for name, value in limits.items() if value is not None})


def outside_agent(name: str) -> str:
    """Return the name of a person or an outside agent.

    Raises:
        BadAgentName: for one that is empty, too long, not printable, or one of the house's.
    """
    if not name.strip() or len(name) > LONGEST_NAME:
        raise BadAgentName(name=name, problem=f"it has 1 to {LONGEST_NAME} characters")
    if not name.isprintable():
        raise BadAgentName(name=name, problem="it holds characters that cannot be printed")
    if name.startswith(HOUSE):
        raise BadAgentName(name=name, problem=f"what begins with {HOUSE} is of the house")
    return name


def shaped(step: str, shape: type[Reply], reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a submission in the shape that its step asks for.

    Raises:
        BadSubmission: with every reason why it is not.
    """
    try:
        # A field that nobody asked for may be one that was meant and misspelt.
        return plain(shape.model_validate(dict(reply), extra="forbid"))
    except ValidationError as error:
        problems = [
            (".".join(map(str, item["loc"])), item["msg"].removeprefix("Value error, ")) for item in error.errors()
        ]
        raise BadSubmission(step=step, problems=problems) from None


def with_files(row: ProtocolSpec, chosen: Mapping[str, Any], read: ReadFiles | None) -> dict[str, Any]:
    """Return the chosen settings with the files in the place of the paths that name them.

    Raises:
        BadSetting: for a path that cannot be read, and for any path where there is nothing to read it with.
    """
    paths = given_as_paths(row.settings, chosen)
    if paths and read is None:
        raise BadSetting(name=min(paths), problem="files cannot be named here; give their texts")
    files = {name: _read(name, chosen[name], kind, row, read) for name, kind in paths.items()} if read else {}
    return {**chosen, **files}


def _read(name: str, path: str, kind: type[DataFiles], row: ProtocolSpec, read: ReadFiles) -> DataFiles:
    try:
        return read(path, kind)
    except DocumentUnreadable as unreadable:
        if not (words := setting_words(row.settings, name)):
            raise
        problem = f"{path!r} is none of {', '.join(words)}, nor a file that can be read ({unreadable.problem})"
        raise BadSetting(name=name, problem=problem) from None
