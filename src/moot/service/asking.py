"""What a caller of a server may ask for, what would come of an order, and every reason why it is refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from moot.core.budget import Budget
from moot.core.canonical import plain
from moot.core.errors import (
    BadMember,
    BadSetting,
    DocumentsTooLong,
    EmptyQuestion,
    ForbiddenByLocal,
    KeyMissing,
    MemberNotAllowed,
    MootError,
    OverBudget,
    PriceUnknown,
    TooFewMembers,
    UnknownProtocol,
    UsageError,
    UsedUp,
)
from moot.core.protocol import ProtocolSpec
from moot.gateway.members import parse_members
from moot.service.orders import Order, Plan, check_offered, setting_problems
from moot.service.service import Service

MOST_MEMBERS = 24
MOST_DOCUMENTS = 100

_PLACEHOLDER = "?"


@dataclass(frozen=True, slots=True)
class AskingLimits:
    """What a caller may ask for."""

    members: tuple[str, ...] = ()
    """The member strings that may be named."""
    calls: int | None = None
    usd: float | None = None
    """What the server lets any one deliberation take."""
    is_free: bool = False
    """Whether the caller may go beyond a protocol's own budget, within the server's limits."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an order cannot be carried out as it stands, at the field that is to be changed."""

    field: str
    """As the body of a request names it: `question`, `settings.rounds`, `members`; empty where it is none of those."""
    code: str
    problem: str


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """What an order comes to before anybody is asked: a plan, or every reason why there is none."""

    plan: Plan | None
    refusals: tuple[Refusal, ...]

    def json(self) -> dict[str, Any]:
        """Return it for programs."""
        refusals = [plain(refusal) for refusal in self.refusals]
        if self.plan is None:
            return {"refusals": refusals}
        plan = self.plan
        return {
            "refusals": refusals,
            "protocol": plan.row.name,
            "protocol_version": plan.row.version,
            "members": plain(plan.panel)["members"],
            "why": plan.why,
            "settings": plain(plan.settings),
            "budget": plain(plan.budget),
            "expected": plain(plan.expected),
            "usd": plan.usd,
            "known_usd": plan.known_usd,
            "unmeasured": list(plan.unmeasured),
        }


def check_members(members: Sequence[str], limits: AskingLimits) -> None:
    """Do nothing where a caller names only members that the server allows.

    Raises:
        MemberNotAllowed: for any other: a member string may be an address that the server would then call.
        OverBudget: for a panel that is larger than any.
    """
    check_offered(members, limits.members)
    if (seats := len(parse_members(members))) > MOST_MEMBERS:
        raise OverBudget(what="seats", asked=seats, most=MOST_MEMBERS)


def within_limits(asked: Budget, own: Budget, limits: AskingLimits, used: Mapping[str, float] | None = None) -> Budget:
    """Return the budget of a caller's deliberation: what it asks for, and else the least of the limits there are.

    `own` is what the deliberation has without it. Only a free caller may ask for more than that. `used` is what others
    have of the same limits: those that a fork comes from, and their other forks.

    Raises:
        OverBudget: for one that asks for more than it may have.
        UsedUp: where the others have left nothing.
    """
    taken = used or {}
    return replace(asked, **{name: _within(name, asked, own, limits, taken.get(name, 0)) for name in _names(asked)})


def shared_limits(own: Budget, limits: AskingLimits) -> Budget:
    """Return what a caller's deliberation and its forks may have together, where it alone has `own`."""
    return Budget(**{name: min(_bounds(name, own, limits), default=None) for name in _names(own)})


async def plan_order(service: Service, order: Order, limits: AskingLimits) -> OrderPlan:
    """Return what an order would come to, or every refusal of it; nothing is stored and nobody is asked.

    Raises:
        MootError: for a fault of the server's, which no change of the order would mend.
    """
    refusals: list[Refusal] = []
    if not order.question.text.strip():
        refusals.append(refusal_of(EmptyQuestion()))
    row = _row(service, order, refusals)
    mended = replace(
        order,
        question=order.question.model_copy(update={"text": order.question.text.strip() or _PLACEHOLDER}),
        members=usable_members(order.members, limits, refusals),
        settings=usable_settings(row, order.settings, refusals) if row else {},
        budget=_usable_budget(row, order.budget, limits, refusals) if row else Budget(),
    )
    plan = None
    if row:
        try:
            plan = await service.planner.plan(mended)
        except UsageError as error:
            # Where a member was left out for a reason of its own, that there are too few is no further one.
            if not (isinstance(error, TooFewMembers) and len(mended.members) < len(order.members)):
                refusals.append(refusal_of(error))
    return OrderPlan(None if refusals else plan, tuple(dict.fromkeys(refusals)))


