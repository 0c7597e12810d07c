"""Members whose replies are a pure function of the request, and a desk that counts what was sent.

Calls that are in flight together end in an order that a seed decides. Nothing sleeps: each call waits for its
turn, and every turn of the loop gives one.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from moot.core.calls import Completion, Failure, Request, Usage
from moot.core.canonical import canonical
from moot.core.ports import BeforeRetry, OnTokens
from moot.core.tokens import estimated_tokens

PRICE = (0.0005, 0.001)
TRIES = 3

Reaction = Callable[[Request, int], Completion | Failure | str | None]
"""What comes of a request at a try: a reply, or None for a try that is worth another."""


@dataclass(frozen=True)
class Sent:
    """One try, as it left."""

    step: str
    messages: str
    model: str
    number: int
    seed: int

    @property
    def call(self) -> tuple[str, str]:
        return self.step, self.messages


@dataclass
class Desk:
    """What all members of a test share: the order in which they end, and the count of what they were sent."""

    order: int | None = None
    sent: list[Sent] = field(default_factory=list)
    embedded: list[tuple[str, ...]] = field(default_factory=list)
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    price: tuple[float, float] | None = PRICE
    context: int | None = None
    at_once: int = 1
    """How many replies one request brings."""
    fewest: int | None = None
    """How many it brings in truth, where that is fewer."""
    on_send: Callable[[Request], None] | None = None

    def __post_init__(self) -> None:
        self._random = random.Random(self.order)
        self._waiting: list[tuple[bool, asyncio.Future[None]]] = []

    async def turn(self, *, slow: bool = False) -> None:
        """Wait until this call may end; a slow one ends when no other is left."""
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.append((slow, mine))
        loop.call_soon(self._let_one_go)
        await mine

    def _let_one_go(self) -> None:
        self._waiting = [(slow, call) for slow, call in self._waiting if not call.done()]
        ready = [call for slow, call in self._waiting if not slow] or [call for _, call in self._waiting]
        if ready:
            (self._random.choice(ready) if self.order is not None else ready[0]).set_result(None)

    def count(self, request: Request, number: int, usage: Usage) -> None:
        """Count a try at all that it can take: whoever sends it cannot know that it will fail."""
        messages = canonical(request.messages)
        self.sent.append(Sent(request.step, messages, request.model, number, request.seed))
        self.calls += 1
        self.tokens += (usage.tokens_in or 0) + (usage.tokens_out or 0)
        self.usd += usage.usd or 0.0
        if self.on_send:
            self.on_send(request)


class Scripted:
    """A model that does as its reaction says."""

    def __init__(self, react: Reaction, desk: Desk, *, slow: bool = False) -> None:
        self._react = react
        self._desk = desk
        self._slow = slow

    @property
    def context(self) -> int | None:
        return self._desk.context

    @property
    def price(self) -> tuple[float, float] | None:
        return self._desk.price

    def at_once(self, request: Request) -> int:
        return self._desk.at_once

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> Completion | Failure:
        for number in range(1, TRIES + 1):
            if number > 1 and not await before_retry(number):
                return Failure("budget", "the budget allows no further try")
            brought = [self._tried(one, number) for one in each_of(request)[: self._desk.fewest]]
            await self._desk.turn(slow=self._slow)
            if on_tokens:
                on_tokens(0)
                on_tokens(1)
            if failed := next((item for item in brought if isinstance(item, Failure)), None):
                return failed
            whole = [item for item in brought if isinstance(item, Completion)]
            if len(whole) == len(brought):
                return replace(whole[0], more=tuple(map(_added, whole[1:])))
        return Failure("unreachable", "nobody listens there")

    def _tried(self, request: Request, number: int) -> Completion | Failure | None:
        reaction = self._react(request, number)
        usage = usage_of(request, reaction, self.price)
        self._desk.count(request, number, usage)
        return Completion(reaction, usage) if isinstance(reaction, str) else reaction


class Forbidden:
    """A model that must not be called."""

    context: int | None = None
    price: tuple[float, float] | None = None

    def at_once(self, request: Request) -> int:
        return 1

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> Completion | Failure:
        raise AssertionError(f"{request.step} was sent to {request.model}")


class LetterEmbedder:
    """Vectors of three numbers that follow from the letters of a text."""

    def __init__(self, desk: Desk, *, local: bool = True, failure: Failure | None = None) -> None:
        self._desk = desk
        self._failure = failure
        self.local = local
        self.name = "letters 1"

    async def embed(self, texts: Sequence[str], *, before_retry: BeforeRetry) -> list[list[float]] | Failure:
        self._desk.embedded.append(tuple(texts))
        if not self.local:
            self._desk.calls += 1
            self._desk.tokens += sum(estimated_tokens(text) for text in texts)
        await self._desk.turn()
        return self._failure or [[len(text) / 7, text.count("e") / 3, text.count("o") / 3] for text in texts]


def each_of(request: Request) -> list[Request]:
    """Return a request for each reply that one asks for; a lost one and those after it are asked for together."""
    name, _, index = request.step.partition("#")
    first = int(index or 1)
    names = [name if place == 1 else f"{name}#{place}" for place in range(first, first + request.n)]
    return [replace(request, step=step, n=1) for step in names]


def _added(completion: Completion) -> Completion:
    """The prompt was read for the first."""
    return replace(completion, usage=replace(completion.usage, tokens_in=0))


def usage_of(request: Request, reaction: object, price: tuple[float, float] | None) -> Usage:
    """Return what a try takes; no more than the ledger reserves for it."""
    tokens_in = sum(estimated_tokens(message.content) for message in request.messages)
    if isinstance(reaction, Completion):
        return reaction.usage
    text = reaction if isinstance(reaction, str) else "x" * 3 * request.max_tokens
    tokens_out = min(estimated_tokens(text), request.max_tokens)
    usd = tokens_in * price[0] + tokens_out * price[1] if price else None
    return Usage(tokens_in, tokens_out, usd)
