"""What `deploy/` names is there: commands, options, settings, extras, files, addresses. And it follows good custom."""

import contextlib
import json
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx
import pytest
from typer.main import get_command

from moot.cli.app import app
from moot.cli.commands.serve import PORT
from moot.settings import TABLE

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
SETTINGS = {row.variable for row in TABLE}


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the container file, each with its words on one line."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n\s*", "", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    parts = [line.split(None, 1) for line in lines.splitlines() if line.strip()]
    return [(name, words) for name, words in parts]


UNITS = ("moot.service", "moot-worker.service")


def unit(name: str = "moot.service") -> list[tuple[str, str]]:
    """Return the assignments of a unit."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    return [
        (name, value)
        for name, sign, value in (line.partition("=") for line in text.splitlines() if line[:1] != "#")
        if sign
    ]


def check_moot(words: list[str]) -> None:
    """Do nothing for words that `moot` takes."""
    command = get_command(app)
    while words and words[0] in (commands := getattr(command, "commands", {})):
        command = commands[words.pop(0)]
    known = {option for parameter in command.params for option in parameter.opts}
    unknown = [word for word in words if word.startswith("--") and word not in known]
    assert not unknown, (command.name, unknown)
    assert not getattr(command, "commands", {}), f"{command.name} needs a command"


def of(name: str) -> list[str]:
    return [words for found, words in instructions() if found == name]


def test_the_container_s_command_and_its_examples_are_ones_that_moot_takes() -> None:
    [entry], [command] = of("ENTRYPOINT"), of("CMD")
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    examples = re.findall(r"#   podman run .* moot(( \S+)*)$", text, re.MULTILINE)

    assert json.loads(entry) == ["moot"]
    check_moot(json.loads(command))
    assert len(examples) == 2
    for words, _ in examples:
        if words:
            check_moot(shlex.split(words))


def test_every_setting_that_is_named_is_one_of_moot() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DEPLOY.iterdir())

    named = set(re.findall(r"MOOT_[A-Z_]+", text))

    assert len(named) >= 3 and not named - SETTINGS


def test_the_container_installs_extras_that_there_are_by_the_versions_that_are_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [extras] = [words.partition("=")[2] for words in of("ARG") if words.startswith("EXTRAS=")]
    install = next(words for words in of("RUN") if "pip install" in words)

    assert not set(extras.split(",")) - set(project["optional-dependencies"]) and "server" in extras.split(",")
    assert "--constraint constraints.txt" in install and "--no-cache-dir" in install
    [python] = [words.partition("=")[2] for words in of("ARG") if words.startswith("PYTHON=")]
    assert project["requires-python"] == f">={python}"


def test_the_container_copies_what_there_is_and_runs_as_nobody_much() -> None:
    copied = [word for words in of("COPY") if "--from" not in words for word in words.split()[:-1]]
    order = [name for name, _ in instructions()]

    assert all((ROOT / name).exists() for name in copied)
    assert {"pyproject.toml", "constraints.txt", "README.md", "LICENSE", "src"} == set(copied)
    assert of("USER") == ["moot"] and order.index("USER") < order.index("ENTRYPOINT")
    assert "ADD" not in order and not any(words.endswith(":latest") for words in of("FROM"))
    assert all(words.startswith("python:${PYTHON}-slim") for words in of("FROM"))
    assert all(json.loads(words) for words in (*of("ENTRYPOINT"), *of("CMD")))


def test_port_and_health_are_those_of_the_server() -> None:
    [health] = of("HEALTHCHECK")

    assert of("EXPOSE") == [str(PORT)]
    assert f"http://127.0.0.1:{PORT}/api/v1/health" in health
    assert f"--port {PORT}" in dict(unit())["ExecStart"]


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_starts_a_command_that_moot_takes_and_waits_until_it_has_ended(name: str) -> None:
    from moot.web.server import END_SECONDS

    said = dict(unit(name))
    program, *words = shlex.split(said["ExecStart"])

    assert program.endswith("/bin/moot")
    check_moot(words)
    assert int(said["TimeoutStopSec"]) > END_SECONDS
    assert said["DynamicUser"] == said["NoNewPrivileges"] == "yes" and said["ProtectSystem"] == "strict"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_nothing_wrong_with_a_unit(tmp_path: Path, name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    # Where Moot is not installed at its place, any program stands for it.
    here = re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", text, flags=re.MULTILINE)
    (tmp_path / name).write_text(here, encoding="utf-8")

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert name not in done.stderr


PROXIED = "moot.example.org"


def proxied(folder: Path, ports: tuple[int, int], server: str) -> str:
    """Return the proxy's configuration as it is run here: by nobody, on other ports, with a certificate of its own."""
    made = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout privkey.pem -out fullchain.pem"
    named = ["-subj", f"/CN={PROXIED}", "-addext", f"subjectAltName=DNS:{PROXIED}"]
    subprocess.run([*made.split(), *named], cwd=folder, check=True, capture_output=True)
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    text = text.replace("/etc/ssl/moot", str(folder)).replace(f"127.0.0.1:{PORT}", server)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{ports[0]};").replace(
        "listen 443", f"listen 127.0.0.1:{ports[1]}"
    )
    paths = "".join(
        f"{kind}_temp_path {folder / kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    log = f"error_log {folder / 'error.log'};"
    return f"daemon off;\npid {folder / 'pid'};\n{log}\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{text}}}\n"


def test_the_proxy_bounds_how_often_each_address_may_come():
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")

    zone = re.search(r"^limit_req_zone \$binary_remote_addr zone=(\w+):10m rate=\d+r/s;$", text, re.MULTILINE)
    assert zone
    # A line that is commented out bounds nothing.
    told = [line.strip() for line in text.splitlines() if not line.strip().startswith("#")]
    assert [line.partition(" burst=")[0] for line in told if line.startswith("limit_req ")] == [
        f"limit_req zone={zone[1]}"
    ]
    assert "limit_req_status 429;" in told


def free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]


