"""Where deliberations are kept: SQLite by default, PostgreSQL by its URL.

    store           what the rest of Moot uses: `Store`
    callers         the part of it that is about the callers of a server
    hold            a deliberation in the hands of the one process that runs it
    journal, steps, deliberations, acts, served, keys, requests, graphs, watched
                    what each table means, as functions over a connection
    writer          the one thread that writes, and commits in groups
    locks           who runs a deliberation; a lock dies with its process
    database        the two engines, and their failures by Moot's names
    schema, migrations
                    the tables, and how an older database gets them

Nothing here knows a protocol or a model.
"""

from moot.store.acts import Act
from moot.store.deliberations import Summary
from moot.store.hold import Hold
from moot.store.keys import Key
from moot.store.requests import Stored
from moot.store.served import Served
from moot.store.store import Store

__all__ = ["Act", "Hold", "Key", "Served", "Store", "Stored", "Summary"]
