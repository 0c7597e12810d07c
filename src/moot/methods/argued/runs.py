"""Which runs put a claim forward."""

import re
from collections.abc import Iterable

_VERIFICATION = re.compile(r"v\d+")


def authoring_runs(runs: Iterable[str]) -> frozenset[str]:
    """Return the runs that put a claim forward; a verification is none of them."""
    return frozenset(run for run in runs if not _VERIFICATION.fullmatch(run))
