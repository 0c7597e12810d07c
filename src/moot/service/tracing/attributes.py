"""What a span says, by the GenAI semantic conventions of OpenTelemetry. Pure.

Numbers, names and states; what was asked and answered only where texts are wanted.
"""

import json
from collections.abc import Mapping
from urllib.parse import urlsplit

from moot.core.calls import Completion, Failure, Request
from moot.core.events import Header
from moot.core.ports import ProgressEvent
from moot.gateway.members import parse_member

Attributes = dict[str, str | int | float | list[str]]

WORKFLOW, AGENT, CHAT = "invoke_workflow", "invoke_agent", "chat"
"""The operations: a deliberation, a step of it, a call of a model."""

PROVIDERS: Mapping[str, str] = {"gemini": "gcp.gemini"}
"""Providers that the conventions call by another name."""

USUAL_PORTS: Mapping[str, int] = {"http": 80, "https": 443}

ERROR = "error.type"


def deliberation_attributes(deliberation: str, header: Header, *, texts: bool) -> Attributes:
    """Return what is said of a deliberation when it begins."""
    told: Attributes = {
        "gen_ai.operation.name": WORKFLOW,
        "gen_ai.workflow.name": header.protocol,
        "gen_ai.conversation.id": deliberation,
        "moot.deliberation.id": deliberation,
        "moot.protocol.version": header.protocol_version,
        "moot.seats": len(header.panel),
        "moot.documents": len(header.question.documents),
    }
    return {**told, "moot.question": header.question.text} if texts else told


def step_attributes(deliberation: str, asking: ProgressEvent) -> Attributes:
    """Return what is said of a step when somebody is asked."""
    return {
        "gen_ai.operation.name": AGENT,
        "gen_ai.agent.name": asking.seat,
        "gen_ai.conversation.id": deliberation,
        "moot.step": asking.step,
        "moot.phase": asking.phase,
    }


def call_attributes(deliberation: str, request: Request, *, texts: bool) -> Attributes:
    """Return what is said of a call before it is sent."""
    [member, *_] = parse_member(request.model)
    provider = member.provider.name
    told: Attributes = {
        "gen_ai.operation.name": CHAT,
        "gen_ai.provider.name": PROVIDERS.get(provider, provider),
        "gen_ai.request.model": member.model or request.model,
        "gen_ai.request.temperature": request.temperature,
        "gen_ai.request.max_tokens": request.max_tokens,
        "gen_ai.request.seed": request.seed,
        "gen_ai.output.type": "text" if request.schema is None else "json",
        "gen_ai.agent.name": request.seat,
        "gen_ai.conversation.id": deliberation,
        "moot.step": request.step,
    }
    if request.n != 1:
        told["gen_ai.request.choice.count"] = request.n
    where = urlsplit(member.base_url or member.provider.base_url)
    if where.hostname:
        told["server.address"] = where.hostname
        told["server.port"] = where.port or USUAL_PORTS[where.scheme]
    if texts:
        told["gen_ai.input.messages"] = _messages([(one.role, one.content) for one in request.messages])
    return told


def result_attributes(result: Completion | Failure, *, texts: bool) -> Attributes:
    """Return what is said of a call once it has ended; what nobody knows is left out."""
    if isinstance(result, Failure):
        return {ERROR: result.kind}
    replies = (result, *result.more)
    told: Attributes = {"gen_ai.response.finish_reasons": [one.finish for one in replies]}
    said = {"gen_ai.response.model": result.model, "gen_ai.response.id": result.id}
    told |= {name: value for name, value in said.items() if value}
    for name, counts in (
        ("gen_ai.usage.input_tokens", [one.usage.tokens_in for one in replies]),
        ("gen_ai.usage.output_tokens", [one.usage.tokens_out for one in replies]),
        ("moot.usage.usd", [one.usage.usd for one in replies]),
    ):
        known = [count for count in counts if count is not None]
        if known:
            told[name] = sum(known)
    if texts:
        told["gen_ai.output.messages"] = _messages([("assistant", one.text) for one in replies])
    return told


def _messages(said: list[tuple[str, str]]) -> str:
    """Messages as the conventions have them: roles, and parts of text."""
    return json.dumps(
        [{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in said], ensure_ascii=False
    )
