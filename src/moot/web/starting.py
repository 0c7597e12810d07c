"""Starting a deliberation for a caller: within what it may ask for, once for each idempotent request."""

from dataclasses import replace

from fastapi import Request

from moot.core.errors import ServerBusy
from moot.service.asking import AskingLimits, within_limits
from moot.service.limits.forks import checked_fork, family_limits
from moot.service.orders import Fork, Order
from moot.store.served import Served
from moot.web.access import ADMIN, Caller
from moot.web.serving import Serving


def limits_of(caller: Caller, serving: Serving) -> AskingLimits:
    """Return what a caller may ask for."""
    return serving.limits.asking(is_free=ADMIN in caller.scopes)


async def start(order: Order, serving: Serving, caller: Caller, request: Request) -> str:
    """Start a deliberation within what the caller may have, to be run in the background, and return its id."""
    await serving.service.check_day(caller.prefix)
    planner = serving.service.planner
    budget = within_limits(order.budget, planner.own_budget(order), limits_of(caller, serving))
    with serving.runs.reserve() as run:
        plan = await planner.plan(replace(order, budget=budget))
        served = Served(caller.prefix, name_of(request))
        started = await serving.service.start(plan, served=served, lane=serving.runs.lane)
        run(started)
    return started


async def start_fork(parent: str, fork: Fork, serving: Serving, caller: Caller, name: str | None) -> str:
    """Start a deliberation that goes another way than its parent, as `start` does; `name` is that of the request."""
    await serving.service.check_day(caller.prefix)
    checked, within = await checked_fork(serving.service, parent, fork, limits_of(caller, serving))
    with serving.runs.reserve() as run:
        served = Served(caller.prefix, name)
        lane = serving.runs.lane
        started = await serving.service.start_fork(parent, checked, served=served, lane=lane, within=within)
        run(started)
    return started


async def go_on(deliberation: str, serving: Serving, caller: Caller) -> None:
    """Have a stopped deliberation go on, within what its forks have left.

    Raises:
        UsedUp: where they have taken, or may still take, a part of what it was given.
        ServerBusy: as for `Runs.want`; it is then not wanted, if it was not before.
    """
    await serving.service.check_resumable(deliberation)
    within = await family_limits(serving.service, deliberation, limits_of(caller, serving))
    is_new = await serving.store.served.want(deliberation, within)
    try:
        await serving.runs.want(deliberation)
    except ServerBusy:
        if is_new:
            await serving.store.served.set_wanted(deliberation, wanted=False)
        raise


async def earlier_start(request: Request, serving: Serving) -> str | None:
    """Return the deliberation that the same request started, where a server died before it could answer."""
    name = name_of(request)
    return await serving.store.served.by_request(name) if name else None


def name_of(request: Request) -> str | None:
    """Return the name of an idempotent request."""
    return request.scope.get("state", {}).get("request")
