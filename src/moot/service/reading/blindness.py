"""Who may read what members were asked and sent back: the journal holds what a phase brings before it is over."""

from moot.core.errors import NotYours
from moot.core.verdict import Status
from moot.service.service import Service


async def check_journal_open(service: Service, deliberation: str, *, reviewer: bool, is_told: bool = False) -> None:
    """Do nothing where the journal of a deliberation, or the part of it that is asked for, may be read.

    A reviewer may at any time. Whoever asked the question may once it has ended, or once the record itself tells of
    the part (`is_told`): the run events of a round come when its last member is in, and so when nobody can be
    anchored by them any more.

    Raises:
        NotYours: for anybody else.
    """
    if reviewer or is_told:
        return
    if not Status((await service.store.deliberations.summary(deliberation)).status).ended:
        raise NotYours(what="until it has ended, the record of", name=deliberation)
