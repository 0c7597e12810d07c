"""Progress of runs between processes: told by a worker as it comes, heard by every server."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from pydantic import TypeAdapter

from moot.core.ports import Progress, ProgressEvent
from moot.service.watching import Watch

OVER = "over"
"""The worker no longer works on the deliberation."""
MOST_WAITING = 2000
SAID = 400
"""Characters of a long text that are passed on; the whole is in the run event."""


@cache
def _events() -> TypeAdapter[ProgressEvent]:
    return TypeAdapter(ProgressEvent)


class News:
    """What is to be told next: of how many tokens have come, only the last word."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str, int], tuple[str, str]] = {}
        self._number = 0

    def hear(self, deliberation: str, also: Progress) -> Progress:
        """Return the ear that takes in a run's progress, and passes it on within this process."""

        def take_in(event: ProgressEvent) -> None:
            also(event)
            step = event.step if event.kind == "tokens" else ""
            self._put(deliberation, step, _events().dump_json(_shortened(event), exclude_defaults=True).decode())

        return take_in

    def over(self, deliberation: str) -> None:
        """Take in that a run is over here."""
        self._put(deliberation, "", OVER)

    def taken(self) -> list[tuple[str, str]]:
        """Return what is to be told, in order, and forget it."""
        waiting, self._waiting = list(self._waiting.values()), {}
        return waiting

    def _put(self, deliberation: str, step: str, text: str) -> None:
        self._number += 1
        key = (deliberation, step, 0 if step else self._number)
        self._waiting.pop(key, None)
        if len(self._waiting) < MOST_WAITING:
            self._waiting[key] = (deliberation, text)


def _shortened(event: ProgressEvent) -> ProgressEvent:
    begun = replace(event.begun, question=event.begun.question[:SAID]) if event.begun else None
    return replace(event, said=event.said[:SAID], note=event.note[:SAID], begun=begun)


def heard_by(watch: Watch) -> Callable[[str, str], None]:
    """Return the ear that tells a server's streams what a worker told."""

    def hear(deliberation: str, text: str) -> None:
        if text == OVER:
            watch.run_over(deliberation)
        else:
            watch.progress_of(deliberation)(_events().validate_json(text))

    return hear
