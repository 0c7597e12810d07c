"""The commands of the server's page, one after the other, against a server."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.kit import SERVER, commands
from tests.web.process import begin


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_commands_of_the_server_page_work_against_a_server(folder: Path, environ: dict[str, str]) -> None:
    server = begin(environ)
    known = {"URL": server.url, "KEY": server.key or "", "CLAIM": "", "ADA": ""}
    try:
        for command in commands(SERVER):
            told = command.replace("curl -s ", "curl -sf ").replace("moot_00000000", "$ADA")

            done = subprocess.run(
                told, shell=True, cwd=folder, env={**environ, **known}, capture_output=True, text=True, check=False
            )

            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            if "/claims" in command and done.stdout.startswith("{"):
                known["CLAIM"] = json.loads(done.stdout)["id"] if not known["CLAIM"] else known["CLAIM"]
            if "keys add ada" in command:
                known["ADA"] = "_".join(done.stdout.split("_")[:2])
    finally:
        server.kill()
