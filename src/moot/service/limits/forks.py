"""A deliberation and its forks share one limit: a fork for a caller is checked like a question, with what is left."""

from dataclasses import fields, replace

from moot.core.budget import Budget, amounts
from moot.core.errors import MemberNotAllowed, NotFound, OverBudget, UnknownProtocol, UsageError, UsedUp
from moot.core.events import Header, call_facts
from moot.core.record import spent_on
from moot.runtime.fork import fork_position
from moot.service.asking import (
    AskingLimits,
    Refusal,
    check_members,
    refusal_of,
    shared_limits,
    usable_members,
    usable_settings,
    within_limits,
)
from moot.service.orders import Fork, check_offered
from moot.service.service import Service


async def checked_fork(service: Service, parent: str, fork: Fork, limits: AskingLimits) -> tuple[Fork, Budget]:
    """Return a fork with the budget that a caller may have for it, and what all forks may have together.

    Raises:
        MemberNotAllowed: for a member that the server does not offer, named now or kept from the parent.
        OverBudget, UsedUp: for more than the others have left.
    """
    header = await service.store.deliberations.header(parent)
    check_members(fork.members, limits)
    if not fork.members:
        await _check_kept(service, header, limits)
    root, held = await service.store.served.family(parent)
    taken_over = await _taken_over(service, parent, fork.at)
    used = {name: amount - taken_over[name] for name, amount in held.items()}
    shared = await _own(service, root)
    own = header.budget if limits.is_free else shared
    return replace(fork, budget=within_limits(fork.budget, own, limits, used)), shared_limits(shared, limits)


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
        checked, _ = await checked_fork(service, parent, usable, limits)
        await service.plan_fork(parent, checked)
    except (UsageError, MemberNotAllowed, OverBudget, UsedUp) as error:
        refusal = refusal_of(error, "at" if isinstance(error, NotFound) else None)
        # Where members were left out, who is there instead, or how many, is no further reason.
        if not (has_refused_members and refusal.field == "members"):
            refusals.append(refusal)
    return tuple(dict.fromkeys(refusals))


async def family_limits(service: Service, deliberation: str, limits: AskingLimits) -> Budget:
    """Return what a caller may have for a deliberation and all its forks together."""
    root, _ = await service.store.served.family(deliberation)
    return shared_limits(await _own(service, root), limits)


async def _taken_over(service: Service, parent: str, at: str) -> dict[str, float]:
    """What a fork takes over of what was spent on its parent."""
    journaled = await service.store.journals.read(parent)
    position = fork_position(at, journaled, await service.store.steps.search(deliberation=parent))
    return amounts(spent_on(call_facts([row for row in journaled.attempts if row.position < position])))


async def _check_kept(service: Service, header: Header, limits: AskingLimits) -> None:
    """Refuse the panel of a parent that no question could be put to here: it may have been begun elsewhere."""
    try:
        check_offered(header.panel.models, limits.members)
    except MemberNotAllowed:
        usual = await service.planner.usual_members()
        check_offered(header.panel.models, [*limits.members, *(member.spec for member in usual.members)])


async def _own(service: Service, root: str) -> Budget:
    """The smaller of each two limits: what the first of a family was given, and what its protocol gives."""
    header = await service.store.deliberations.header(root)
    try:
        given = service.find_protocol(header.protocol).budget
    except UnknownProtocol:
        return header.budget
    both = {limit.name: (getattr(header.budget, limit.name), getattr(given, limit.name)) for limit in fields(Budget)}
    return Budget(
        **{name: min((each for each in pair if each is not None), default=None) for name, pair in both.items()}
    )
