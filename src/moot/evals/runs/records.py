"""The deliberations of a run, which lie in the run's own record beside its rows."""

from collections.abc import Mapping

from moot.core.errors import NotFound
from moot.evals.runs.harness import Access, opened
from moot.evals.runs.results import RECORD, Results
from moot.service.protocol_part import ProtocolPart, protocol_part
from moot.service.results import Result


async def read_kept(results: Results, deliberation: str, environ: Mapping[str, str]) -> tuple[Result, ProtocolPart]:
    """Return a deliberation as the run has kept it, and what its protocol makes of it. Nobody is asked.

    Raises:
        NotFound: where the run's record does not have it.
        StoreError: where that record cannot be opened.
    """
    if not (results.folder / RECORD).is_file():
        raise NotFound(
            what="deliberation", name=deliberation[:100], see=f"{RECORD} is no longer beside the rows of this run"
        )
    async with opened(Access(environ), results.database) as service:
        shown = await service.show(deliberation)
        return shown, protocol_part(shown.record, service.find_protocol)
