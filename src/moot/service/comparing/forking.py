"""Where a fork left its parent, and what was said from there on in each."""

from collections.abc import Sequence

from moot.core.events import Answered, Filled, Unanswered
from moot.core.record import Record
from moot.core.telling import Narrator
from moot.service.comparing.columns import ReadDeliberation
from moot.service.comparing.values import ForkPoint, StepChange

MOST_STEPS = 40
LONGEST = 4_000
"""Characters of what is told of one step."""

Said = Answered | Unanswered | Filled


def fork_points(reads: Sequence[ReadDeliberation]) -> tuple[ForkPoint, ...]:
    """Return where each fork left its parent, of those whose parent stands beside them."""
    by_id = {read.head.id: read for read in reads}
    left = [(read.header.parent, read) for read in reads if read.header.parent]
    return tuple(_fork_point(by_id[parent.id], read, parent.at) for parent, read in left if parent.id in by_id)


def _fork_point(parent: ReadDeliberation, fork: ReadDeliberation, at: str) -> ForkPoint:
    before, after = _said(parent.folded.record), _said(fork.folded.record)
    names = list(before)
    kept = names[: names.index(at)] if at in before else [name for name in names if name in after]
    own = [name for name in dict.fromkeys((*names, *after)) if name not in kept]
    narrators = parent.folded.part.narrator, fork.folded.part.narrator
    changes = [
        StepChange(
            name,
            narrators[1].phase(name),
            _words(before.get(name), narrators[0]),
            _words(after.get(name), narrators[1]),
        )
        for name in own
    ]
    differing = [change for change in changes if change.before != change.after]
    return ForkPoint(
        fork=fork.head.id,
        parent=parent.head.id,
        at=at,
        kept=len(kept),
        equal=len(changes) - len(differing),
        steps=tuple(differing[:MOST_STEPS]),
        left_out=max(0, len(differing) - MOST_STEPS),
    )


def _said(record: Record) -> dict[str, Said]:
    """What was answered at each step, in order."""
    return {event.step: event for event in record.events if isinstance(event, Answered | Unanswered | Filled)}


def _words(event: Said | None, narrator: Narrator) -> str | None:
    if event is None:
        return None
    if isinstance(event, Unanswered):
        return f"no answer ({event.missing.reason})"
    told = narrator.reply(event.step, event.reply)
    text = "\n".join(f"{name}: {words}" if name else words for name, words in told.rows) or told.gist
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
