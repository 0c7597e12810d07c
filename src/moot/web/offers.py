"""Who was shown which slot a moment ago, so that many agents who ask at once do not all run for the same one."""

from collections import OrderedDict
from collections.abc import Sequence

from moot.core.ports import Clock, OpenStep

SECONDS = 2.0
"""How long others are shown other slots first: about the time between finding a slot and taking it."""

LOOKED_AT = 50
REMEMBERED = 10_000


class Offers:
    """Slots that were shown to an agent and may be taken at any moment."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._shown: OrderedDict[tuple[str, str], tuple[str, float]] = OrderedDict()

    def choose(self, agent: str, slots: Sequence[OpenStep]) -> OpenStep | None:
        """Return the oldest slot that nobody else was just shown, and where there is none the oldest of all."""
        now = self._clock.monotonic()
        chosen = next((slot for slot in slots if not self._is_with_another(slot, agent, now)), None)
        chosen = chosen or next(iter(slots), None)
        if chosen is not None:
            self._shown[chosen.deliberation, chosen.step] = (agent, now + SECONDS)
            self._shown.move_to_end((chosen.deliberation, chosen.step))
        while len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)
        return chosen

    def _is_with_another(self, slot: OpenStep, agent: str, now: float) -> bool:
        who, until = self._shown.get((slot.deliberation, slot.step), (agent, now))
        return who != agent and until > now
