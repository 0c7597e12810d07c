"""A call as OpenAI's HTTP has it."""

from collections.abc import Callable, Mapping, Set
from typing import Any

from moot.core.calls import Request
from moot.core.canonical import storable
from moot.gateway.call_errors import LENGTH_FIELDS
from moot.gateway.providers import Provider

Grammar = Callable[[Mapping[str, Any]], str]
"""Turns a JSON schema into a grammar, for a server that takes one."""

SEED_MASK = 0x7FFF_FFFF
"""The widest seed that every server takes."""


def body_of(
    request: Request,
    model: str,
    provider: Provider,
    *,
    grammar: Grammar | None = None,
    stream: bool = False,
    without: Set[str] = frozenset(),
) -> dict[str, Any]:
    """Return the body of the call, without the parameters that this model is known to reject."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": message.role, "content": storable(message.content)} for message in request.messages],
        "temperature": request.temperature,
        length_field(provider, without): request.max_tokens,
        "seed": request.seed & SEED_MASK,
        **provider.extra,
    }
    if request.schema is not None and grammar is not None:
        body["grammar"] = grammar(request.schema)
    elif request.schema is not None and provider.takes_schema:
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "schema": request.schema}}
    if request.n > 1:
        body["n"] = request.n
    if stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    for name in without:
        body.pop(name, None)
    return body


def length_field(provider: Provider, without: Set[str]) -> str:
    """Return the name under which this model takes the length of a reply."""
    if provider.length_field not in without:
        return provider.length_field
    return next(name for name in LENGTH_FIELDS if name != provider.length_field)
