"""What people did to a deliberation afterwards, and whether it still counts."""

from dataclasses import dataclass
from typing import Any

from moot.service.contests import CONTEST
from moot.service.service import Service
from moot.store.acts import Act


@dataclass(frozen=True, slots=True)
class ActReading:
    """An act, and the act that took it back."""

    act: Act
    undone_by: int | None

    @property
    def counts(self) -> bool:
        """Whether it is a contest that nobody has taken back."""
        return self.act.kind == CONTEST and self.undone_by is None

    @property
    def data(self) -> dict[str, Any]:
        """What it says, of a contest: the claim's id and words, and the reason."""
        return dict(self.act.data)


async def read_acts(service: Service, prefix: str) -> tuple[ActReading, ...]:
    """Return the acts on a deliberation, in order."""
    acts = await service.store.acts.read(await service.store.deliberations.resolve(prefix))
    undone = {act.undoes: act.seq for act in acts if act.undoes is not None}
    return tuple(ActReading(act, undone.get(act.seq)) for act in acts)
