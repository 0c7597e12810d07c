"""A model behind an OpenAI-compatible endpoint."""

import asyncio
import math
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from moot.core.calls import Completion, Failure, Request
from moot.core.ports import BeforeRetry, OnTokens
from moot.gateway.call_errors import (
    LENGTH_FIELDS,
    CallError,
    from_error_body,
    from_exception,
    site_of,
    timed_out,
    unusable,
)
from moot.gateway.keys import Secret, without_key
from moot.gateway.members import MemberSpec
from moot.gateway.pauses import EndpointPause
from moot.gateway.pricing import Price, Prices
from moot.gateway.replies import Growing, completion_of
from moot.gateway.requests import Grammar, body_of
from moot.gateway.retries import Retries, persist

if TYPE_CHECKING:
    from moot.gateway.client import Client

CHAT = "/chat/completions"
SEVERAL = "n"
"""The parameter that asks for several replies."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is, and how it may be called."""

    client: "Callable[[], Client]"
    secret: Secret | None
    limit: AbstractAsyncContextManager[None]
    """Around each call: how many may be under way."""
    retries: Retries
    timeout: float
    """Seconds that one try may take."""
    pause: EndpointPause | None = None
    """How long the endpoint wants to be left alone, as anybody has been told."""


class OpenAICompatible:
    """A `Model` over the chat completions of an endpoint.

    It remembers which parameters the model rejects, and how many replies come at once where that is fewer than asked.
    """

    def __init__(
        self,
        member: MemberSpec,
        endpoint: Endpoint,
        prices: Prices,
        *,
        context: int | None = None,
        grammar: Grammar | None = None,
        at_once: int | None = None,
    ) -> None:
        self._member = member
        self._endpoint = endpoint
        self._prices = prices
        self._context = context
        self._grammar = grammar
        self._rejected: frozenset[str] = frozenset()
        self._at_once = member.provider.at_once if at_once is None else at_once
        self._site = site_of(member, endpoint.secret)
        self._cost = partial(prices.cost, member)

    @property
    def context(self) -> int | None:
        """How many tokens prompt and reply may have together, where that is known."""
        return self._context or self._prices.context(self._member)

    @property
    def price(self) -> Price | None:
        """Dollars for a token in and a token out, where that is known."""
        return self._prices.price(self._member)

    def at_once(self, request: Request) -> int:
        """Return how many replies to this prompt one call may bring, of the `n` that are wanted."""
        return min(request.n, self._at_once)

    def open(self) -> None:
        """Open the client, so that the first call need not."""
        self._endpoint.client()

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> Completion | Failure:
        """Return what the model sends, or why it sends nothing. Cancelling closes the connection."""
        if self._member.provider.streams and request.n > 1:
            # Only a stream of llama.cpp's says what each of several replies took.
            on_tokens = on_tokens or _unheard
        bound = asyncio.timeout(request.timeout)
        try:
            async with bound:
                if self._endpoint.pause:
                    await self._endpoint.pause.wait()
                return await persist(
                    partial(self._try, request, on_tokens),
                    retries=self._endpoint.retries,
                    before_retry=before_retry,
                    time_left=partial(_time_left, bound),
                )
        except TimeoutError:
            if not bound.expired():
                raise
            return Failure("timeout", self._site.line("did not answer in the time that was left"))

    async def _try(self, request: Request, on_tokens: OnTokens | None) -> Completion | CallError:
        streamed = on_tokens is not None and self._member.provider.streams
        body = body_of(
            request,
            self._member.model,
            self._member.provider,
            grammar=self._grammar,
            stream=streamed,
            without=self._rejected,
        )
        async with self._endpoint.limit:
            if on_tokens:
                on_tokens(0)
            outcome = await self._sent(body, on_tokens if streamed else None)
        if isinstance(outcome, CallError):
            if self._endpoint.pause:
                await self._endpoint.pause.learn(outcome.after)
            return self._remembering(outcome, outcome.rejected, body) if outcome.rejected else outcome
        brought = 1 + len(outcome.more)
        if brought < request.n:
            self._at_once = min(self._at_once, brought)
        return self._saying_what_was_left_out(outcome)

    def _saying_what_was_left_out(self, completion: Completion) -> Completion:
        without = tuple(sorted(self._rejected - {*LENGTH_FIELDS, SEVERAL}))
        return replace(
            completion, without=without, more=tuple(replace(each, without=without) for each in completion.more)
        )

    async def _sent(self, body: dict[str, Any], on_tokens: OnTokens | None) -> Completion | CallError:
        bound = asyncio.timeout(self._endpoint.timeout)
        try:
            async with bound:
                data = await (self._streamed(body, on_tokens) if on_tokens else self._posted(body))
        except Exception as error:
            if bound.expired():
                return timed_out(self._site, self._endpoint.timeout)
            return from_exception(self._site, error)
        return self._read(data, body.get(SEVERAL, 1))

    async def _posted(self, body: dict[str, Any]) -> object:
        return await self._endpoint.client().post(CHAT, cast_to=object, body=body)

    async def _streamed(self, body: dict[str, Any], on_tokens: OnTokens) -> object:
        from openai import AsyncStream

        stream = await self._endpoint.client().post(
            CHAT, cast_to=object, body=body, stream=True, stream_cls=AsyncStream[object]
        )
        growing = Growing(body.get(SEVERAL, 1))
        async with stream:
            async for chunk in stream:
                if growing.add(chunk):
                    on_tokens(growing.tokens)
        return growing.whole()

    def _read(self, data: object, wanted: int) -> Completion | CallError:
        if isinstance(data, dict) and (trouble := from_error_body(self._site, data)):
            return trouble
        completion = completion_of(data, self._cost, wanted)
        if completion is None:
            return unusable(self._site, "sent something that is no chat completion")
        return _without_key(completion, self._endpoint.secret)

    def _remembering(self, trouble: CallError, name: str, body: dict[str, Any]) -> CallError:
        """Without a length a reply could cost anything: it goes under its other name, and is never left out."""
        no_other_name = name in LENGTH_FIELDS and bool(self._rejected & set(LENGTH_FIELDS) - {name})
        if name not in body or no_other_name:
            return replace(trouble, rejected=None)
        self._rejected |= {name}
        return trouble


def _time_left(bound: asyncio.Timeout) -> float:
    end = bound.when()
    return math.inf if end is None else end - asyncio.get_running_loop().time()


def _without_key(completion: Completion, secret: Secret | None) -> Completion:
    """An endpoint that sends the key back must not bring it into the record."""
    if secret is None:
        return completion
    completion = replace(completion, more=tuple(_without_key(each, secret) for each in completion.more))
    said = {name: getattr(completion, name) for name in ("text", "reasoning", "model", "id")}
    if not any(secret.reveal() in text for text in said.values()):
        return completion
    return replace(completion, **{name: without_key(text, secret) for name, text in said.items()})


def _unheard(_tokens: int) -> None:
    pass
