"""Running a protocol through its door, to a verdict that says what it is worth."""

import json
from dataclasses import replace

from moot.core.budget import Budget
from moot.core.calls import Attempt
from moot.core.errors import DataChanged, PluginChanged, ProtocolVersionChanged
from moot.core.events import Header
from moot.core.ports import Journal, Journaled, Steps
from moot.core.protocol import ProtocolSpec
from moot.core.telling import Narrator
from moot.core.verdict import Verdict
from moot.runtime.authority import with_authority
from moot.runtime.dispatch import World
from moot.runtime.door import Door
from moot.runtime.ledger import Ledger, charge_for

OF_PLUGINS = ("protocol ", "oracle ")
"""How the names of plugins begin among what a run is made from."""


async def deliberate(
    row: ProtocolSpec, header: Header, *, journal: Journal, steps: Steps, world: World, budget: Budget
) -> Verdict:
    """Return the verdict of a run that begins, goes on, or is gone through again.

    Raises:
        Paused: while an open step waits for somebody.
        ProtocolVersionChanged: for a run that another version of the protocol began.
    """
    check_version(row, header)
    world = replace(world, narrator=Narrator(row.telling, header.settings))
    journaled = await _with_lost_calls(journal, await journal.load())
    ledger = _ledger(budget, journaled, world)
    door = Door(header, journal=journal, steps=steps, journaled=journaled, ledger=ledger, world=world)
    await door.begin()
    verdict = await row.run(header.question, door, row.settings.model_validate(header.settings))
    verdict = with_authority(verdict, door.missing, door.heard, row.quorum)
    await door.end(verdict)
    return verdict


def check_version(row: ProtocolSpec, header: Header) -> None:
    """Do nothing where today's protocol, its data files and its plugins are those that began the run.

    Raises:
        ProtocolVersionChanged: where it is another version.
        DataChanged: where a data file is another.
        PluginChanged: where a plugin is another, or in another version.
    """
    if header.protocol_version != row.version:
        raise ProtocolVersionChanged(protocol=row.name, stored=header.protocol_version, current=row.version)
    today = row.made_from(row.settings.model_validate(header.settings))
    changed = [name for name in {**header.data, **today} if header.data.get(name) != today.get(name)]
    if plugin := next((name for name in changed if name.startswith(OF_PLUGINS)), None):
        raise PluginChanged(what=plugin, stored=header.data.get(plugin, "Moot"), current=today.get(plugin, ""))
    if changed:
        raise DataChanged(names=changed)


async def _with_lost_calls(journal: Journal, journaled: Journaled) -> Journaled:
    """A call that was sent and whose reply nobody wrote down is counted, and asked again under the next number."""
    rows: list[Attempt] = []
    for row in journaled.attempts:
        lost = (
            replace(row, state="lost", problem="the process ended before a reply was written")
            if row.state == "intent"
            else row
        )
        if lost is not row:
            await journal.settle(lost, None, active=journaled.active)
        rows.append(lost)
    return replace(journaled, attempts=tuple(rows))


def _ledger(budget: Budget, journaled: Journaled, world: World) -> Ledger:
    shut = any(outcome.reason == "budget" for outcome in journaled.outcomes)
    ledger = Ledger(budget, clock=world.clock, active=journaled.active, shut=shut)
    if budget == Budget():
        return ledger
    for row in journaled.attempts:
        model = json.loads(row.request).get("model")
        price = world.models(model).price if model and budget.usd is not None else None
        ledger.recall(row, charge_for(row.request, price))
    return ledger
