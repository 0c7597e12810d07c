"""Whether traces are sent, and where to: by Moot's own settings and the variables that OpenTelemetry has."""

from collections.abc import Mapping
from importlib.util import find_spec

from moot.core.errors import BadSetting, ExtraMissing
from moot.service.tracing import NoTracing, Tracing
from moot.settings import BadValue, ProductSettings

PLACES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
OFF = "OTEL_SDK_DISABLED"
PATIENCE = "OTEL_BSP_EXPORT_TIMEOUT"
NEEDED = ("opentelemetry.sdk", "opentelemetry.exporter")


def wants_traces(environ: Mapping[str, str]) -> bool:
    """Return whether an environment asks for traces, by MOOT_OTEL or else by naming a place to send them to.

    Raises:
        BadSetting: where MOOT_OTEL is neither 1 nor 0.
    """
    settings = ProductSettings.read(environ)
    if environ.get(OFF, "").strip().lower() == "true":
        return False
    if settings.values["otel"]:
        return _flag(settings, "otel")
    # Set for all programs of a machine, and no reason to refuse to start without the extra.
    return any(environ.get(place, "").strip() for place in PLACES) and _is_installed()


def open_tracing(environ: Mapping[str, str]) -> Tracing:
    """Return what traces runs as an environment asks for it; where it does not, nothing of OpenTelemetry is imported.

    Raises:
        ExtraMissing: where traces are asked for and the extra is not installed.
        BadSetting: for a setting that is neither 1 nor 0.
    """
    if not wants_traces(environ):
        return NoTracing()
    if not _is_installed():
        raise ExtraMissing(what="sending traces", extra="otel")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    from moot.service.tracing.spans import CLOSING_SECONDS, SpanTracing

    named = environ.get("OTEL_SERVICE_NAME", "").strip()
    provider = TracerProvider(
        resource=Resource.create({} if named else {"service.name": "moot"}), shutdown_on_exit=False
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    patience = environ.get(PATIENCE, "").strip()
    closing = int(patience) / 1000 if patience.isdecimal() else CLOSING_SECONDS
    return SpanTracing(provider, texts=_flag(ProductSettings.read(environ), "otel_texts"), closing=closing)


def _flag(settings: ProductSettings, name: str) -> bool:
    try:
        return settings.flag(name)
    except BadValue as bad:
        raise BadSetting(name=bad.name, problem=bad.problem) from None


def _is_installed() -> bool:
    return all(find_spec(module.partition(".")[0]) is not None and find_spec(module) is not None for module in NEEDED)