def _row(service: Service, order: Order, refusals: list[Refusal]) -> ProtocolSpec | None:
    try:
        return service.planner.row_for(order)
    except UsageError as error:
        refusals.append(refusal_of(error))
        return None


def usable_members(members: Sequence[str], limits: AskingLimits, refusals: list[Refusal]) -> tuple[str, ...]:
    """Return the members that a caller may name, and add why not to the refusals for each of the others."""
    usable = []
    for place, member in enumerate(members):
        try:
            check_offered([member], limits.members)
            usable.append(member)
        except BadMember as error:
            # What members there may be anywhere is of no use to somebody who may have only those that are offered.
            told = MemberNotAllowed(spec=member, allowed=[named.spec for named in parse_members(limits.members)])
            refusals.append(Refusal(f"members.{place}", error.code, str(told)))
        except MemberNotAllowed as error:
            refusals.append(refusal_of(error, f"members.{place}"))
    if (seats := len(parse_members(usable))) > MOST_MEMBERS:
        refusals.append(refusal_of(OverBudget(what="seats", asked=seats, most=MOST_MEMBERS), "members"))
        return ()
    return tuple(usable)


def usable_settings(row: ProtocolSpec, chosen: Mapping[str, Any], refusals: list[Refusal]) -> dict[str, Any]:
    """Return the settings that the protocol can take, and add why not to the refusals for each of the others."""
    problems = setting_problems(row, chosen)
    refusals += [refusal_of(problem) for problem in problems]
    wrong = {problem.name.partition(".")[0] for problem in problems}
    return {name: value for name, value in chosen.items() if name not in wrong}


def _usable_budget(row: ProtocolSpec, asked: Budget, limits: AskingLimits, refusals: list[Refusal]) -> Budget:
    usable: dict[str, Any] = {}
    for name in _names(asked):
        try:
            usable[name] = _within(name, asked, row.budget, limits)
        except OverBudget as error:
            refusals.append(refusal_of(error, f"budget.{name}"))
    return Budget(**usable)


def _within(name: str, asked: Budget, own: Budget, limits: AskingLimits, used: float = 0) -> Any:
    wanted, usual = getattr(asked, name), getattr(own, name)
    bounds = [limit - used for limit in _bounds(name, own, limits)]
    if bounds and min(bounds) <= 0:
        raise UsedUp(what=name, most=min(bounds) + used)
    if wanted is None:
        return min([*bounds, *([usual] if limits.is_free and usual is not None else [])], default=None)
    if bounds and wanted > min(bounds):
        raise OverBudget(what=name, asked=wanted, most=min(bounds))
    return wanted


def _bounds(name: str, own: Budget, limits: AskingLimits) -> list[Any]:
    """What there may be at most: what the server lets be, and, unless the caller is free, what there is anyway."""
    server = {"calls": limits.calls, "usd": limits.usd}.get(name)
    return [limit for limit in (server, None if limits.is_free else getattr(own, name)) if limit is not None]


def _names(budget: Budget) -> list[str]:
    return [limit.name for limit in fields(budget)]


def refusal_of(error: MootError, field: str | None = None) -> Refusal:
    """Return an error as a refusal, at the field that it is about."""
    return Refusal(field_of(error) if field is None else field, error.code, str(error))


def field_of(error: MootError) -> str:
    """Return the field of an order that is to be changed, as a `Refusal` has it."""
    match error:
        case EmptyQuestion():
            return "question"
        case UnknownProtocol():
            return "protocol"
        case BadSetting():
            limit = error.name.removeprefix("budget-")
            return f"budget.{limit}" if limit != error.name else f"settings.{error.name}"
        case BadMember() | KeyMissing() | ForbiddenByLocal() | TooFewMembers() | MemberNotAllowed():
            return "members"
        case DocumentsTooLong():
            return "documents"
        case PriceUnknown():
            return "budget.usd"
        case OverBudget() | UsedUp():
            return "members" if error.what == "seats" else f"budget.{error.what}"
    return ""
