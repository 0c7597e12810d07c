"""The models of every provider within reach: asked at once, and nobody can fail the command."""

import asyncio
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from typing_extensions import override

from moot.gateway.model_lists import list_all_models
from moot.gateway.providers import ANTHROPIC, EMBEDDED, OLLAMA, OPENAI, Provider
from moot.service.models import find_models

KEY = "canary-k1"


@contextmanager
def listing_server(status: int, body: bytes, **headers: str) -> Generator[tuple[str, list[dict[str, str]]]]:
    """Give the address of a server that answers every GET so, and what it was sent; it ends with the test."""
    heard: list[dict[str, str]] = []

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append({name.lower(): value for name, value in self.headers.items()} | {"path": self.path})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        @override
        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1", heard
        finally:
            server.shutdown()
            thread.join()


def listed(*names: str) -> bytes:
    return json.dumps({"data": [{"id": name} for name in names]}).encode()


def asked(*providers: Provider, **environ: str) -> list[Any]:
    return asyncio.run(list_all_models(providers, environ))


def test_the_names_are_sorted_and_a_name_that_a_terminal_would_obey_is_left_out() -> None:
    with listing_server(200, listed("models/b", "a", "a", "\x1b[31mred", "x" * 500)) as (url, heard):
        [found] = asked(replace(OPENAI, base_url=url), OPENAI_API_KEY=KEY)

    assert (found.models, found.problem) == (("a", "b"), "")
    assert (heard[0]["path"], heard[0]["authorization"]) == ("/v1/models", f"Bearer {KEY}")


def test_a_provider_that_takes_no_bearer_is_sent_its_own_headers() -> None:
    with listing_server(200, listed("claude")) as (url, heard):
        [found] = asked(replace(ANTHROPIC, base_url=url), ANTHROPIC_API_KEY=KEY)

    assert found.models == ("claude",)
    assert heard[0]["x-api-key"] == KEY and "authorization" not in heard[0]


@pytest.mark.parametrize(
    ("status", "body", "problem"),
    [
        (401, b"", "it refuses the key (401)"),
        (500, b"", "it has no list of models for us (500)"),
        (200, b"<html>", "what it answers is no list of models"),
        (200, b"[" * 100_000, "what it answers is no list of models"),
        (200, b'{"data": 3}', "what it answers is no list of models"),
    ],
)
def test_what_a_provider_does_instead_of_listing_is_said_in_a_line_without_the_key(
    status: int, body: bytes, problem: str
) -> None:
    with listing_server(status, body) as (url, _):
        [found] = asked(replace(OPENAI, base_url=url), OPENAI_API_KEY=KEY)

    assert (found.models, found.problem) == ((), problem)


def test_a_key_does_not_follow_a_redirect() -> None:
    with (
        listing_server(200, listed("stolen")) as (other, heard),
        listing_server(302, b"", Location=f"{other}/models") as (url, _),
    ):
        [found] = asked(replace(OPENAI, base_url=url), OPENAI_API_KEY=KEY)

    assert (found.models, heard) == ((), [])
    assert found.problem == "it has no list of models for us (302)"


def test_one_that_is_down_takes_nothing_from_the_others_and_local_asks_this_machine_alone() -> None:
    with listing_server(200, listed("gpt-5")) as (url, heard):
        rows = [replace(OPENAI, base_url=url), replace(OLLAMA, base_url="http://127.0.0.1:1/v1"), ANTHROPIC, EMBEDDED]
        environ = {"OPENAI_API_KEY": KEY, "MOOT_CONFIG": "none"}
        everybody = asyncio.run(find_models(environ, providers=rows))
        at_home = asyncio.run(find_models(environ, local=True, providers=rows))

    assert [(row.provider.name, row.models) for row in everybody.lists] == [("openai", ("gpt-5",))]
    assert [row.problem for row in everybody.silent] == ["nobody answers at http://127.0.0.1:1/v1"]
    assert [row.name for row in everybody.without_key] == ["anthropic"]
    assert len(everybody.embedded) == 3
    assert (at_home.lists, at_home.without_key, len(heard)) == ((), (), 1)
