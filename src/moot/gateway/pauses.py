"""Providers that asked to be left alone for a while: whoever is told so tells the others, and all wait."""

from typing import Protocol

from moot.gateway.retries import Retries, seconds_of

LOOK_SECONDS = 1.0


class SharedPauses(Protocol):
    """Pauses that other processes know of as well, by endpoint and the moment until which they last."""

    async def read(self) -> dict[str, float]:
        """Return the pauses that are not over."""
        ...

    async def lengthen(self, endpoint: str, until: float) -> None:
        """Keep a pause for all."""
        ...


class Pauses:
    """Until when endpoints want no calls, as far as this process knows; it looks for news once a second at most."""

    def __init__(self, retries: Retries) -> None:
        self._retries = retries
        self._until: dict[str, float] = {}
        self._shared: SharedPauses | None = None
        self._looked = float("-inf")

    def share(self, shared: SharedPauses) -> None:
        """Tell other processes of pauses, and hear of theirs."""
        self._shared = shared

    def of(self, endpoint: str) -> "EndpointPause":
        """Return the pause of one endpoint."""
        return EndpointPause(self, endpoint)

    async def left(self, endpoint: str) -> float:
        """Return for how many seconds an endpoint wants no calls."""
        now = self._retries.now()
        if self._shared is not None and not 0 <= now - self._looked < LOOK_SECONDS:
            self._looked = now
            for name, until in (await self._shared.read()).items():
                self._until[name] = max(until, self._until.get(name, until))
        return min(self._retries.longest_retry_after, max(0.0, self._until.get(endpoint, now) - now))

    async def learn(self, endpoint: str, retry_after: str | None) -> None:
        """Take in what an endpoint asked for, if it did."""
        now = self._retries.now()
        asked = seconds_of(retry_after, now)
        if not asked:
            return
        until = now + min(self._retries.longest_retry_after, asked)
        if until > self._until.get(endpoint, now):
            self._until[endpoint] = until
            if self._shared is not None:
                await self._shared.lengthen(endpoint, until)

    @property
    def retries(self) -> Retries:
        """How patiently is waited."""
        return self._retries


class EndpointPause:
    """The pause of one endpoint."""

    def __init__(self, pauses: Pauses, endpoint: str) -> None:
        self._pauses = pauses
        self._endpoint = endpoint

    async def wait(self) -> None:
        """Return when the endpoint may be called; not all at the same moment."""
        retries = self._pauses.retries
        if (left := await self._pauses.left(self._endpoint)) > 0:
            await retries.sleep(left + retries.first_delay * retries.random())

    async def learn(self, retry_after: str | None) -> None:
        """Take in what the endpoint asked for, if it did."""
        await self._pauses.learn(self._endpoint, retry_after)
