"""Whether traces are sent, and where to: by Moot's own settings and the variables that OpenTelemetry has."""

import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from moot.core.errors import BadSetting, ExtraMissing
from moot.service.tracing import NoTracing, Tracing
from moot.settings import BadValue, ProductSettings

PLACES = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
SPOKEN = "http/protobuf"
EXPORTER = "OTEL_TRACES_EXPORTER"
OTLP, CONSOLE, NONE = "otlp", "console", "none"
OFF = "OTEL_SDK_DISABLED"
PATIENCE = "OTEL_BSP_EXPORT_TIMEOUT"
NEEDED = ("opentelemetry.sdk", "opentelemetry.exporter")


def wants_traces(environ: Mapping[str, str]) -> bool:
    """Return whether an environment asks for traces, by MOOT_OTEL or else by naming where they go.

    Raises:
        BadSetting: where MOOT_OTEL is neither 1 nor 0.
    """
    settings = ProductSettings.read(environ)
    if environ.get(OFF, "").strip().lower() == "true" or NONE in _exporters(environ):
        return False
    if settings.values["otel"]:
        return _flag(settings, "otel")
    # Set for all programs of a machine, and no reason to refuse to start without the extra.
    is_told_where = CONSOLE in _exporters(environ) or any(environ.get(place, "").strip() for place in PLACES)
    return is_told_where and _is_installed()


def open_tracing(environ: Mapping[str, str]) -> Tracing:
    """Return what traces runs as an environment asks for it; where it does not, nothing of OpenTelemetry is imported.

    Raises:
        ExtraMissing: where traces are asked for and the extra is not installed.
        BadSetting: for a setting that is neither 1 nor 0, and for a way to send them that Moot does not have.
    """
    if not wants_traces(environ):
        return NoTracing()
    if not _is_installed():
        raise ExtraMissing(what="sending traces", extra="otel")
    exporters = _exporters(environ)
    _check_exporters(environ, exporters)
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter

    from moot.service.tracing.sending import open_sending
    from moot.service.tracing.spans import CLOSING_SECONDS, SpanTracing

    # Either variable may have named it, and Moot's own name would come before both.
    is_named = "service.name" in OTELResourceDetector().detect().attributes
    resource = Resource.create({} if is_named else {"service.name": "moot"})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    sending = open_sending(environ, PLACES) if OTLP in exporters else None
    if sending:
        provider.add_span_processor(BatchSpanProcessor(sending))
    if CONSOLE in exporters:
        # What a command prints to stdout is its result.
        provider.add_span_processor(BatchSpanProcessor(ConsoleSpanExporter(out=sys.stderr)))
    patience = environ.get(PATIENCE, "").strip()
    closing = int(patience) / 1000 if patience.isdecimal() else CLOSING_SECONDS
    texts = _flag(ProductSettings.read(environ), "otel_texts")
    return SpanTracing(provider, texts=texts, closing=closing, closed=sending.tell if sending else None)


def _exporters(environ: Mapping[str, str]) -> list[str]:
    return [name.strip().lower() for name in environ.get(EXPORTER, "").split(",") if name.strip()] or [OTLP]


def _check_exporters(environ: Mapping[str, str], exporters: Sequence[str]) -> None:
    unknown = next((name for name in exporters if name not in (OTLP, CONSOLE, NONE)), None)
    if unknown:
        raise BadSetting(
            name=EXPORTER, problem=f"{unknown!r} is none of otlp, console and none; MOOT_OTEL=0 sends none"
        )
    variable = next((name for name in PROTOCOLS if environ.get(name, "").strip()), None)
    if OTLP in exporters and variable and environ[variable].strip().lower() != SPOKEN:
        way_out = f"write {SPOKEN} and your collector's address for it, often with port 4318, or MOOT_OTEL=0"
        raise BadSetting(name=variable, problem=f"Moot does not speak {environ[variable].strip()!r}; {way_out}")


def _flag(settings: ProductSettings, name: str) -> bool:
    try:
        return settings.flag(name)
    except BadValue as bad:
        raise BadSetting(name=bad.name, problem=bad.problem) from None


def _is_installed() -> bool:
    return all(find_spec(module.partition(".")[0]) is not None and find_spec(module) is not None for module in NEEDED)
