"""What sends spans over OTLP, and remembers whether all of them have arrived."""

import logging
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from typing_extensions import override

ITS_LOGGERS = "opentelemetry.exporter"
USUAL_PLACE = "http://localhost:4318"
log = logging.getLogger("moot.traces")


class Sending(SpanExporter):
    """Sends spans as another exporter does; what was not taken is told once, at the end."""

    def __init__(self, exporter: SpanExporter, place: str) -> None:
        self._exporter = exporter
        self._place = place
        self._lacking = 0

    @override
    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send spans; until that is done they count as not sent."""
        self._lacking += 1
        result = self._exporter.export(spans)
        if result is SpanExportResult.SUCCESS:
            self._lacking -= 1
        return result

    @override
    def shutdown(self) -> None:
        """Stop, and try nothing again."""
        self._exporter.shutdown()

    def tell(self) -> None:
        """Say so where something was not sent."""
        if self._lacking:
            way_out = "OTEL_EXPORTER_OTLP_ENDPOINT names the collector, and MOOT_OTEL=0 sends none"
            log.warning("traces could not be sent to %s; %s", self._place, way_out)


def open_sending(environ: Mapping[str, str], places: Sequence[str]) -> Sending:
    """Return what sends spans to the place that one of these variables names, or to the usual one."""
    # It tells of every try, in the midst of a result; who wants to read that sets a level of their own.
    loggers = logging.getLogger(ITS_LOGGERS)
    if loggers.level == logging.NOTSET:
        loggers.setLevel(logging.CRITICAL)
    named = next((environ[place].strip() for place in places if environ.get(place, "").strip()), USUAL_PLACE)
    return Sending(OTLPSpanExporter(), _machine(named))


def _machine(address: str) -> str:
    """An address without what may be secret in it."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "the collector"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
