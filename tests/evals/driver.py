"""A process that runs a small evaluation, writes down every request, and kills itself at one of them.

python -m tests.evals.driver FOLDER KILL    KILL is the number of the request that is never answered; 0 for none
"""

import hashlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

from moot.core.calls import Request
from moot.testing import scripted
from tests.evals.kit import evaluate, reply

ARMS = ["compressed", "interrogation", "self-consistency"]


def main() -> None:
    folder, kill = Path(sys.argv[1]), int(sys.argv[2])
    count = 0

    def deadly(request: Request) -> Any:
        nonlocal count
        count += 1
        with (folder / "requests.txt").open("a", encoding="utf-8") as log:
            log.write(f"{request.step} {hash_of(request)}\n")
        if count == kill:
            os.kill(os.getpid(), signal.SIGKILL)
        return reply(request)

    done = evaluate(folder, ARMS, count=3, member=scripted(deadly), settings={"n": 2}, calls_per_item=8)
    sys.stdout.write(f"{sum(row.correct for row in done.rows)} of {len(done.rows)}, {done.unasked} unasked\n")


def hash_of(request: Request) -> str:
    """What tells one item's request from another's."""
    return hashlib.sha256(repr(request.messages).encode()).hexdigest()[:12]


if __name__ == "__main__":
    main()
