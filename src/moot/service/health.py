"""What Moot can use on a machine, and what each missing thing needs."""

import shlex
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Literal

from moot.configuration import Configuration
from moot.core.errors import MootError
from moot.core.installation import UNNAMED, install_command, this_installation
from moot.gateway.discovery import first_ollama_model
from moot.gateway.embedded.catalogue import CATALOGUE
from moot.gateway.embedded.fetch import is_stamped
from moot.gateway.gateway import Gateway, GatewayOptions
from moot.gateway.keys import key_from
from moot.gateway.providers import PROVIDERS
from moot.service.configuring import look_for_configuration, members_of
from moot.service.opening import gateway_options
from moot.service.plugged import all_plugged
from moot.settings import ProductSettings
from moot.store.store import Store
from moot.version import __version__

MEGA = 1_000_000

EXTRAS = {
    "embedded": ("xllamacpp", "the embedded model"),
    "docs": ("pypdf", "PDF, HTML and Word documents"),
    "postgres": ("psycopg", "PostgreSQL"),
    "mcp": ("mcp", "the MCP server"),
    "server": ("fastapi", "the HTTP service"),
    "evals": ("matplotlib", "the plots of evaluations"),
    "graphs": ("networkx", "argument graphs as graphs of networkx"),
    "otel": ("opentelemetry", "traces by OpenTelemetry"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: there, absent, or broken; and what it needs."""

    what: str
    state: Literal["ok", "absent", "broken"]
    found: str
    needs: str = ""


async def examine(environ: Mapping[str, str]) -> list[Finding]:
    """Return what was found, in the order in which a newcomer needs it. Nothing is sent to a paid provider."""
    configuration = look_for_configuration(environ)
    return [finding async for finding in _findings(configuration.environment(environ), configuration)]


async def _findings(environ: Mapping[str, str], configuration: Configuration) -> AsyncIterator[Finding]:
    settings = ProductSettings.read(environ)
    yield Finding("moot", "ok", f"{__version__} on Python {sys.version.split()[0]}")
    for file in configuration.files:
        yield Finding("moot.toml", "ok", file.path)
    for problem in configuration.problems:
        yield Finding(
            "moot.toml", "broken", problem.words, "no deliberation begins before it is right; see moot config"
        )
    async for finding in _reached(environ, configuration, settings):
        yield finding
    yield await _database(settings.database)
    for provider in PROVIDERS:
        if provider.needs_key:
            there = key_from(environ, provider.keys) is not None
            needs = "" if there else f"set {provider.keys[0]} in the environment"
            yield Finding(provider.name, "ok" if there else "absent", "a key is set" if there else "no key", needs)
    model = await first_ollama_model()
    needs = "" if model else "start Ollama and pull a model, as in `ollama pull qwen3`"
    yield Finding("ollama", "ok" if model else "absent", model or "none answers on this machine", needs)
    for entry in CATALOGUE:
        cached = is_stamped(settings.cache / entry.file, entry)
        found = (
            f"{entry.name} in {settings.cache}" if cached else f"{entry.name} is not here ({entry.bytes / MEGA:.0f} MB)"
        )
        yield Finding(
            "weights", "ok" if cached else "absent", found, "" if cached else f"moot models pull {entry.name}"
        )
    default = CATALOGUE[0]
    if is_stamped(settings.cache / default.file, default) and find_spec(EXTRAS["embedded"][0]) is not None:
        yield await speed_of(
            Gateway(environ, replace(_options(environ, configuration), offline=True)), f"embedded:{default.name}"
        )
    for extra, (module, use) in EXTRAS.items():
        there = find_spec(module) is not None
        yield Finding("extra", "ok" if there else "absent", f"{extra}: {use}", "" if there else _adding(extra))
    for plugged in all_plugged():
        plugin = plugged.plugin
        state = "broken" if plugged.problem else "ok"
        yield Finding(plugin.kind, state, f"{plugin.name} of {plugin.origin}", plugged.problem)


def _adding(extra: str) -> str:
    """The command that adds an extra. Nothing keeps what a doctor says, so that it may name a Python by its path."""
    here = this_installation()
    called = shlex.quote(sys.executable) if here.python == UNNAMED else here.python
    return install_command(replace(here, python=called), f"moot[{extra}]")


async def speed_of(gateway: Gateway, spec: str) -> Finding:
    """Return how fast an embedded model is on this machine, and close the gateway that it was started by."""
    try:
        speed = await gateway.speed(spec)
    except MootError as error:
        return Finding("speed", "broken", str(error), "choose a smaller model, or free memory")
    finally:
        await gateway.close()
    return Finding("speed", "ok", f"{spec}: {speed.read:.0f} tokens a second read, {speed.written:.0f} written")


def _options(environ: Mapping[str, str], configuration: Configuration) -> GatewayOptions:
    try:
        return gateway_options(environ, configuration)
    except MootError:
        return GatewayOptions(cache=ProductSettings.read(environ).cache)


async def _reached(
    environ: Mapping[str, str], configuration: Configuration, settings: ProductSettings
) -> AsyncIterator[Finding]:
    options = GatewayOptions()
    try:
        options = gateway_options(environ, configuration)
    except MootError as error:
        yield Finding("settings", "broken", str(error), "set it right, or leave it out")
    gateway = Gateway(environ, options)
    try:
        yield await _members(environ, configuration, gateway)
        backend = gateway.embedder(settings.values["embeddings"] or None)
        yield Finding("embeddings", "ok", backend.name)
    except MootError as error:
        yield Finding("embeddings", "broken", str(error), "set MOOT_EMBEDDINGS to a member, or leave it out")
    finally:
        await gateway.close()


async def _members(environ: Mapping[str, str], configuration: Configuration, gateway: Gateway) -> Finding:
    try:
        found = await members_of(configuration, environ)
        for member in found.members:
            gateway.model(member.spec)
    except MootError as error:
        return Finding("members", "broken", str(error), "name members that can be used in MOOT_MEMBERS or moot.toml")
    if find_spec(EXTRAS["embedded"][0]) is None and any(member.provider.kind == "embedded" for member in found.members):
        return Finding("members", "broken", found.why, f"{_adding('embedded')}, or set a key")
    return Finding("members", "ok", found.why)


async def _database(url: str) -> Finding:
    try:
        store = Store.open(url)
    except MootError as error:
        return Finding("database", "broken", str(error), "set MOOT_DATABASE or MOOT_HOME to a place that can be used")
    try:
        count = len(await store.deliberations.newest())
        return Finding("database", "ok", f"{store.where}, {count} deliberation{'' if count == 1 else 's'}")
    finally:
        await store.close()
