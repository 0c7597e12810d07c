"""Other tools that put one question to several models, beside Moot, on one fake model server on loopback.

    python benchmarks/peers.py                          installs each into a venv of its own below build/peers; a table
    python benchmarks/peers.py --folder DIR --only moot-vote dspy

Each does its own main job with three members, all in one go and with the same settings. The server answers after a set
time; in further runs it breaks its second reply, or the process is killed half-way and started again. What is printed
is what was seen, and nothing else.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.peer_server import FAULTS, LATENCY, WARM_UP, Call, serving

from moot.version import __version__

ROOT = Path(__file__).resolve().parents[1]
JOBS = Path(__file__).parent / "peer_jobs"
QUESTION = "What is 17 times 24? Explain briefly."
LONGEST = 240.0
"""Seconds after which a run is given up."""
AFTER_HALF = 0.3
"""Seconds that a tool has to put away what it got, before it is killed; no further reply comes in them."""
DEAD = "http://127.0.0.1:9"
"""A proxy that nobody is at: whatever would leave the machine fails."""


@dataclass(frozen=True)
class Peer:
    """A tool: what is installed, which job it does, and what that is."""

    packages: tuple[str, ...]
    job: str
    does: str
    environment: Mapping[str, str] = field(default_factory=dict)


PEERS = {
    "moot-vote": Peer((), "moot_job.py", "three answers, counted", {"PEER_PROTOCOL": "vote"}),
    "moot-debate": Peer((), "moot_job.py", "rounds until they agree or stop moving", {"PEER_PROTOCOL": "debate"}),
    "llm-council-core": Peer(("llm-council-core==0.53.0",), "council.py", "answers, rankings, chairman"),
    "llm-consortium": Peer(("llm==0.36", "llm-consortium==0.8.0", "scikit-learn"), "consortium.py", "answers, arbiter"),
    "dspy": Peer(("dspy==3.4.1",), "comparison.py", "chains of thought, compared by one"),
    "autogen-agentchat": Peer(
        ("autogen-agentchat==0.7.5", "autogen-ext[openai]==0.7.5"), "group_chat.py", "two rounds in turn"
    ),
    "ai-council": Peer(("ai-council==0.2.3",), "synthesis.py", "answers, one joins them"),
}


def python_of(name: str, peer: Peer, folder: Path) -> Path:
    """Return the Python that a peer runs in: Moot's own, or that of a venv which is made where it is not there."""
    if not peer.packages:
        return Path(sys.executable)
    home = folder / name
    python = home / "bin" / "python"
    if not (home / "installed").exists():
        print(f"installing {' '.join(peer.packages)} …", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-qq", *peer.packages], check=True, timeout=900)
        (home / "installed").touch()
    return python


def begin(
    python: Path, peer: Peer, url: str, home: Path, extra: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start a job in a home of its own; nothing of the user's is read, and nothing leaves the machine."""
    home.mkdir(parents=True, exist_ok=True)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": str(JOBS),
        "PEER_URL": url,
        "PEER_QUESTION": QUESTION,
        "PEER_MEMBERS": ",".join(LATENCY),
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), DEAD),
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        **peer.environment,
        **(extra or {}),
    }
    return subprocess.Popen(
        [str(python), str(JOBS / peer.job)],
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def result_of(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Return what a job told at its end; one that takes too long is killed."""
    try:
        told, _ = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return {"answer": "", "error": f"no end after {LONGEST:g} s", "wall": LONGEST, "cpu": 0.0}
    lines = [line for line in told.splitlines() if line.startswith('{"answer"')]
    return json.loads(lines[-1]) if lines else {"answer": "", "error": "it crashed", "wall": 0.0, "cpu": 0.0}


def rounds_of(calls: Sequence[Call]) -> list[list[Call]]:
    """Return the calls by rounds: one begins where nothing of the round before is still under way."""
    rounds: list[list[Call]] = []
    for call in sorted(calls, key=lambda one: one.began):
        if rounds and call.began < max(one.ended for one in rounds[-1]):
            rounds[-1].append(call)
        else:
            rounds.append([call])
    return rounds


def healthy(python: Path, peer: Peer, home: Path) -> dict[str, Any]:
    """Return what a run without faults took."""
    with serving() as (server, url):
        result = result_of(begin(python, peer, url, home, {"PEER_WARM_UP": WARM_UP}))
    rounds = rounds_of(server.calls)
    path = sum(max(call.ended - call.began for call in one) for one in rounds)
    return {
        **result,
        "calls": len(server.calls),
        "rounds": len(rounds),
        "slowest": path,
        "tokens": [sum(call.tokens for call in one) for one in rounds],
    }


def at_fault(python: Path, peer: Peer, home: Path, fault: str, usual: int) -> str:
    """Return in words what came of a run whose second reply was broken."""
    with serving(fault) as (server, url):
        result = result_of(begin(python, peer, url, home))
    return f"{fate(server.calls, usual)}; {outcome(result)}"


def fate(calls: Sequence[Call], usual: int) -> str:
    """Return in words what a tool made of the reply that was broken."""
    broken = next((call for call in calls if call.is_faulty), None)
    if not broken:
        return "never met"
    # What could not be read may be asked for in other words.
    if sum(call.key == broken.key for call in calls) > 1 or len(calls) > usual:
        return "asked again"
    return "half taken as whole" if any(broken.mark in call.prompt for call in calls) else "left out"


def outcome(result: Mapping[str, Any]) -> str:
    """Return in words how a run ended."""
    return "answer" if result["answer"] else f"no answer: {result['error'].partition(':')[0] or 'an empty one'}"


def wait_until(is_so: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Return once something is so, or the process has ended, or has taken too long."""
    end = time.perf_counter() + LONGEST
    while not is_so() and process.poll() is None and time.perf_counter() < end:
        time.sleep(0.01)


def killed(python: Path, peer: Peer, home: Path, usual: int) -> str:
    """Return in words what was paid again by a process that was killed half-way and started again."""
    half = max(1, usual // 2)
    with serving() as (server, url):
        process = begin(python, peer, url, home)
        wait_until(lambda: server.answered() >= half, process)
        time.sleep(AFTER_HALF)
        process.kill()
        process.communicate()
        paid = {call.key for call in server.calls if call.answered}
        before = len(server.calls)
        result = result_of(begin(python, peer, url, home))
        again = sum(call.key in paid for call in server.calls[before:])
    return f"{again} of {len(paid)} paid again; {outcome(result)}"


def measured(name: str, peer: Peer, folder: Path, homes: Path) -> dict[str, Any]:
    """Return all that is seen of one peer."""
    python = python_of(name, peer, folder)
    row = healthy(python, peer, homes / name / "well")
    if not row["calls"]:
        return {**row, **dict.fromkeys((*FAULTS, "killed"), outcome(row))}
    for fault in FAULTS:
        row[fault] = at_fault(python, peer, homes / name / fault, fault, row["calls"])
    row["killed"] = killed(python, peer, homes / name / "killed", row["calls"])
    return row


def table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the rows as two Markdown tables."""
    lines = [
        "| tool | its job | calls | rounds | wall clock | slowest calls | CPU a call | prompt tokens by round |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        each = row["cpu"] / max(1, row["calls"]) * 1000
        took = f"{row['wall']:.1f} s | {row['slowest']:.1f} s | {each:.0f} ms"
        tokens = ", ".join(map(str, row["tokens"]))
        lines.append(f"| {named(name)} | {PEERS[name].does} | {row['calls']} | {row['rounds']} | {took} | {tokens} |")
    lines += [
        "",
        "| tool | a 429 | a cut line | half a reply | killed half-way, started again |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| {name} | {' | '.join(row[fault] for fault in (*FAULTS, 'killed'))} |" for name, row in rows.items()]
    return "\n".join(lines)


def settings() -> str:
    """Return in a sentence what held for every row."""
    seconds = ", ".join(f"{each:g}" for each in LATENCY.values())
    load = os.getloadavg()[0]
    told = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, Python {sys.version.split()[0]}"
    machine = f"{os.cpu_count()} cores, load {load:.0f} at the end"
    return f"{told}; members answer after {seconds} s; killed {AFTER_HALF:g} s after half of the replies; {machine}.\n"


def named(name: str) -> str:
    """Return a tool's name with its version."""
    pinned = [package for package in PEERS[name].packages if package.startswith(name)]
    return f"{name} {pinned[0].rpartition('==')[2] if pinned else __version__}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "peers", help="where the venvs are kept")
    parser.add_argument("--only", nargs="*", choices=PEERS, default=list(PEERS), help="these tools alone")
    told = parser.parse_args()
    homes = told.folder / "homes" / str(os.getpid())
    rows: dict[str, Any] = {}
    for name in told.only:
        rows[name] = measured(name, PEERS[name], told.folder.resolve(), homes.resolve())
        print(f"{name}: {json.dumps(rows[name])}", file=sys.stderr, flush=True)
    print(settings())
    print(table(rows))


if __name__ == "__main__":
    main()
