"""Deliberations of the benchmark: begun once, resumed where they were killed, found again by name."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.evidence.bank import Bank, Further, bank_of
from benchmarks.evidence.draw import DRAW, Prompt, find_with_draw, prompt
from benchmarks.evidence.plan import Plan

from moot.core.budget import Budget
from moot.core.calls import Request
from moot.core.errors import NotFound, StoreError, UsageError
from moot.core.events import Unanswered
from moot.core.record import Record, spent_on
from moot.evals.arms.table import item_seed, seats_for
from moot.evals.items.items import Item
from moot.evals.runs.results import Lines
from moot.service.orders import Order
from moot.service.results import Result
from moot.service.service import Service

BEGUN = "begun.jsonl"


class Begun:
    """Which deliberation stands for which name; written before anything of it is sent."""

    def __init__(self, folder: Path) -> None:
        self._lines = Lines(folder / BEGUN)
        self._lines.mend()
        told, problems = self._lines.read()
        if problems:
            raise UsageError(
                f"{folder}: {problems[0]}; without it replies could be paid twice. Begin in another folder."
            )
        self._ids: dict[str, str] = {line["name"]: line["deliberation"] for line in told}

    def get(self, name: str) -> str:
        """Return the deliberation of this name, or nothing."""
        return self._ids.get(name, "")

    def add(self, name: str, deliberation: str) -> None:
        """Write that it has begun; when this returns, it is on the disk."""
        self._lines.add({"name": name, "deliberation": deliberation})
        self._ids[name] = deliberation

    def numbered(self, name: str) -> list[str]:
        """Return the names `NAME/1`, `NAME/2` … that have begun."""
        names: list[str] = []
        while f"{name}/{len(names) + 1}" in self._ids:
            names.append(f"{name}/{len(names) + 1}")
        return names


class Sampler:
    """All that is asked of the member, by name. Where `live` is False nothing is, and only what is there is found."""

    def __init__(self, service: Service, begun: Begun, plan: Plan, *, live: bool = True) -> None:
        self._service = service
        self._begun = begun
        self._plan = plan
        self._live = live
        self._drawing = asyncio.Lock()

    async def deliberated(
        self, name: str, item: Item, protocol: str, settings: Mapping[str, Any], calls: int | None = None
    ) -> Result | None:
        """Return what the deliberation of this name comes to; None where it has not ended and nobody may be asked.

        Raises:
            StoreError: where it began, and its record is gone.
            UsageError: where the member could not be reached.
        """
        result = await self._found_or_begun(name, item, protocol, settings, calls)
        if self._live and result and (why := not_reached(result.record)):
            # What a member that was away has no part in is no evidence; the next process begins it anew.
            self._begun.add(name, "")
            raise UsageError(
                f"{self._plan.member} could not be reached ({why}); once it can, the same command goes on."
            )
        return result

    async def _found_or_begun(
        self, name: str, item: Item, protocol: str, settings: Mapping[str, Any], calls: int | None
    ) -> Result | None:
        if begun := self._begun.get(name):
            return await self._found(name, begun)
        if not self._live:
            return None
        order = Order(
            question=item.asked(),
            protocol=protocol,
            members=seats_for(find_with_draw(protocol), (self._plan.member,)),
            settings={**find_with_draw(protocol).unattended, **settings},
            budget=Budget(calls=calls),
            seed=item_seed(self._plan.seed, protocol, name),
        )
        return await self._service.ask(order, on_created=lambda deliberation: self._begun.add(name, deliberation))

    async def _found(self, name: str, deliberation: str) -> Result | None:
        try:
            shown = await self._service.show(deliberation)
        except NotFound:
            raise StoreError(
                f"{name} began as deliberation {deliberation}, and its record is gone; restore record.db, or begin "
                "anew in another folder."
            ) from None
        if shown.status.ended:
            return shown
        return await self._service.resume(deliberation) if self._live else None

    async def pool(self, name: str, item: Item, prompts: Sequence[Prompt]) -> list[Record]:
        """Return the draws of an item, the first of which is the pool's own; none where it is not there."""
        first = await self._draw(f"draw/{name}/1", item, prompts)
        names = [other for other in self._begun.numbered(f"draw/{name}")[1:] if self._begun.get(other)]
        others = [await self._draw(other, item, ()) for other in names]
        return [result.record for result in (first, *others) if result]

    def further(self, name: str, item: Item, records: list[Record]) -> Further | None:
        """Return what draws more replies to a prompt of an item, and puts them with its records."""
        if not self._live:
            return None

        async def draw(request: Request, count: int) -> Bank:
            async with self._drawing:
                await self.extend(name, item, records, [prompt("further", request.messages, count)])
                return bank_of(records)

        return draw

    async def extend(self, name: str, item: Item, records: list[Record], prompts: Sequence[Prompt]) -> None:
        """Draw further replies of an item, and put them with its records."""
        number = len(self._begun.numbered(f"draw/{name}")) + 1
        if self._live and (result := await self._draw(f"draw/{name}/{number}", item, prompts)):
            records.append(result.record)

    async def _draw(self, name: str, item: Item, prompts: Iterable[Prompt]) -> Result | None:
        settings = {
            "prompts": [wanted.model_dump() for wanted in prompts],
            "temperature": self._plan.temperature,
            "max_tokens": self._plan.max_tokens,
        }
        return await self.deliberated(name, item, DRAW, settings)


def not_reached(record: Record) -> str:
    """Return why a step has no reply, where that is no word of the member's; nothing where all were heard."""
    away = ("unreachable", "timeout")
    steps = (event for event in record.asked if isinstance(event, Unanswered))
    return next((event.missing.reason for event in steps if event.missing.reason in away), "")


def seconds_by_form(record: Record) -> dict[str, float]:
    """Return what the replies to each prompt of a draw took by the clock."""
    calls: dict[str, list[Any]] = {}
    for event in record.asked:
        calls.setdefault(event.step.partition("#")[0], []).extend(event.calls)
    return {name: spent_on(each).seconds for name, each in calls.items()}
