"""Where deliberations are kept: SQLite by default, PostgreSQL by its URL.

    store           one database, opened: `Store`, its parts, and the hold of whoever runs a deliberation
    deliberations   `store.deliberations`: what was asked, where it stands, its run events
    journal         `store.journals`: every attempt and what became of it, to be read
    steps           `store.steps`: open steps, for people and outside agents
    acts            `store.acts`: what people did to a deliberation afterwards
    served          `store.served`: what servers run, and for whom
    callers         `store.callers`: the keys of a server's callers, and the requests that they may repeat
    sessions        `store.sessions`: the browsers that have signed in at a server
    graphs          `store.graphs`: the argument graphs of a server's callers
    costs, keys, requests, watched
                    what further tables mean, as functions over a connection
    queue           `store.queue`, `store.workers`: what waits for workers, and who works, on PostgreSQL alone
    hold            a deliberation in the hands of the one process that runs it
    writer          the one thread that writes, and commits in groups
    locks           who runs a deliberation; a lock dies with its process
    database        the two engines, and their failures by Moot's names
    schema, migrations
                    the tables, and how an older database gets them

Nothing here knows a protocol or a model.
"""

from moot.store.acts import Act
from moot.store.hold import Hold
from moot.store.keys import Key
from moot.store.lists import Summary
from moot.store.requests import Stored
from moot.store.served import Served
from moot.store.store import Store

__all__ = ["Act", "Hold", "Key", "Served", "Store", "Stored", "Summary"]
