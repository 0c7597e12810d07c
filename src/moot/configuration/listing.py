"""What holds and from where, row by row, as `moot config` shows it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

from moot.configuration.choices import Choices, Said, said_limits, said_members, said_protocol, said_settings
from moot.configuration.configuration import Configuration
from moot.configuration.keys import without_keys
from moot.configuration.problems import dotted
from moot.configuration.product import ROWS
from moot.core.budget import Budget
from moot.settings import ProductSettings

MEMBERS_VARIABLE = "MOOT_MEMBERS"

Origin = Literal["option", "environment", "file", "default"]


@dataclass(frozen=True, slots=True)
class Held:
    """A value that holds, and who says so. None: it is left to the protocol, the provider or the platform."""

    name: str
    value: Any
    origin: Origin = "default"
    place: str = ""
    """The option, the variable, or the file with the key in it where that is another."""


def held_values(configuration: Configuration, environ: Mapping[str, str], panel: str | None = None) -> list[Held]:
    """Return all that holds for an order that says nothing but, where it is given, its panel.

    Raises:
        NotFound: for a panel that no file has.
    """
    named = ProductSettings.read(environ).members
    choices = configuration.choices(panel, members_named=bool(named))
    return [
        _of(said_protocol(choices), "protocol", panel),
        _members(named, choices, panel),
        _panel(configuration, panel, is_named=bool(named)),
        *_budget(choices, panel),
        _of(configuration.confirm_usd, "limits.confirm_usd"),
        *(_of(said, said.key) for said in configuration.prices.values()),
        *_settings(choices, panel),
        *_product(configuration, environ),
    ]


def panel_rows(configuration: Configuration) -> dict[str, dict[str, Any]]:
    """Return the panels by name, each with what it says and its file."""
    return {name: _panel_row(panel) for name, panel in sorted(configuration.panels.items())}


def _panel_row(panel: Choices) -> dict[str, Any]:
    said = {"members": list(panel.members), "protocol": panel.protocol, "budget": _limits(panel.budget)}
    return {**said, "settings": panel.settings, "file": panel.file}


def _limits(budget: Budget) -> dict[str, float]:
    limits = {limit.name: getattr(budget, limit.name) for limit in fields(budget)}
    return {name: value for name, value in limits.items() if value is not None}


def _of(said: Said | None, name: str, panel: str | None = None) -> Held:
    if said is None:
        return Held(name, None)
    if panel and said.key.startswith(f"{dotted(('panels', panel))}."):
        return Held(name, said.value, "option", f"--panel {panel}")
    return Held(name, said.value, "file", said.file if said.key == name else f"{said.file}, {said.key}")


def _members(named: Sequence[str], choices: Sequence[Choices], panel: str | None) -> Held:
    said = said_members(choices)
    if named and not panel:
        return Held("members", list(named), "environment", MEMBERS_VARIABLE)
    return _of(said.said(list(said.members), "members") if said else None, "members", panel)


def _panel(configuration: Configuration, panel: str | None, *, is_named: bool) -> Held:
    if panel:
        return Held("panel", panel, "option", "--panel")
    return _of(None if is_named else configuration.default_panel, "panel")


def _budget(choices: Sequence[Choices], panel: str | None) -> Iterator[Held]:
    limits = said_limits(choices)
    return (_of(limits.get(limit.name), f"budget.{limit.name}", panel) for limit in fields(Budget))


def _settings(choices: Sequence[Choices], panel: str | None) -> Iterator[Held]:
    for protocol in sorted({name for one in choices for name in one.settings}):
        for name, said in said_settings(protocol, choices).items():
            yield _of(said, dotted(("settings", protocol, name)), panel)


def _product(configuration: Configuration, environ: Mapping[str, str]) -> Iterator[Held]:
    product = configuration.product
    for name, row in ROWS.items():
        if value := environ.get(row.variable, "").strip():
            # An address in the environment may hold a password.
            yield Held(f"product.{name}", without_keys(value), "environment", row.variable)
        elif name in product:
            yield _of(product[name], f"product.{name}")
        else:
            yield Held(f"product.{name}", row.default or None)
