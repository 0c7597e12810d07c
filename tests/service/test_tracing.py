"""Traces: spans of deliberations, steps and calls by the GenAI conventions; off unless asked for, without texts."""

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from typing_extensions import override

from moot.core.calls import Completion, Failure, Message, Request, Usage
from moot.core.errors import BadSetting
from moot.core.question import Document, Question
from moot.service.opening import open_service
from moot.service.orders import Order
from moot.service.tracing import NoTracing
from moot.service.tracing.attributes import call_attributes, result_attributes
from moot.service.tracing.exporting import open_tracing, wants_traces
from moot.testing import scripted

pytest.importorskip("opentelemetry.sdk", reason="the extra otel is not installed")

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from moot.service.tracing.sending import Sending
from moot.service.tracing.spans import SpanTracing

QUESTION = Question(text="Which server hums at night?", documents=(Document(name="a", text="Server x9 hums."),))
SURE = json.dumps({"reasoning": "A secret reason.", "answer": "walrus", "confidence": 0.9})
MEMBER = "scripted:one"


def traced(
    tmp_path: Path, reply: Any, order: Order | None = None, *, texts: bool = False, until: asyncio.Event | None = None
) -> tuple[dict[str, list[ReadableSpan]], str]:
    """Run a deliberation, or until something happens; return its spans by operation, and its id."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    order = order or Order(QUESTION, "single", (MEMBER,))
    ids: list[str] = []

    async def run() -> None:
        opening = open_service(
            {"MOOT_HOME": str(tmp_path), "MOOT_CONFIG": "none"},
            models={MEMBER: scripted(reply)},
            tracing=SpanTracing(provider, texts=texts),
        )
        async with opening as service:
            asking = asyncio.ensure_future(service.ask(order, on_created=ids.append))
            if until:
                await until.wait()
                asking.cancel()
            await asyncio.wait([asking])

    asyncio.run(run())
    spans: dict[str, list[ReadableSpan]] = {"invoke_workflow": [], "invoke_agent": [], "chat": []}
    for span in exporter.get_finished_spans():
        spans[told(span)["gen_ai.operation.name"]].append(span)
    return spans, ids[0]


def told(span: ReadableSpan) -> Mapping[str, Any]:
    return span.attributes or {}


def test_a_call_is_within_its_step_and_a_step_within_its_deliberation(tmp_path: Path) -> None:
    spans, id_ = traced(tmp_path, lambda _: SURE)

    [whole], [step], [call] = spans.values()
    assert (whole.name, step.name, call.name) == ("invoke_workflow single", "invoke_agent m1", "chat one")
    assert whole.parent is None
    assert step.parent and step.parent.span_id == whole.context.span_id
    assert call.parent and call.parent.span_id == step.context.span_id
    assert call.kind is SpanKind.CLIENT
    assert {told(span)["gen_ai.conversation.id"] for span in (whole, step, call)} == {id_}
    assert told(whole)["moot.status"] == "complete" and told(step)["moot.step"] == "answer"


def test_a_call_says_what_the_conventions_want_and_what_it_took(tmp_path: Path) -> None:
    [call] = traced(tmp_path, lambda _: SURE)[0]["chat"]

    facts = told(call)
    assert (facts["gen_ai.provider.name"], facts["gen_ai.request.model"]) == ("scripted", "one")
    assert facts["gen_ai.usage.input_tokens"] > 0 and facts["gen_ai.usage.output_tokens"] > 0
    assert facts["gen_ai.response.finish_reasons"] == ("stop",) and facts["gen_ai.output.type"] == "json"
    assert {"gen_ai.request.temperature", "gen_ai.request.max_tokens", "gen_ai.request.seed"} <= set(facts)


@pytest.mark.parametrize(
    ("member", "address", "port"),
    [
        ("http://models.example:8080/v1#m", "models.example", 8080),
        ("http://models.example/v1#m", "models.example", 80),
        ("anthropic:m", "api.anthropic.com", 443),
        (MEMBER, None, None),
    ],
)
def test_a_call_says_which_machine_it_goes_to(member: str, address: str | None, port: int | None) -> None:
    request = Request("answer", "m1", member, (Message("user", "Which?"),), 0.7, 9, 1, None)

    facts = call_attributes("0123456789", request, texts=False)

    assert (facts.get("server.address"), facts.get("server.port")) == (address, port)


@pytest.mark.parametrize(("wanted", "told_count"), [(1, None), (4, 4)])
def test_a_call_for_one_reply_says_nothing_of_how_many(wanted: int, told_count: int | None) -> None:
    request = Request("answer", "m1", MEMBER, (Message("user", "Which?"),), 0.7, 9, 1, None, n=wanted)

    facts = call_attributes("0123456789", request, texts=False)

    assert facts.get("gen_ai.request.choice.count") == told_count


def test_the_model_and_the_id_that_a_provider_names_are_told_where_it_names_them() -> None:
    named = result_attributes(Completion("x", Usage(), model="m-2026", id="chat-7"), texts=False)
    silent = result_attributes(Completion("x", Usage()), texts=False)

    assert (named["gen_ai.response.model"], named["gen_ai.response.id"]) == ("m-2026", "chat-7")
    assert not {"gen_ai.response.model", "gen_ai.response.id"} & set(silent)


def test_every_name_of_the_conventions_is_one_that_they_have(tmp_path: Path) -> None:
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes

    spans, _ = traced(tmp_path, lambda _: SURE, texts=True)

    known = {value for name, value in vars(gen_ai_attributes).items() if name.startswith("GEN_AI_")}
    used = {name for group in spans.values() for span in group for name in told(span) if name.startswith("gen_ai.")}
    assert len(used) > 10 and not used - known


def test_no_text_is_told_unless_it_is_asked_for(tmp_path: Path) -> None:
    secrets = ("hums", "secret", "walrus")

    quiet = [span.to_json() for group in traced(tmp_path / "a", lambda _: SURE)[0].values() for span in group]
    frank = [
        span.to_json() for group in traced(tmp_path / "b", lambda _: SURE, texts=True)[0].values() for span in group
    ]

    assert not any(secret in text for secret in secrets for text in quiet)
    assert all(any(secret in text for text in frank) for secret in secrets)


def test_every_member_of_a_round_has_its_own_spans(tmp_path: Path) -> None:
    spans, _ = traced(tmp_path, lambda _: SURE, Order(QUESTION, "spiral", (f"{MEMBER}*3",)))

    names = [told(span)["gen_ai.agent.name"] for span in spans["invoke_agent"]]
    assert {"m1", "m2", "m3"} <= set(names)
    steps = {span.context.span_id: told(span)["moot.step"] for span in spans["invoke_agent"]}
    for call in spans["chat"]:
        assert call.parent and steps[call.parent.span_id] == told(call)["moot.step"]


def test_a_failure_is_told_by_its_kind_and_not_by_its_words(tmp_path: Path) -> None:
    spans, _ = traced(tmp_path, lambda _: Failure("timeout", "the secret key was late"))

    for span in (span for group in spans.values() for span in group):
        assert span.status.status_code is StatusCode.ERROR
        assert "secret" not in span.to_json()
    assert told(spans["chat"][0])["error.type"] == "timeout"
    assert told(spans["invoke_workflow"][0])["moot.status"] == "failed"


def test_a_run_that_is_stopped_leaves_no_span_open(tmp_path: Path) -> None:
    asked = asyncio.Event()

    async def held(_: Any) -> str:
        asked.set()
        await asyncio.Event().wait()
        return SURE

    spans, _ = traced(tmp_path, held, until=asked)

    assert [len(group) for group in spans.values()] == [1, 1, 1]
    assert [told(group[0])["error.type"] for group in spans.values()] == ["CancelledError", "stopped", "CancelledError"]


ENVIRONMENTS = [
    ({}, False),
    ({"MOOT_OTEL": "1"}, True),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
    ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, False),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "MOOT_OTEL": "0"}, False),
    ({"MOOT_OTEL": "1", "OTEL_SDK_DISABLED": "true"}, False),
    ({"MOOT_OTEL_TEXTS": "1"}, False),
    ({"MOOT_OTEL": "1", "OTEL_TRACES_EXPORTER": "none"}, False),
    ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "OTEL_TRACES_EXPORTER": "None"}, False),
    ({"OTEL_TRACES_EXPORTER": "otlp"}, False),
    ({"OTEL_TRACES_EXPORTER": "console"}, True),
    ({"OTEL_TRACES_EXPORTER": "console", "MOOT_OTEL": "0"}, False),
    (
        {
            "MOOT_OTEL": "1",
            "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf",
            "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
        },
        True,
    ),
]


@pytest.mark.parametrize(("environ", "wanted"), ENVIRONMENTS, ids=str)
def test_traces_are_off_unless_they_are_asked_for(environ: dict[str, str], wanted: bool) -> None:
    assert wants_traces(environ) is wanted
    tracing = open_tracing(environ)
    asyncio.run(tracing.close())
    assert isinstance(tracing, SpanTracing if wanted else NoTracing)


def test_a_setting_that_is_neither_on_nor_off_is_refused() -> None:
    with pytest.raises(BadSetting, match="MOOT_OTEL"):
        wants_traces({"MOOT_OTEL": "perhaps"})


def test_nothing_of_opentelemetry_is_imported_while_traces_are_off(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys\n"
        "from moot.service.opening import open_service\n"
        "async def run():\n"
        f"    async with open_service({{'MOOT_HOME': {str(tmp_path)!r}, 'MOOT_CONFIG': 'none'}}):\n"
        "        print([name for name in sys.modules if name.startswith('opentelemetry')])\n"
        "asyncio.run(run())"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_a_collector_that_is_away_keeps_no_program_from_ending() -> None:
    back = threading.Event()
    provider = TracerProvider(shutdown_on_exit=False)

    class Away(SimpleSpanProcessor):
        @override
        def shutdown(self) -> None:
            back.wait()

    provider.add_span_processor(Away(InMemorySpanExporter()))

    asyncio.run(SpanTracing(provider, closing=0.01).close())

    assert not back.is_set()
    back.set()


class Collector(BaseHTTPRequestHandler):
    """Takes traces over OTLP."""

    taken: ClassVar[list[tuple[str, bytes]]] = []

    def do_POST(self) -> None:
        self.taken.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(200)
        self.end_headers()

    @override
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def asked(tmp_path: Path, **told: str) -> subprocess.CompletedProcess[str]:
    """Ask a question from the command line in an environment with these variables."""
    (tmp_path / "script.json").write_text(json.dumps({"*": json.loads(SURE)}), encoding="utf-8")
    words = ["ask", "Which?", "--protocol", "single", "--member", "scripted:script.json"]
    return subprocess.run(
        [sys.executable, "-c", "from moot.cli import main; main()", *words],
        cwd=tmp_path,
        env={**os.environ, "MOOT_HOME": str(tmp_path), "MOOT_CONFIG": "none", **told},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("told", "service"),
    [
        ({}, "moot"),
        ({"OTEL_SERVICE_NAME": "named"}, "named"),
        ({"OTEL_RESOURCE_ATTRIBUTES": "service.name=listed,place=here"}, "listed"),
    ],
)
def test_a_command_sends_its_spans_to_the_place_that_the_environment_names(
    told: dict[str, str], service: str, tmp_path: Path
) -> None:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    Collector.taken.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = asked(
            tmp_path,
            OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{server.server_port}",
            OTEL_EXPORTER_OTLP_COMPRESSION="none",
            OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf",
            OTEL_BSP_EXPORT_TIMEOUT="60000",
            **told,
        )
        server.shutdown()

    assert done.returncode == 0, done.stderr
    resources = [
        resource
        for _, body in Collector.taken
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
    ]
    names = [span.name for resource in resources for scope in resource.scope_spans for span in scope.spans]
    assert {path for path, _ in Collector.taken} == {"/v1/traces"}
    assert sorted(names) == ["chat script.json", "invoke_agent m1", "invoke_workflow single"]
    for resource in resources:
        attributes = [(one.key, one.value.string_value) for one in resource.resource.attributes]
        assert [value for key, value in attributes if key == "service.name"] == [service]
    assert "could not be sent" not in done.stderr


def test_a_collector_that_is_away_is_told_in_one_line_without_what_is_secret_in_its_address(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        away = server.server_port

    done = asked(
        tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=f"http://me:secret@127.0.0.1:{away}", OTEL_BSP_EXPORT_TIMEOUT="1500"
    )

    assert done.returncode == 0
    [line] = [line for line in done.stderr.splitlines() if str(away) in line]
    assert line.startswith(f"traces could not be sent to http://127.0.0.1:{away}; OTEL_EXPORTER_OTLP_ENDPOINT names")
    assert "Transient" not in done.stderr and "secret" not in done.stderr + done.stdout


def test_what_the_collector_takes_at_last_is_not_told_as_lost(caplog: pytest.LogCaptureFixture) -> None:
    class Taking(InMemorySpanExporter):
        result = SpanExportResult.SUCCESS

        @override
        def export(self, spans: Any) -> SpanExportResult:
            return self.result

    taking = Taking()
    sending = Sending(taking, "http://collector.example")

    sending.export([])
    sending.tell()
    taken = caplog.text
    taking.result = SpanExportResult.FAILURE
    sending.export([])
    sending.tell()

    assert (taken, len(caplog.records)) == ("", 1)


def test_the_console_has_spans_beside_the_result(tmp_path: Path) -> None:
    done = asked(tmp_path, OTEL_TRACES_EXPORTER="console")

    assert done.returncode == 0, done.stderr
    assert '"name": "chat script.json"' in done.stderr
    assert "walrus" in done.stdout and "chat script.json" not in done.stdout


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "Moot does not speak 'grpc'; write http/protobuf"),
        ({"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/json"}, "Moot does not speak 'http/json'; write http/protobuf"),
        ({"OTEL_TRACES_EXPORTER": "zipkin"}, "'zipkin' is none of otlp, console and none"),
    ],
)
def test_a_way_to_send_traces_that_moot_does_not_have_is_refused_with_the_way_out(
    told: dict[str, str], says: str
) -> None:
    with pytest.raises(BadSetting, match=re.escape(says)) as refused:
        open_tracing({"MOOT_OTEL": "1", **told})

    assert next(iter(told)) in str(refused.value) and "MOOT_OTEL=0" in str(refused.value)
    assert isinstance(open_tracing({"MOOT_OTEL": "0", **told}), NoTracing)
