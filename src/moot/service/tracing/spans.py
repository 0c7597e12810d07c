"""Spans of OpenTelemetry: one for a deliberation, one for each step of it, one for each call."""

import asyncio
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context, use_span

from moot.core.calls import Completion, Failure, Request
from moot.core.events import Header
from moot.core.ports import BeforeRetry, Model, OnTokens, Progress, ProgressEvent
from moot.core.verdict import Status as Standing
from moot.runtime.dispatch import World
from moot.service.tracing.attributes import (
    AGENT,
    CHAT,
    ERROR,
    WORKFLOW,
    call_attributes,
    deliberation_attributes,
    result_attributes,
    step_attributes,
)
from moot.version import __version__

CLOSING_SECONDS = 3.0
"""How long what has not been sent may keep a program from ending: a collector that is away is none of its business."""


class SpanTracing:
    """Makes a trace for each run of a deliberation. With `texts`, spans hold what was asked and answered.

    Once it has stopped, `closed` is called.
    """

    def __init__(
        self,
        provider: TracerProvider,
        *,
        texts: bool = False,
        closing: float = CLOSING_SECONDS,
        closed: Callable[[], None] | None = None,
    ) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("moot", __version__)
        self._texts = texts
        self._closing = closing
        self._closed = closed

    @contextmanager
    def of(self, deliberation: str, header: Header) -> Generator["RunTrace", None, None]:
        """Give the trace of a run; whatever of it is open ends with the block."""
        told = deliberation_attributes(deliberation, header, texts=self._texts)
        span = self._tracer.start_span(f"{WORKFLOW} {header.protocol}", attributes=told)
        trace = RunTrace(deliberation, self._tracer, span, texts=self._texts)
        try:
            yield trace
        except BaseException as stopped:
            _fail(span, type(stopped).__name__)
            raise
        finally:
            trace.close()
            span.end()

    async def close(self) -> None:
        """Send what has not been sent, as far as that can be done soon, and stop."""
        # A daemon: the library goes on trying for longer than a program is willing to wait.
        closing = threading.Thread(target=self._provider.shutdown, daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, self._closing)
        if self._closed:
            self._closed()


class RunTrace:
    """The spans of one run."""

    def __init__(self, deliberation: str, tracer: Tracer, span: Span, *, texts: bool) -> None:
        self._deliberation = deliberation
        self._tracer = tracer
        self._span = span
        self._texts = texts
        self._steps: dict[str, Span] = {}

    def listening(self, world: World) -> World:
        """Return the world of a run in which steps and calls are heard."""
        return replace(world, models=self._models(world.models), progress=self._progress(world.progress))

    def end(self, status: Standing) -> None:
        """Say what the run came to."""
        self._span.set_attribute("moot.status", status.value)
        if status is Standing.FAILED:
            _fail(self._span, status.value)

    def close(self) -> None:
        """End the steps that have not ended: their run was stopped."""
        while self._steps:
            _, span = self._steps.popitem()
            _fail(span, "stopped")
            span.end()

    @contextmanager
    def call(self, request: Request) -> Generator[Span, None, None]:
        """Give the span of a call, within that of its step."""
        told = call_attributes(self._deliberation, request, texts=self._texts)
        within = set_span_in_context(self._steps.get(request.step, self._span))
        name = f"{CHAT} {told['gen_ai.request.model']}"
        span = self._tracer.start_span(name, context=within, kind=SpanKind.CLIENT, attributes=told)
        # What an error says may quote a prompt, so its name alone is kept.
        with use_span(span, end_on_exit=True, record_exception=False, set_status_on_exception=False):
            try:
                yield span
            except BaseException as stopped:
                _fail(span, type(stopped).__name__)
                raise

    def heard(self, span: Span, result: Completion | Failure) -> None:
        """Say what a call brought."""
        span.set_attributes(result_attributes(result, texts=self._texts))
        if isinstance(result, Failure):
            span.set_status(Status(StatusCode.ERROR))

    def _models(self, models: Callable[[str], Model]) -> Callable[[str], Model]:
        return lambda name: TracedModel(models(name), self)

    def _progress(self, progress: Progress) -> Progress:
        def hear(event: ProgressEvent) -> None:
            self._hear(event)
            progress(event)

        return hear

    def _hear(self, event: ProgressEvent) -> None:
        if event.kind == "asking" and event.step not in self._steps:
            told = step_attributes(self._deliberation, event)
            within = set_span_in_context(self._span)
            self._steps[event.step] = self._tracer.start_span(f"{AGENT} {event.seat}", context=within, attributes=told)
        elif event.kind in ("answered", "missing") and (span := self._steps.pop(event.step, None)):
            if event.kind == "missing":
                _fail(span, "missing")
            span.end()


class TracedModel:
    """A model whose calls are heard; it answers as it would."""

    def __init__(self, model: Model, trace: RunTrace) -> None:
        self._model = model
        self._trace = trace

    @property
    def context(self) -> int | None:
        """How many tokens prompt and reply may have together, where that is known."""
        return self._model.context

    @property
    def price(self) -> tuple[float, float] | None:
        """Dollars for a token in and a token out, where that is known."""
        return self._model.price

    def at_once(self, request: Request) -> int:
        """Return how many replies to this prompt one call may bring."""
        return self._model.at_once(request)

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> Completion | Failure:
        """Return what the model sends, or why it sends nothing."""
        with self._trace.call(request) as span:

            async def retrying(number: int) -> bool:
                span.add_event("moot.retry", {"moot.try": number})
                return await before_retry(number)

            result = await self._model.complete(request, before_retry=retrying, on_tokens=on_tokens)
            self._trace.heard(span, result)
            return result


def _fail(span: Span, kind: str) -> None:
    span.set_attribute(ERROR, kind)
    span.set_status(Status(StatusCode.ERROR))
