"""Vectors, journaled like replies: what a run computed from once, it computes from again."""

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from moot.core.calls import Attempt, Failure, Missing, Outcome, Usage, Vectors
from moot.core.canonical import canonical, storable
from moot.core.ports import Clock, Embedder, Journal
from moot.runtime.ledger import Ledger, charge_for

SEAT = "embeddings"
KNOWN_NOTHING = Usage()
FREE = Usage(tokens_in=0, tokens_out=0, usd=0.0)


async def embed(
    intent: Attempt, texts: Sequence[str], *, journal: Journal, ledger: Ledger, embedder: Embedder, clock: Clock
) -> tuple[Attempt, Outcome]:
    """Journal an embedding, make it, journal what came of it."""
    tries, charge = intent.tries, charge_for(intent.request, None)

    async def before_retry(number: int) -> bool:
        nonlocal tries
        if ledger.admit(charge):
            return False
        tries = number
        await journal.count_try(intent.step, intent.attempt, number)
        return True

    await journal.intend([intent], [], active=ledger.active)
    started, begun = clock.now(), clock.monotonic()
    made = await embedder.embed(texts, before_retry=before_retry)
    ended = replace(intent, started=started, seconds=clock.monotonic() - begun, tries=tries)
    if isinstance(made, Failure):
        ended = replace(ended, state="failed", problem=storable(made.detail))
        kind = "refused" if made.kind == "budget" else "dropped"
        outcome = Outcome(intent.step, intent.position, kind, made.kind, ended.problem)
    else:
        ended = replace(ended, state="reply", text=_packed(embedder.name, made))
        outcome = Outcome(intent.step, intent.position, "ok")
    await journal.settle(ended, outcome, active=ledger.active)
    return ended, outcome


def embedding_intent(step: str, attempt: int, position: int, texts: Sequence[str], *, tries: int) -> Attempt:
    """Return the journal row that says which texts are about to be embedded."""
    request = canonical({"texts": list(texts)})
    digest = hashlib.sha256(request.encode()).hexdigest()
    # What works on this machine sends nothing and costs nothing, also when it is lost or fails.
    return Attempt(step, attempt, position, digest, request, usage=KNOWN_NOTHING if tries else FREE, tries=tries)


def journaled_vectors(attempts: Sequence[Attempt], outcome: Outcome) -> Vectors | Missing:
    """Return the vectors that the journal holds, or why it holds none."""
    if outcome.kind != "ok":
        return Missing(SEAT, outcome.step, outcome.reason, outcome.detail)  # ty: ignore[invalid-argument-type]
    import numpy as np

    packed = json.loads(attempts[-1].text)
    values = np.frombuffer(base64.b64decode(packed["float32"]), dtype="<f4").reshape(packed["shape"])
    return Vectors(packed["backend"], tuple(tuple(row) for row in values.astype(float).tolist()))


def _packed(backend: str, rows: Sequence[Sequence[float]]) -> str:
    import numpy as np

    values = np.asarray(rows, dtype="<f4")
    shape = list(values.shape) if values.size else [len(rows), 0]
    return canonical({"backend": backend, "shape": shape, "float32": base64.b64encode(values.tobytes()).decode()})
