"""The pool of an item: every reply that was drawn for it, by prompt; and a member that says nothing but these.

A protocol that is run over this member comes to what it would have come to had it drawn the replies itself. What the
pool lacks is drawn, where a model may be asked; else the reply is missing, and counted.
"""

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.evidence.draw import DrawSettings

from moot.core.calls import Completion, Failure, Message, Request, Usage
from moot.core.canonical import canonical
from moot.core.events import Answered
from moot.core.ports import BeforeRetry, OnTokens
from moot.core.record import Record


@dataclass(frozen=True, slots=True)
class Drawn:
    """One reply of the pool."""

    text: str
    tokens_in: int | None
    tokens_out: int | None


Bank = Mapping[str, tuple[Drawn, ...]]
"""Replies by the digest of their prompt, in the order in which they were drawn."""

Further = Callable[[Request, int], Awaitable[Bank]]
"""Draws so many more replies to a prompt; gives the whole bank as it then is."""

PROSE_ALONE = "the pool holds replies in prose alone"
NOT_DRAWN = "the pool has no further reply to this prompt"


def prompt_key(messages: Iterable[Message]) -> str:
    """Return the digest of a prompt."""
    return hashlib.sha256(canonical(list(messages)).encode()).hexdigest()


def bank_of(records: Iterable[Record]) -> Bank:
    """Return the pool that these draws make together, in their order."""
    bank: dict[str, list[Drawn]] = {}
    for record in records:
        settings = DrawSettings.model_validate(record.header.settings)
        keys = {wanted.name: prompt_key(wanted.asked()) for wanted in settings.prompts}
        for event in record.asked:
            if isinstance(event, Answered):
                bank.setdefault(keys[event.step.partition("#")[0]], []).append(_drawn(event))
    return {key: tuple(replies) for key, replies in bank.items()}


def prompt_tokens_of(replies: Sequence[Drawn]) -> int | None:
    """Return what reading the prompt took: it is told with the first reply of a call, and the others add nothing."""
    return max((reply.tokens_in for reply in replies if reply.tokens_in is not None), default=None)


def _drawn(event: Answered) -> Drawn:
    last = event.calls[-1]
    return Drawn(str(event.reply["text"]), last.tokens_in, last.tokens_out)


class Pooled:
    """A `Model` that answers from a bank, each prompt's replies in order, and counts what it could not answer."""

    price = (0.0, 0.0)
    context: int | None = None

    def __init__(self) -> None:
        self._bank: Bank = {}
        self._further: Further | None = None
        self._given: dict[str, int] = {}
        self.unasked = 0

    def deal(self, bank: Bank, further: Further | None) -> None:
        """Begin anew with the first reply to every prompt."""
        self._bank, self._further, self._given, self.unasked = bank, further, {}, 0

    def at_once(self, request: Request) -> int:
        """Return that all replies to a prompt come together, as from a member that reads it once."""
        return request.n

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> Completion | Failure:
        """Return the next replies to this prompt."""
        if request.schema is not None:
            return self._missing(PROSE_ALONE, request.n)
        key = prompt_key(request.messages)
        first = self._given.get(key, 0)
        last = first + request.n
        if (lacking := last - len(self._bank.get(key, ()))) > 0 and self._further:
            self._bank = await self._further(request, lacking)
        replies = self._bank.get(key, ())
        if not replies[first:last]:
            return self._missing(NOT_DRAWN, request.n)
        self._given[key] = min(last, len(replies))
        return _said(replies[first:last], prompt_tokens_of(replies))

    def _missing(self, why: str, count: int) -> Failure:
        self.unasked += count
        return Failure("refused", why)


def _said(replies: Sequence[Drawn], prompt: int | None) -> Completion:
    """One ask reads its prompt once, by however many replies it is answered."""
    one, *more = (
        Completion(reply.text, Usage(0 if place else prompt, reply.tokens_out, 0.0))
        for place, reply in enumerate(replies)
    )
    return replace(one, more=tuple(more))
