"""A model that a plugin builds: what goes wrong in its code is its member's silence, and nobody else's."""

from moot.core.calls import Completion, Failure, Request
from moot.core.ports import BeforeRetry, Model, OnTokens


class ForeignModel:
    """A `Model` of another package, whose every failure is a value."""

    def __init__(self, model: Model, origin: str) -> None:
        self._model = model
        self._origin = origin

    @property
    def context(self) -> int | None:
        """How many tokens prompt and reply may have together, where that is known."""
        return self._model.context

    @property
    def price(self) -> tuple[float, float] | None:
        """Dollars for a token in and a token out, where that is known."""
        return self._model.price

    def at_once(self, request: Request) -> int:
        """Return how many replies to this prompt one call may bring."""
        return self._model.at_once(request)

    async def complete(
        self, request: Request, *, before_retry: BeforeRetry, on_tokens: OnTokens | None = None
    ) -> Completion | Failure:
        """Return what the model sends, or why it sends nothing."""
        try:
            sent = await self._model.complete(request, before_retry=before_retry, on_tokens=on_tokens)
        except Exception as error:
            return Failure("unreachable", f"{self._origin} failed with {type(error).__name__}: {error}"[:300])
        if isinstance(sent, Completion | Failure):
            return sent
        return Failure("unreachable", f"{self._origin} gave a {type(sent).__name__} and no Completion or Failure")
