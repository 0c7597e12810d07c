"""What a caller may ask for: members of those that the server allows, and no more than it lets anybody spend."""

from collections.abc import Sequence
from dataclasses import replace

from moot.core.budget import Budget
from moot.core.errors import OverBudget
from moot.gateway.members import parse_members
from moot.service.orders import check_offered
from moot.web.access import ADMIN, Caller
from moot.web.api.bodies import MOST_MEMBERS
from moot.web.serving import ServerLimits


def check_members(members: Sequence[str], limits: ServerLimits) -> None:
    """Do nothing where a caller names only members that the server allows.

    Raises:
        MemberNotAllowed: for any other: a member string may be an address that the server would then call.
        OverBudget: for a panel that is larger than any.
    """
    check_offered(members, limits.members)
    if (seats := len(parse_members(members))) > MOST_MEMBERS:
        raise OverBudget(what="seats", asked=seats, most=MOST_MEMBERS)


def within_limits(asked: Budget, own: Budget, caller: Caller, limits: ServerLimits) -> Budget:
    """Return the budget of a caller's deliberation: what it asks for, and else the least of the limits there are.

    `own` is what the deliberation has without it. A caller without the scope `admin` may ask for less than that.

    Raises:
        OverBudget: for one that asks for more than it may have.
    """
    free = ADMIN in caller.scopes
    given = {
        "calls": _within("calls", asked.calls, own.calls, limits.calls, free=free),
        "tokens": _within("tokens", asked.tokens, own.tokens, None, free=free),
        "usd": _within("usd", asked.usd, own.usd, limits.usd, free=free),
        "seconds": _within("seconds", asked.seconds, own.seconds, None, free=free),
    }
    return replace(asked, **given)


def _within(
    what: str, asked: float | None, own: float | None, server: float | None, *, free: bool
) -> float | int | None:
    bounds = [limit for limit in (server, None if free else own) if limit is not None]
    if asked is None:
        return min((limit for limit in (server, own) if limit is not None), default=None)
    if bounds and asked > min(bounds):
        raise OverBudget(what=what, asked=asked, most=min(bounds))
    return asked
