"""What an order or a fork is resolved to before anything is sent: protocol, members, settings, budget, cost."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from moot.configuration import (
    Choices,
    Configuration,
    Said,
    said_limits,
    said_protocol,
    said_settings,
    values_of,
)
from moot.core.budget import Budget, Expectation
from moot.core.canonical import plain
from moot.core.errors import (
    BadConfiguration,
    DocumentsTooLong,
    EmptyQuestion,
    PriceUnknown,
    TooFewMembers,
    UnknownProtocol,
    UsageError,
)
from moot.core.events import Header
from moot.core.panel import Panel, seated
from moot.core.ports import Embedder
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Question
from moot.core.tokens import estimated_tokens
from moot.gateway.backends import backends_of
from moot.gateway.discovery import Discovered
from moot.gateway.gateway import Gateway
from moot.gateway.members import check_local
from moot.protocols import WITH_DOCUMENTS, WITHOUT_DOCUMENTS
from moot.runtime.fork import forked_header
from moot.service.configuring import fork_with_panel, naming_files, usual_members
from moot.service.orders import Fork, Order, Plan, ReadFiles, joined, merged, valid_settings, with_files
from moot.settings import ProductSettings
from moot.version import __version__

Protocols = Callable[[str], ProtocolSpec]
"""Finds a protocol by its name."""

LARGE_PROMPT = 100_000
"""Tokens from which on a prompt is sent with a warning to a model whose window nobody knows."""


class Planner:
    """Resolves orders and forks. `defaults` fill what an order leaves open; a fork has that of its parent.

    Without `read_files`, no setting may name a path.
    """

    def __init__(
        self,
        gateway: Gateway,
        *,
        protocols: Protocols,
        environ: Mapping[str, str],
        local: bool,
        embedder: Embedder,
        read_files: ReadFiles | None,
        defaults: Configuration = Configuration(),  # noqa: B008 (frozen)
    ) -> None:
        self._gateway = gateway
        self._protocols = protocols
        self._environ = environ
        self._local = local
        self._embedder = embedder
        self._read_files = read_files
        self._defaults = defaults

    async def plan(self, order: Order) -> Plan:
        """Return the order resolved.

        Raises:
            UsageError: for anything in it that cannot be used.
        """
        if not order.question.text:
            raise EmptyQuestion
        choices = self._choices(order)
        row = self._row(order, choices)
        settings = self._settings(row, order, choices)
        panel, why = await self._panel(row, settings, order.members, choices, by_name=order.panel is not None)
        self._check_seats(row, panel, settings)
        await self._gateway.learn_prices(panel.models)
        expected = row.expected(order.question, panel, settings)
        self._check_fit(order.question, panel, expected)
        limits = said_limits(choices)
        budget = merged(merged(row.budget, Budget(**values_of(limits))), order.budget)
        usd = self.usd(panel, expected, budget, limits.get("usd") if order.budget.usd is None else None)
        large = panel.models if expected.longest > LARGE_PROMPT else ()
        unmeasured = tuple(model for model in large if self._gateway.model(model).context is None)
        return Plan(
            order, row, panel, settings, budget, expected, usd, why, self.known_usd(panel, expected), unmeasured
        )

    def row_for(self, order: Order) -> ProtocolSpec:
        """Return the protocol that an order is carried out by.

        Raises:
            UnknownProtocol: where it names none.
        """
        return self._row(order, self._choices(order))

    def own_budget(self, order: Order) -> Budget:
        """Return the limits that an order has where it asks for none: its protocol's, and in their place its panel's.

        Raises:
            UnknownProtocol, NotFound: where it names a protocol or a panel that there is not.
        """
        choices = self._choices(order)
        return merged(self._row(order, choices).budget, Budget(**values_of(said_limits(choices))))

    @cached_property
    def panels(self) -> Mapping[str, str]:
        """The panels of moot.toml, and what is wrong with those that cannot be asked here; empty where nothing is."""
        return {name: self._panel_problem(name) for name in sorted(self._defaults.panels)}

    def unattended(self, order: Order) -> dict[str, Any]:
        """Return an order's settings for a run that nobody attends, but for those that its panel says itself."""
        choices = self._choices(order)
        row = self._row(order, choices)
        said = said_settings(row.name, choices)
        return {**{name: value for name, value in row.unattended.items() if name not in said}, **order.settings}

    async def usual_members(self) -> Discovered:
        """Return who is asked where an order names nobody, and why."""
        return await usual_members(self._environ, self._choices(None), local=self._local)

    def header(self, plan: Plan) -> Header:
        """Return the header of a new deliberation that has been planned."""
        return Header(
            question=plan.order.question,
            protocol=plan.row.name,
            protocol_version=plan.row.version,
            moot_version=__version__,
            settings=plain(plan.settings),
            panel=plan.panel,
            budget=plan.budget,
            seed=fresh_seed() if plan.order.seed is None else plan.order.seed,
            backends=self.backends(plan.panel),
            data=plan.row.made_from(plan.settings),
        )

    async def forked(self, parent: str, header: Header, fork: Fork, position: int) -> Header:
        """Return the header of a deliberation that goes another way than its parent from a position on.

        Raises:
            UsageError: for anything in the fork that cannot be used.
        """
        row = self._protocols(header.protocol)
        said: Mapping[str, Said] = {}
        if fork.panel:
            fork, said = fork_with_panel(fork, row.name, self._defaults.find_panel(fork.panel))
        with naming_files(said):
            chosen = valid_settings(row, {**header.settings, **with_files(row, fork.settings, self._read_files)})
        keeps = not fork.members and len(header.panel) >= row.fewest(chosen)
        panel = header.panel if keeps else (await self._panel(row, chosen, fork.members, self._choices(None)))[0]
        self._check_seats(row, panel, chosen)
        budget = merged(header.budget, fork.budget)
        expected = row.expected(header.question, panel, chosen)
        self._check_fit(header.question, panel, expected)
        self.usd(panel, expected, budget)
        return forked_header(
            header,
            parent_id=parent,
            at=fork.at,
            position=position,
            protocol_version=row.version,
            moot_version=__version__,
            panel=panel,
            settings=plain(chosen),
            budget=budget,
            seed=fresh_seed() if fork.seed is None else fork.seed,
            backends=self.backends(panel),
            data=row.made_from(chosen),
        )

    def backends(self, panel: Panel) -> dict[str, str]:
        """Return what answers of this panel are made with."""
        return backends_of(self._gateway.members(panel.models), self._embedder)

    def _choices(self, order: Order | None) -> tuple[Choices, ...]:
        """What is said in files of what an order leaves open, first to be heard first."""
        named = bool((order and order.members) or ProductSettings.read(self._environ).members)
        return self._defaults.choices(order.panel if order else None, members_named=named)

    def _panel_problem(self, name: str) -> str:
        order = Order(Question(text=""), panel=name)
        choices = self._choices(order)
        try:
            self._settings(self._row(order, choices), order, choices)
        except UsageError as error:
            return str(error)
        return ""

    def _row(self, order: Order, choices: Sequence[Choices]) -> ProtocolSpec:
        said = said_protocol(choices)
        if order.protocol or said is None:
            fallback = WITH_DOCUMENTS if order.question.documents else WITHOUT_DOCUMENTS
            return self._protocols(order.protocol or fallback)
        try:
            return self._protocols(said.value)
        except UnknownProtocol as unknown:
            raise BadConfiguration(problems=[said.problem(str(unknown).rstrip(".")).words]) from None

    def _settings(self, row: ProtocolSpec, order: Order, choices: Sequence[Choices]) -> Settings:
        said = said_settings(row.name, choices)
        chosen = {**values_of(said), **order.settings}
        with naming_files({name: one for name, one in said.items() if name not in order.settings}):
            return valid_settings(row, with_files(row, joined(row, chosen) if order.join else chosen, self._read_files))

    async def _panel(
        self,
        row: ProtocolSpec,
        settings: Settings,
        members: Sequence[str],
        choices: Sequence[Choices],
        *,
        by_name: bool = False,
    ) -> tuple[Panel, str]:
        if not members and not by_name and row.fewest(settings) == 0:
            return Panel(()), ""
        if members:
            found, why = self._gateway.members(members), ""
        else:
            usual = await usual_members(self._environ, choices, by_name=by_name, local=self._local)
            found, why = list(usual.members), usual.why
        if len(found) == 1:
            found *= row.seats
        if self._local:
            check_local(found)
        for member in found:
            self._gateway.model(member.spec)
        return seated([member.spec for member in found]), why

    def _check_seats(self, row: ProtocolSpec, panel: Panel, settings: Settings) -> None:
        """Refuse a panel that is too small for what the settings ask of it, before any call."""
        if len(panel) < row.fewest(settings):
            raise TooFewMembers(protocol=row.name, needed=row.fewest(settings), given=len(panel))

    def _check_fit(self, question: Question, panel: Panel, expected: Expectation) -> None:
        """Refuse a prompt that does not fit, before any call (ruling G7)."""
        for member in panel:
            limit = self._gateway.model(member.model).context
            if limit is not None and expected.longest > limit:
                largest = max(question.documents, key=lambda item: len(item.text), default=None)
                name = f"{largest.name!r} ({estimated_tokens(largest.text)} tokens)" if largest else "none"
                raise DocumentsTooLong(member=member.model, tokens=expected.longest, limit=limit, largest=name)

    def known_usd(self, panel: Panel, expected: Expectation) -> float:
        """Return what the share of those is expected to cost whose price is known, at the dearest of their prices."""
        prices = [price for member in panel if (price := self._gateway.model(member.model).price) is not None]
        dearest = [max((price[side] for price in prices), default=0.0) for side in (0, 1)]
        share = len(prices) / max(1, len(panel))
        return share * (expected.tokens_in * dearest[0] + expected.tokens_out * dearest[1])

    def usd(self, panel: Panel, expected: Expectation, budget: Budget, of_a_file: Said | None = None) -> float | None:
        """Return what a panel's answers are expected to cost, at the dearest price of any; None where one is unknown.

        Raises:
            PriceUnknown, BadConfiguration: where a budget of dollars can therefore not be kept.
        """
        prices = {model: self._gateway.model(model).price for model in panel.models}
        unknown = next((model for model, price in prices.items() if price is None), None)
        if unknown is not None:
            if of_a_file:
                raise BadConfiguration(problems=[of_a_file.problem(_unkept(unknown)).words])
            if budget.usd is not None:
                raise PriceUnknown(model=unknown)
            return None
        dearest = [max((price[side] for price in prices.values() if price), default=0.0) for side in (0, 1)]
        return expected.tokens_in * dearest[0] + expected.tokens_out * dearest[1]


def _unkept(model: str) -> str:
    return (
        f"the price of {model!r} is not known, so this limit cannot be kept; write it under [prices], give it with "
        f"--price {model}=IN,OUT (dollars per million tokens), or limit the calls instead"
    )


def fresh_seed() -> int:
    """Return a seed for a deliberation that was given none."""
    return secrets.randbits(31)
