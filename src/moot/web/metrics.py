"""What the server counts about itself."""

from typing import Annotated

from fastapi import Depends, Request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from moot.core.ports import Clock
from moot.service.background.queued import UNSEEN_SECONDS
from moot.web.serving import Serving


class Meters:
    """Counters of one server, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        self.requests = Counter("moot_http_requests_total", "requests answered", ("operation", "status"), registry=own)
        self.seconds = Histogram("moot_http_request_seconds", "time to answer", ("operation",), registry=own)
        self.running = Gauge("moot_deliberations_running", "deliberations under way here", registry=own)
        self.queued = Gauge("moot_deliberations_queued", "deliberations that wait for their turn here", registry=own)
        self.streams = Gauge("moot_event_streams_open", "event streams that are open here", registry=own)
        self.workers = Gauge("moot_workers", "workers that have been seen lately", registry=own)
        self.places = Gauge("moot_worker_places", "deliberations that these run at once", registry=own)
        self.left = Gauge("moot_deliberations_left", "deliberations that wait and no worker can run", registry=own)
        self.stored = Gauge("moot_deliberations", "stored deliberations", ("protocol", "status"), registry=own)

    async def look(self, serving: Serving) -> None:
        """Read what is not counted on the way."""
        self.running.set(serving.runs.running)
        self.queued.set(serving.runs.queued)
        self.streams.set(serving.watch.streams)
        if (force := serving.runs.workforce) is not None:
            living = force.living(UNSEEN_SECONDS)
            self.workers.set(len(living))
            self.places.set(sum(worker.at_once for worker in living))
            self.left.set(sum(force.left(UNSEEN_SECONDS).values()))
        self.stored.clear()
        for (protocol, status), count in (await serving.store.deliberations.counts()).items():
            self.stored.labels(protocol, status).set(count)


class Measuring:
    """Counts requests by operation, so that no caller can make up a new label."""

    def __init__(self, app: ASGIApp, meters: Meters, clock: Clock) -> None:
        self._app = app
        self._meters = meters
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and count it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = self._clock.monotonic(), 0

        async def counting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, counting)
        finally:
            operation = getattr(scope.get("endpoint"), "__name__", "none")
            self._meters.requests.labels(operation, str(status)).inc()
            self._meters.seconds.labels(operation).observe(self._clock.monotonic() - began)


def _measured(request: Request) -> Meters:
    return request.app.state.meters


Measured = Annotated[Meters, Depends(_measured)]