def wait_for(client: httpx.Client, proxy: subprocess.Popen[bytes]) -> None:
    """Return once the proxy listens."""
    while proxy.poll() is None:
        with contextlib.suppress(httpx.ConnectError):
            client.get("/api/v1/health")
            return
    raise AssertionError("the proxy has ended")


@pytest.mark.skipif(shutil.which("nginx") is None or shutil.which("openssl") is None, reason="nginx is not installed")
def test_behind_the_proxy_pages_and_events_come_by_https_and_as_they_happen(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn", reason="the server is not installed")
    from tests.web.process import environment, served

    given = environment(tmp_path / "moot", serve_https="1", serve_hosts=PROXIED)
    with served(given) as server:
        plain, secure = free_ports()
        (tmp_path / "nginx.conf").write_text(
            proxied(tmp_path, (plain, secure), server.url.removeprefix("http://")), "utf-8"
        )
        trusted = ssl.create_default_context(cafile=str(tmp_path / "fullchain.pem"))
        trusted.check_hostname = False
        headers = {"Host": PROXIED, "Authorization": f"Bearer {server.key}"}
        address = f"https://127.0.0.1:{secure}"
        proxy = subprocess.Popen(["nginx", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")])
        try:
            with httpx.Client(base_url=address, verify=trusted, headers=headers, timeout=30, trust_env=False) as client:
                wait_for(client, proxy)
                health = client.get("/api/v1/health").json()
                moved = client.get(f"http://127.0.0.1:{plain}/api/v1/health")
                claim = client.post("/api/v1/claims", json={"claim": "Crows remember.", "house": "none"}).json()["id"]
                with client.stream("GET", f"/api/v1/deliberations/{claim}/events") as stream:
                    # The claim waits for people, so the stream stays open: what comes is not kept back by the proxy.
                    first = next(line for line in stream.iter_lines() if line.startswith("event:"))
        finally:
            proxy.terminate()
            proxy.wait(timeout=30)

    assert health["status"] == "ok" and first
    assert (moved.status_code, moved.headers["Location"]) == (308, f"https://{PROXIED}/api/v1/health")
