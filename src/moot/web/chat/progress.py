"""What is told of a deliberation under way, a line each, to whoever waits for its answer. Pure.

It says who has answered and where the protocol stands, and nothing of what was answered: a round is blind until its
last member is in.
"""

from moot.core.ports import ProgressEvent
from moot.views.words import counted, one_line

LONGEST_LINE = 200


def progress_line(event: ProgressEvent) -> str:
    """Return what happened, in words; empty for what is not worth a line."""
    match event.kind:
        case "begun" if event.begun:
            words = f"{event.begun.protocol} begins; about {counted(event.begun.expected.calls, 'call')} to come"
        case "answered":
            words = _at(f"{event.seat} answered", event)
        case "missing":
            words = _at(f"{event.seat} gave no answer ({event.note})", event)
        case "retrying":
            words = _at(f"{event.seat} is asked again", event)
        case _:
            return ""
    return one_line(words, LONGEST_LINE)


def _at(words: str, event: ProgressEvent) -> str:
    return f"{words}; {event.phase}" if event.phase else words
