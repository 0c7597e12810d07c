"""A fork for a caller of a server: checked like a question, and within what its parents have left of the limits."""

from dataclasses import fields, replace

from moot.core.budget import Budget, Spent
from moot.core.errors import MemberNotAllowed, NotFound, OverBudget, UsageError, UsedUp
from moot.core.events import Header, call_facts
from moot.core.protocol import ProtocolSpec
from moot.core.record import spent_on
from moot.runtime.fork import fork_position
from moot.service.asking import (
    AskingLimits,
    Refusal,
    amounts,
    check_members,
    refusal_of,
    usable_members,
    usable_settings,
    within_limits,
)
from moot.service.orders import Fork, check_offered
from moot.service.service import Service


async def checked_fork(service: Service, parent: str, fork: Fork, limits: AskingLimits) -> Fork:
    """Return a fork with the budget that a caller may have for it.

    Raises:
        MemberNotAllowed: for a member that the server does not offer, named now or kept from the parent.
        OverBudget, UsedUp: for more than its parents have left.
    """
    header = await service.store.deliberations.header(parent)
    check_members(fork.members, limits)
    if not fork.members:
        await _check_kept(service, header, limits)
    inherited = await _spent_by_parents(service, header)
    used = inherited + await _spent_beside(service, parent, fork.at)
    # What the parent's own parents took is no longer in its budget.
    own = header.budget if limits.is_free else _least(header.budget, inherited, service.find_protocol(header.protocol))
    return replace(fork, budget=within_limits(fork.budget, own, limits, used))


async def fork_refusals(service: Service, parent: str, fork: Fork, limits: AskingLimits) -> tuple[Refusal, ...]:
    """Return every reason why a caller's fork cannot be made as it stands, each at its field; nothing is stored.

    Raises:
        MootError: for what no change of the fork would mend.
    """
    header = await service.store.deliberations.header(parent)
    refusals: list[Refusal] = []
    members = usable_members(fork.members, limits, refusals)
    chosen = usable_settings(service.find_protocol(header.protocol), {**header.settings, **fork.settings}, refusals)
    settings = {name: value for name, value in fork.settings.items() if name in chosen}
    has_refused_members = bool(refusals) and len(members) < len(fork.members)
    try:
        usable = replace(fork, members=members, settings=settings)
        await service.plan_fork(parent, await checked_fork(service, parent, usable, limits))
    except (UsageError, MemberNotAllowed, OverBudget, UsedUp) as error:
        refusal = refusal_of(error, "at" if isinstance(error, NotFound) else None)
        # Where members were left out, who is there instead, or how many, is no further reason.
        if not (has_refused_members and refusal.field == "members"):
            refusals.append(refusal)
    return tuple(dict.fromkeys(refusals))


async def _spent_by_parents(service: Service, header: Header) -> Spent:
    """What was spent on those that a deliberation comes from, but for what it took over from them."""
    spent = Spent()
    while header.parent is not None and await service.store.deliberations.reached([header.parent.id]):
        spent += await _spent_beside(service, header.parent.id, header.parent.at)
        header = await service.store.deliberations.header(header.parent.id)
    return spent


async def _spent_beside(service: Service, parent: str, at: str) -> Spent:
    """What was spent on a deliberation, but for what a fork of it takes over."""
    journaled = await service.store.journals.read(parent)
    position = fork_position(at, journaled, await service.store.steps.search(deliberation=parent))
    beside = spent_on(call_facts([row for row in journaled.attempts if row.position >= position]))
    return replace(beside, seconds=journaled.active)


async def _check_kept(service: Service, header: Header, limits: AskingLimits) -> None:
    """Refuse the panel of a parent that no question could be put to here: it may have been begun elsewhere."""
    try:
        check_offered(header.panel.models, limits.members)
    except MemberNotAllowed:
        usual = await service.planner.usual_members()
        check_offered(header.panel.models, [*limits.members, *(member.spec for member in usual.members)])


def _least(budget: Budget, inherited: Spent, spec: ProtocolSpec) -> Budget:
    """The smaller of each two limits: what a deliberation and its parents had, and what its protocol gives."""
    taken = amounts(inherited)
    limits = {}
    for limit in fields(Budget):
        had, given = getattr(budget, limit.name), getattr(spec.budget, limit.name)
        known = [*([] if had is None else [had + taken[limit.name]]), *([] if given is None else [given])]
        limits[limit.name] = min(known, default=None)
    return Budget(**limits)
