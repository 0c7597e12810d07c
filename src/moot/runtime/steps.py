"""One step: what it sends next, and what a reply makes of it. Pure, but for holding where the step stands."""

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Generic

from moot.core.calls import (
    Ask,
    Attempt,
    Completion,
    Failure,
    Message,
    Missing,
    Outcome,
    Prose,
    R,
    Reply,
    Request,
)
from moot.core.canonical import canonical, plain, storable
from moot.core.errors import JournalMismatch
from moot.core.events import Answered, Event, Unanswered, call_facts
from moot.core.panel import Member
from moot.runtime.parsing import Unparsed, parse, retry_messages, salvage, set_reasoning_aside
from moot.runtime.refusals import is_refusal, refusal_in

LONGEST_QUOTE = 200
"""Characters of a refusal that the record quotes."""

SEED_BITS = 31


@dataclass(slots=True)
class Step(Generic[R]):
    """An ask under way. `attempts` and `outcome` are what the journal holds of it."""

    ask: Ask[R]
    member: Member
    position: int
    of: str = ""
    """The ask that it is a reply to, where that asks for several."""
    attempts: list[Attempt] = field(default_factory=list)
    outcome: Outcome | None = None
    reply: R | None = None

    def next_attempt(self) -> Attempt:
        """Return the intent that is to be journaled before anything is sent."""
        text = request_text(self.ask, self.member, self._messages(self._bad_texts()))
        number = len(self.attempts) + 1
        return Attempt(self.ask.step, number, self.position, hashlib.sha256(text.encode()).hexdigest(), text)

    @property
    def schema_size(self) -> int:
        """How many bytes of schema go with the request."""
        return 0 if self.ask.reply is Prose else _schema_size(self.ask.reply)

    @property
    def heard(self) -> bool:
        """Whether something has come of it, if only a failure."""
        return self.outcome is not None or any(row.state not in ("intent", "lost") for row in self.attempts)

    def request(self, attempt: Attempt, *, seed: int, timeout: float | None, n: int = 1) -> Request:
        """Return what the gateway sends for an attempt, and for those of others that go with it."""
        before = [row for row in self.attempts if row.attempt < attempt.attempt and row.state == "bad"]
        return Request(
            step=self.ask.step,
            seat=self.ask.seat,
            model=self.member.model,
            messages=self._messages(before),
            temperature=self.ask.temperature,
            max_tokens=self.ask.max_tokens,
            seed=seed,
            schema=None if self.ask.reply is Prose else schema_of(self.ask.reply),
            timeout=timeout,
            n=n,
        )

    def judge(self, attempt: Attempt, result: Completion | Failure) -> tuple[Attempt, Outcome | None]:
        """Return the attempt as it ended, and the step's outcome where that decides it (ruling G3)."""
        if isinstance(result, Failure):
            failure = Failure(result.kind, storable(result.detail))
            return replace(attempt, state="failed", problem=failure.detail), self._last_resort(failure)
        text, thought = set_reasoning_aside(result.text)
        reasoning = "\n\n".join(part for part in (result.reasoning.strip(), thought) if part)
        ended = replace(
            attempt, state="reply", text=storable(text), reasoning=storable(reasoning), usage=result.usage, problem=""
        )
        if result.without:
            ended = replace(ended, problem=f"sent without {', '.join(result.without)}, which the model does not take")
        parsed = parse(ended.text, self.ask.reply)
        if not isinstance(parsed, Unparsed):
            return ended, self._accepted(parsed)
        problem = storable(f"it was cut off ({parsed.problem})" if result.finish == "length" else parsed.problem)
        bad = replace(ended, state="bad", problem=problem)
        if not self._bad_texts():
            return bad, None
        return bad, self._last_resort(Failure("refused", problem), bad)

    def refused(self, limit: str) -> Outcome:
        """Return the outcome of a step that the budget does not let go on."""
        return self._last_resort(Failure("budget", limit))

    def recall(self) -> None:
        """Read the reply out of the journal again.

        Raises:
            JournalMismatch: where the journaled text is no such reply to today's code.
        """
        if self.outcome is None or self.outcome.kind != "ok":
            return
        found = self._salvaged(anew=True) if self.outcome.salvaged else self._last_parsed()
        if isinstance(found, Unparsed):
            raise JournalMismatch(step=self.ask.step, problem=f"its reply reads otherwise now ({found.problem})")
        self.reply = found

    @property
    def value(self) -> R | Missing:
        """What the protocol gets."""
        return self.reply if self.reply is not None else self.missing

    @property
    def missing(self) -> Missing:
        """Why there is no reply."""
        if self.outcome is None:
            raise RuntimeError(f"step {self.ask.step!r} has not ended")
        return Missing(self.ask.seat, self.ask.step, self.outcome.reason, self.outcome.detail)  # ty: ignore[invalid-argument-type]

    def event(self) -> Event:
        """Return what happened, as the record keeps it."""
        calls = call_facts(self.attempts)
        if self.reply is None:
            return Unanswered(self.ask.step, self.ask.seat, self.member.model, self.missing, calls)
        return Answered(
            step=self.ask.step,
            seat=self.ask.seat,
            model=self.member.model,
            reply_type=self.ask.reply.__name__,
            reply=plain(self.reply),
            calls=calls,
            reasoning=next((row.reasoning for row in reversed(self.attempts) if row.reasoning), ""),
            salvaged=bool(self.outcome and self.outcome.salvaged),
        )

    def _messages(self, bad: list[Attempt]) -> tuple[Message, ...]:
        if not bad:
            return self.ask.messages
        return retry_messages(self.ask.messages, bad[-1].text, bad[-1].problem, prose=self.ask.reply is Prose)

    def _bad_texts(self) -> list[Attempt]:
        return [row for row in self.attempts if row.state == "bad"]

    def _last_parsed(self) -> R | Unparsed:
        row = next((row for row in reversed(self.attempts) if row.state == "reply"), None)
        return parse(row.text, self.ask.reply) if row else Unparsed("no reply is there")

    def _salvaged(self, *more: Attempt, anew: bool = False) -> R | Unparsed:
        for row in (*more, *reversed(self._bad_texts())):
            found = salvage(row.text, self.ask.reply, anew=anew)
            if not isinstance(found, Unparsed):
                return found
        return Unparsed("there is nothing to salvage")

    def _last_resort(self, failure: Failure, *more: Attempt) -> Outcome:
        found = self._salvaged(*more)
        if not isinstance(found, Unparsed) and not (failure.kind == "budget" and refusal_in(found)):
            # A budget that forbade the retry has shut the door, and a resumed run must know it.
            reason = "budget" if failure.kind == "budget" else ""
            return self._accepted(found, reason=reason, salvaged=True)
        if failure.kind == "budget":
            return self._outcome("refused", reason="budget", detail=failure.detail)
        if failure.kind == "timeout":
            return self._outcome("timeout", reason="timeout", detail=failure.detail)
        if more and is_refusal(more[-1].text):
            return self._declined(more[-1].text)
        reason = "unusable" if more else failure.kind
        return self._outcome("dropped", reason=reason, detail=failure.detail)

    def _accepted(self, reply: R, **more: Any) -> Outcome:
        if text := refusal_in(reply):
            return self._declined(text)
        self.reply = reply
        return self._outcome("ok", **more)

    def _declined(self, text: str) -> Outcome:
        return self._outcome("dropped", reason="refused", detail=f"it declines: {text}"[:LONGEST_QUOTE])

    def _outcome(self, kind: Any, **more: Any) -> Outcome:
        return Outcome(step=self.ask.step, position=self.position, kind=kind, **more)


def request_text(ask: Ask[Any], member: Member, messages: tuple[Message, ...]) -> str:
    """Return what the digest of a request covers: not its seed, which the step decides, nor the rendered schema."""
    return canonical(
        {
            "model": member.model,
            "messages": messages,
            "temperature": ask.temperature,
            "max_tokens": ask.max_tokens,
            "reply": ask.reply.__name__,
            "reply_version": ask.reply.reply_version,
        }
    )


def step_seed(seed: int, step: str) -> int:
    """Return the seed of a step: a hash of the deliberation's seed and the step's name."""
    return int.from_bytes(hashlib.sha256(f"{seed}\n{step}".encode()).digest()[:8], "big") >> (64 - SEED_BITS)


@cache
@cache
def _schema_size(reply: type[Reply]) -> int:
    return len(json.dumps(schema_of(reply)))


def schema_of(reply: type[Reply]) -> dict[str, Any]:
    """Return the JSON schema that a member is shown for a reply."""
    return reply.model_json_schema(by_alias=True)
