"""What waits to be run by workers, on PostgreSQL: the job queue `procrastinate`, in a schema of its own.

    names       which queue a deliberation waits in, and which of them a worker with so much room takes from
    installing  the tables of the engine, by one of Moot's migrations
    jobs        `store.queue`: putting in, taking out, and what waits, in the transactions of the store
    turns       fair turns between keys, and a person before a batch
    engine      the engine itself, with what its stock parts lack: who has lost a job no longer ends it
    standing    a worker that outlives its database, and starts elsewhere what a dead one left

A job carries the id of a deliberation and nothing else. Who runs it is decided by the lock and the epoch of the store.
"""
