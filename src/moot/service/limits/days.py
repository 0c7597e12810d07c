"""What a key may spend in a day: read from the settings, and kept while a deliberation of it runs."""

from collections.abc import Mapping

from moot.core.errors import BadSetting
from moot.settings import BadValue, ProductSettings
from moot.store.limits.spending import DayLimits, KeySpending


def read_day_limits(environ: Mapping[str, str]) -> DayLimits:
    """Return what every key may spend in a day.

    Raises:
        BadSetting: for a limit that is no number.
    """
    settings = ProductSettings.read(environ)
    try:
        return DayLimits(settings.whole("serve_day_calls"), settings.number("serve_day_usd"))
    except BadValue as bad:
        raise BadSetting(name=bad.name, problem=bad.problem) from None


class KeyAllowance:
    """What one key may still spend today, for the run that spends it."""

    def __init__(self, spending: KeySpending, key: str, limits: DayLimits) -> None:
        self._spending = spending
        self._key = key
        self._limits = limits
        self._day = 0

    async def reserve(self, calls: int, usd: float) -> None:
        """Count what is about to be sent.

        Raises:
            DayUsedUp: where that is more than the key may have today.
        """
        self._day = await self._spending.reserve(self._key, calls, usd, self._limits)

    async def settle(self, usd: float, calls: int = 0) -> None:
        """Add to what was counted, or take back what it did not cost after all."""
        if usd or calls:
            await self._spending.settle(self._key, self._day, usd, calls)
