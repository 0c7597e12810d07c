"""The workers of a server's database, as they stand at this moment."""

from moot.service.background.workforce import WorkforceReading
from moot.web.serving import Serving


async def read_here(serving: Serving) -> WorkforceReading | None:
    """Return the workers; None where the server runs everything itself."""
    if serving.store.workers is None:
        return None
    return WorkforceReading(await serving.store.workers.look(), serving.limits.silent)
