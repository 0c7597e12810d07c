"""Texts as vectors: by the `/v1/embeddings` of a member, or by static vectors that need no network."""

import asyncio
import logging
import math
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import metadata
from itertools import count
from pathlib import Path
from typing import Any

from moot.core.calls import Failure
from moot.core.installation import install_command, this_installation
from moot.core.ports import BeforeRetry
from moot.gateway.call_errors import CallError, from_error_body, from_exception, site_of, timed_out, unusable
from moot.gateway.members import MemberSpec
from moot.gateway.openai_compatible import Endpoint
from moot.gateway.retries import persist

DIMENSIONS = 256
BATCH = 128


class MemberEmbedder:
    """An `Embedder` over the embeddings of an endpoint."""

    def __init__(self, member: MemberSpec, endpoint: Endpoint) -> None:
        self.name = member.spec
        self.local = member.provider.is_free
        self._member = member
        self._endpoint = endpoint
        self._site = site_of(member, endpoint.secret)

    async def embed(self, texts: Sequence[str], *, before_retry: BeforeRetry) -> list[list[float]] | Failure:
        """Return a vector for each text, or why there is none."""
        rows: list[list[float]] = []
        further = count(2)

        async def allowed(_number: int) -> bool:
            return await before_retry(next(further))

        for start in range(0, len(texts), BATCH):
            if start and not await allowed(start):
                return Failure("budget", f"{self.name}: no further call is allowed")
            send = partial(self._try, texts[start : start + BATCH])
            batch = await persist(send, retries=self._endpoint.retries, before_retry=allowed)
            if isinstance(batch, Failure):
                return batch
            rows += batch
        return rows

    async def _try(self, texts: Sequence[str]) -> list[list[float]] | CallError:
        body = {"model": self._member.model, "input": list(texts), "encoding_format": "float"}
        async with self._endpoint.limit:
            data = await self._posted(body)
        if isinstance(data, CallError):
            return data
        if isinstance(data, dict) and (trouble := from_error_body(self._site, data)):
            return trouble
        rows = vectors_of(data, len(texts))
        return rows if rows is not None else unusable(self._site, "sent something that is no embedding of each text")

    async def _posted(self, body: dict[str, Any]) -> object:
        bound = asyncio.timeout(self._endpoint.timeout)
        try:
            async with bound:
                return await self._endpoint.client().post("/embeddings", cast_to=object, body=body)
        except Exception as error:
            if bound.expired():
                return timed_out(self._site, self._endpoint.timeout)
            return from_exception(self._site, error)


class StaticEmbedder:
    """An `Embedder` over the vectors inside the wordllama package: offline, the same on every machine."""

    local = True

    def __init__(self) -> None:
        self.name = f"wordllama {metadata.version('wordllama')} ({DIMENSIONS})"
        self._model: Any = None
        self._loading = asyncio.Lock()

    async def embed(self, texts: Sequence[str], *, before_retry: BeforeRetry) -> list[list[float]] | Failure:
        """Return a vector of length 1 for each text; a text without a known word has a vector of zeros."""
        if not texts:
            return []
        async with self._loading:
            if self._model is None:
                loaded = await asyncio.to_thread(_load_wordllama)
                if isinstance(loaded, Failure):
                    return loaded
                self._model = loaded
        return await asyncio.to_thread(_embedded, self._model, list(texts))


def vectors_of(data: object, count: int) -> list[list[float]] | None:
    """Return the vectors of an embeddings reply in the order of the texts, or None where one is missing or wrong."""
    rows = data.get("data") if isinstance(data, Mapping) else None
    if not isinstance(rows, list) or len(rows) != count or not all(isinstance(row, Mapping) for row in rows):
        return None
    placed = [(row.get("index", place), _vector(row.get("embedding"))) for place, row in enumerate(rows)]
    if not all(isinstance(place, int) and vector for place, vector in placed):
        return None
    found = dict(placed)
    checked = [found[place] for place in range(count) if place in found]
    return checked if len(checked) == count and len({len(vector) for vector in checked}) <= 1 else None


def _vector(value: object) -> list[float]:
    if not isinstance(value, list) or not all(isinstance(part, int | float) for part in value):
        return []
    try:
        vector = [float(part) for part in value]
    except OverflowError:
        return []
    return vector if all(map(math.isfinite, vector)) else []


def _load_wordllama() -> Any:
    # The library sets up the program's logging when it is imported, and every call would be told on the terminal.
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    import wordllama

    root.handlers[:] = handlers
    root.setLevel(level)
    folder = Path(wordllama.__file__).parent
    try:
        return wordllama.WordLlama.load(cache_dir=folder, dim=DIMENSIONS, disable_download=True)
    except (OSError, ValueError) as error:
        again = f"{install_command(this_installation(), 'wordllama')} --force-reinstall"
        return Failure("unreachable", f"wordllama could not be loaded ({error}); install it again: {again}")


def _embedded(model: Any, texts: list[str]) -> list[list[float]]:
    import numpy as np

    # The library divides by the length itself, which for a text without tokens is zero.
    rows = np.nan_to_num(np.asarray(model.embed(texts, norm=False), dtype=np.float64))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths == 0, 1.0, lengths)).tolist()
