"""What was computed lately and may be asked for again: a few values by their keys, the oldest forgotten first."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

MOST = 8


class Recent:
    """The values computed last, of which any may be gone at any time."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, Any] = OrderedDict()

    def get(self, key: Hashable) -> Any:
        """Return the value of a key; None where it is not there."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def keep(self, key: Hashable, value: Any) -> None:
        """Keep a value, and let go of the one that was asked for least lately."""
        self._values[key] = value
        if len(self._values) > self._most:
            self._values.popitem(last=False)
