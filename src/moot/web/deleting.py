"""Deleting a deliberation for good: the same for the API and for pages."""

from moot.core.errors import MissingScope
from moot.web.access import ADMIN, Caller
from moot.web.serving import Serving


async def delete_deliberation(id_: str, serving: Serving, caller: Caller) -> None:
    """Stop a deliberation, and delete it with all that was answered.

    Raises:
        MissingScope: for anybody but an admin.
        AlreadyRunning: where another process works on it.
    """
    if not caller.has(ADMIN):
        raise MissingScope(needed=(ADMIN,), has=caller.scopes)
    await serving.runs.cancel(id_)
    await serving.store.deliberations.delete(id_)
    serving.folds.forget(id_)
