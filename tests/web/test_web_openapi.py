"""The OpenAPI document: whole, true to what the server does, and enough to generate a typed client."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.web.kit import API, at_site


def document(tmp_path: Path) -> dict[str, Any]:
    async def scene(site):
        return (await site.get("/openapi.json", as_=None)).json()

    return at_site(tmp_path, scene)


def test_every_operation_says_what_it_does_what_it_takes_and_how_it_fails(tmp_path: Path) -> None:
    told = document(tmp_path)

    for path, operations in told["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation.get("description"), where
            assert any(status.startswith("2") for status in operation["responses"]), where
            if path == f"{API}/health":
                continue
            assert operation["security"] == [{"HTTPBearer": []}], where
            assert {"401", "403", "404", "409", "422", "429"} <= set(operation["responses"]), where
            for status, response in operation["responses"].items():
                if status >= "4":
                    assert list(response["content"]) == ["application/problem+json"], where
            names = [parameter["name"] for parameter in operation.get("parameters", ())]
            assert ("Idempotency-Key" in names) == (method == "post"), where


def test_every_body_that_can_be_sent_has_an_example(tmp_path: Path) -> None:
    schemas = document(tmp_path)["components"]["schemas"]

    sent = {name: schema for name, schema in schemas.items() if schema.get("additionalProperties") is False}
    without = [
        name
        for name, schema in sent.items()
        if schema.get("required")
        and not any("examples" in part or "enum" in part for part in schema["properties"].values())
    ]

    assert without == []


@pytest.mark.parametrize("body", ["DeliberationView", "ClaimView", "PipelineView"])
def test_the_old_name_of_stalled_is_there_and_deprecated(body: str, tmp_path: Path) -> None:
    told = document(tmp_path)["components"]["schemas"][body]

    assert {"stalled", "left_alone"} <= set(told["required"])
    assert told["properties"]["left_alone"]["deprecated"]
    assert "deprecated" not in told["properties"]["stalled"]


def test_a_typed_client_is_generated_from_it_and_works(tmp_path: Path) -> None:
    pytest.importorskip("openapi_python_client", reason="openapi-python-client is not installed")
    source = tmp_path / "openapi.json"
    source.write_text(json.dumps(document(tmp_path / "server")))
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"post_hooks": [], "package_name_override": "moot_client"}))
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(source), "--meta", "none"]

    made = subprocess.run(
        [*command, "--config", str(config), "--output-path", str(tmp_path / "moot_client"), "--fail-on-warning"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(tmp_path))
    try:
        client = importlib.import_module("moot_client")
        listing = importlib.import_module("moot_client.api.board.list_claims")
    finally:
        sys.path.remove(str(tmp_path))

    async def scene(site):
        with_key = client.AuthenticatedClient(base_url=str(site.client.base_url), token=site.keys["agent"])
        await site.post("/claims", {"claim": "Crows."}, "agent")
        async with with_key:
            return await listing.asyncio(client=with_key)

    page = at_site(tmp_path / "live", scene, live=True)

    assert page.items[0].claims["text"] == "Crows."


def test_every_time_that_is_sent_is_iso_8601(tmp_path: Path) -> None:
    shapes = document(tmp_path)["components"]["schemas"]
    times = {
        (shape, name): [part for part in field.get("anyOf", [field]) if part.get("type") != "null"]
        for shape, told in shapes.items()
        for name, field in told.get("properties", {}).items()
        if name in ("started", "made", "seen", "revoked", "lease_until", "leaseUntil")
    }

    assert len(times) >= 6
    assert {(part["type"], part.get("format")) for parts in times.values() for part in parts} == {
        ("string", "date-time")
    }
