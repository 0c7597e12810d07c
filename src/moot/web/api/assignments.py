"""Who was shown which slot a moment ago, so that many agents who ask at once do not all run for the same one."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol, TypeVar

from moot.core.ports import Clock

SECONDS = 2.0
"""How long a slot counts as shown: about the time between finding and taking it."""

RIVALS = 3
"""How many others may have been shown a slot for it to be shown once more."""

REMEMBERED = 10_000


class SlotPlace(Protocol):
    """A slot, as far as it is known by its place."""

    @property
    def deliberation(self) -> str:
        """The claim."""
        ...

    @property
    def step(self) -> str:
        """The step of the claim."""
        ...


P = TypeVar("P", bound=SlotPlace)


class Offers:
    """Slots that were shown to agents, who may take them at any moment."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._shown: OrderedDict[tuple[str, str], dict[str, float]] = OrderedDict()

    def choose(self, agent: str, slots: Sequence[P]) -> P | None:
        """Return the oldest of the slots that the fewest others were just shown; None where each has rivals enough."""
        now = self._clock.monotonic()
        rivals = [sum(who != agent for who in self._with(slot, now)) for slot in slots]
        fewest = min(rivals, default=RIVALS)
        if fewest >= RIVALS:
            return None
        chosen = slots[rivals.index(fewest)]
        place = (chosen.deliberation, chosen.step)
        self._shown[place] = {**self._with(chosen, now), agent: now + SECONDS}
        self._shown.move_to_end(place)
        while len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)
        return chosen

    def _with(self, slot: SlotPlace, now: float) -> dict[str, float]:
        shown = self._shown.get((slot.deliberation, slot.step), {})
        return {who: until for who, until in shown.items() if until > now}
