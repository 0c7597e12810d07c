"""A process that runs the evidence over invented items, writes down every request, and kills itself at one of them.

python -m tests.evals.evidence_driver FOLDER KILL    KILL is the request that is never answered, by number; or 0
"""

import os
import signal
import sys
from pathlib import Path

from moot.core.calls import Completion, Request
from moot.testing import scripted
from tests.evals.driver import hash_of
from tests.evals.evidence_kit import answer, evaluate


def main() -> None:
    folder, kill = Path(sys.argv[1]), int(sys.argv[2])
    count = 0

    def deadly(request: Request) -> Completion:
        nonlocal count
        count += 1
        with (folder / "requests.txt").open("a", encoding="utf-8") as log:
            log.write(f"{request.step} {hash_of(request)}\n")
        if count == kill:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer(request)

    rows = evaluate(folder, scripted(deadly), sums=1)
    sys.stdout.write(f"{len(rows)} rows\n")


if __name__ == "__main__":
    main()
