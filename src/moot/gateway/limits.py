"""How many calls may be under way with one provider at a time, whichever models they go to."""

import asyncio
from collections.abc import Mapping


class Limits:
    """One semaphore for each provider or endpoint, shared by all its models."""

    def __init__(self, overrides: Mapping[str, int] | None = None) -> None:
        self._overrides = dict(overrides or {})
        self._semaphores: dict[str, asyncio.Semaphore] = {}

    def of(self, provider: str, endpoint: str, usual: int) -> asyncio.Semaphore:
        """Return the semaphore of an endpoint; the override under its provider's name wins over the usual number."""
        if endpoint not in self._semaphores:
            self._semaphores[endpoint] = asyncio.Semaphore(max(1, self._overrides.get(provider, usual)))
        return self._semaphores[endpoint]
