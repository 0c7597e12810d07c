"""Whatever a caller sends, within the OpenAPI document or beside it, the server answers and stays.

`MOOT_FUZZ=examples,coverage,fuzzing:50` looks longer, and `MOOT_FUZZ_SEED` elsewhere.
"""

import os
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from moot.web.api.bodies.evals import EXAMPLE
from tests.web.evals_kit import keep_run
from tests.web.process import environment, served

PHASES, MOST_EXAMPLES = os.environ.get("MOOT_FUZZ", "examples,fuzzing:6").split(":")
SEED = os.environ.get("MOOT_FUZZ_SEED", "7")
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


@pytest.mark.slow
def test_schemathesis_finds_no_server_error_and_no_answer_beside_the_document(tmp_path: Path) -> None:
    pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    environ = environment(tmp_path, serve_queue="100000", serve_runs="2")
    # The name that the document gives as an example.
    keep_run(tmp_path, EXAMPLE)

    with served(environ) as server:
        # The document is made at its first reading, and a machine that is busy is no fault of the server.
        assert httpx2.get(f"{server.url}/api/v1/openapi.json", timeout=120).status_code == 200
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/api/v1/openapi.json"]
        options = ["--phases", PHASES, "--max-examples", MOST_EXAMPLES, "--seed", SEED, "--workers", "2"]
        told = [
            "--checks",
            CHECKS,
            "--header",
            f"Authorization: Bearer {server.key}",
            "--warnings",
            "off",
            "--request-timeout",
            "120",
            "--no-color",
        ]
        found = subprocess.run(
            [*command, *options, *told], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=500
        )
        alive = httpx2.get(f"{server.url}/api/v1/health").status_code

    assert found.returncode == 0, found.stdout[-6000:] + found.stderr[-2000:]
    assert alive == 200
