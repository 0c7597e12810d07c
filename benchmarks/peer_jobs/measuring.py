"""What every job shares: where the fake server is, and how its own work is timed.

Some tools load what they need when they are first used. Where the run is timed, a first question warms them up, and the
second is measured.
"""

import json
import os
import resource
import time
from collections.abc import Callable

URL = os.environ["PEER_URL"]
QUESTION = os.environ["PEER_QUESTION"]
MEMBERS = os.environ["PEER_MEMBERS"].split(",")
KEY = "no-key-is-needed"


def measured(job: Callable[[str], object]) -> None:
    """Put a question by a job and print, as the last line, what it came to and what it took."""
    if warm_up := os.environ.get("PEER_WARM_UP"):
        job(warm_up)
    began, used = time.perf_counter(), _cpu()
    try:
        told = {"answer": str(job(QUESTION))[:300], "error": ""}
    except Exception as error:
        told = {"answer": "", "error": f"{type(error).__name__}: {error}"[:300]}
    print(json.dumps({**told, "wall": time.perf_counter() - began, "cpu": _cpu() - used}), flush=True)


def _cpu() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)
