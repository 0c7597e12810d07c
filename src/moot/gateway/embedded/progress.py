"""What a fetch tells whoever waits for it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """How far the fetch of one model is; `note` is a sentence to show once, empty when only bytes moved."""

    model: str
    source: str
    done: int
    total: int
    note: str = ""


ShowProgress = Callable[[FetchProgress], None]
