"""Which members are used when none is named: what the environment and this machine offer, in a fixed order."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from urllib.request import ProxyHandler, Request, build_opener

from moot.core.errors import BadMember
from moot.gateway.keys import key_from
from moot.gateway.members import MemberSpec, check_local, parse_member, parse_members
from moot.gateway.providers import EMBEDDED, PROVIDERS
from moot.settings import ProductSettings

MEMBERS_VARIABLE = "MOOT_MEMBERS"
PROBE_SECONDS = 0.4
PROBE_BYTES = 1_000_000

FindOllama = Callable[[], Awaitable[str | None]]
"""Gives the first model of an Ollama on this machine, if there is one."""


@dataclass(frozen=True, slots=True)
class Discovered:
    """The members to use, and one line that says which and why."""

    members: tuple[MemberSpec, ...]
    why: str


async def first_ollama_model(server: str = "http://127.0.0.1:11434") -> str | None:
    """Return the first model that an Ollama on this machine has, or None within half a second."""
    names = await asyncio.to_thread(_ollama_models, server)
    return next((name for name in names if "embed" not in name), None)


async def discover(
    environ: Mapping[str, str], *, local: bool = False, find_ollama: FindOllama = first_ollama_model
) -> Discovered:
    """Return what to use when no member is named: MOOT_MEMBERS, a key, a local Ollama, the embedded model.

    Raises:
        BadMember: MOOT_MEMBERS names something that is no member.
        ForbiddenByLocal: it names something that leaves the machine, and `local` forbids that.
    """
    if named := ProductSettings.read(environ).members:
        return _from_variable(named, local=local)
    if not local and (found := _from_key(environ)):
        return found
    if model := await find_ollama():
        return _found(f"ollama:{model}", "an Ollama runs on this machine and this is its first model")
    reason = "--local forbids what leaves this machine" if local else "no key is set"
    return _found(EMBEDDED.name, f"{reason} and no Ollama runs here, so the embedded model answers")


def _from_variable(named: tuple[str, ...], *, local: bool) -> Discovered:
    try:
        members = tuple(parse_members(named))
    except BadMember as error:
        error.add_note(f"named in {MEMBERS_VARIABLE}")
        raise
    if local:
        check_local(members)
    return Discovered(members, f"using {', '.join(named)}: named in {MEMBERS_VARIABLE}")


def _from_key(environ: Mapping[str, str]) -> Discovered | None:
    for provider in PROVIDERS:
        if provider.needs_key and key_from(environ, provider.keys):
            variable = next(name for name in provider.keys if environ.get(name, "").strip())
            return _found(provider.name, f"{variable} is set and this is {provider.name}'s default model")
    return None


def _found(spec: str, why: str) -> Discovered:
    members = tuple(parse_member(spec))
    return Discovered(members, f"using {members[0].spec}: {why}")


def _ollama_models(server: str) -> list[str]:
    """A proxy is never asked: the question is what runs on this machine."""
    request = Request(f"{server}/api/tags")  # noqa: S310
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=PROBE_SECONDS) as reply:
            listed = json.loads(reply.read(PROBE_BYTES))
        return [str(model["name"]) for model in listed["models"]]
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return []
