"""The engine over one database, and its jobs guarded: who has lost a job neither ends it nor gives it back."""

import datetime
from typing import Any

from procrastinate import App, PsycopgConnector, jobs, manager
from procrastinate.retry import BaseRetryStrategy, RetryDecision
from sqlalchemy import URL
from typing_extensions import override

from moot.store.queue.installing import SCHEMA

CONNECTIONS = 4
"""One is kept open, and as many are opened while jobs are taken and ended at once."""
WAIT_SECONDS = 3.0
"""For a connection; whoever needs one tries again."""
FORGET_SECONDS = 3600.0
"""A worker without jobs that has been silent so long is no longer listed."""

# Who has a job is told by the worker and by how often it was put back. `MATERIALIZED` locks the row before the engine's
# function looks at it.
_MINE = """
    SELECT id FROM procrastinate_jobs
    WHERE id = %(job)s AND worker_id = %(worker)s AND attempts = %(attempts)s AND status = 'doing' FOR UPDATE
"""
_FINISH = f"""
WITH mine AS MATERIALIZED ({_MINE})
SELECT procrastinate_finish_job_v1(id, %(status)s, %(delete)s) FROM mine
"""  # noqa: S608 - constants
_GIVE_BACK = f"""
WITH mine AS MATERIALIZED ({_MINE}),
kept AS (
    UPDATE procrastinate_jobs AS job
    SET status = 'todo', attempts = attempts + 1, worker_id = NULL,
        scheduled_at = now() + make_interval(secs => %(seconds)s::float8),
        priority = COALESCE(%(priority)s, priority), queue_name = COALESCE(%(queue)s, queue_name)
    FROM mine WHERE job.id = mine.id AND NOT job.abort_requested AND NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs AS other
        WHERE other.queueing_lock = job.queueing_lock AND other.status = 'todo'
    )
    RETURNING job.id, job.queue_name
),
dropped AS (
    DELETE FROM procrastinate_jobs AS job USING mine
    WHERE job.id = mine.id AND NOT EXISTS (SELECT 1 FROM kept)
)
SELECT pg_notify('procrastinate_queue_v1#' || queue_name, '{{"type": "job_inserted", "job_id": ' || id || '}}')
FROM kept WHERE %(seconds)s::float8 IS NULL
"""  # noqa: S608 - constants
_BEAT = """
INSERT INTO procrastinate_workers (id, last_heartbeat) OVERRIDING SYSTEM VALUE VALUES (%(worker)s, now())
ON CONFLICT (id) DO UPDATE SET last_heartbeat = now()
"""
_FORGET = """
DELETE FROM procrastinate_workers AS worker
WHERE last_heartbeat < now() - make_interval(secs => %(seconds)s)
AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs AS job WHERE job.worker_id = worker.id AND job.status = 'doing')
RETURNING worker.id AS worker_id
"""


class GuardedJobs(manager.JobManager):
    """Jobs that only whoever has them ends or gives back, and workers that are not forgotten while they have any."""

    @override
    async def finish_job(self, job: jobs.Job, status: jobs.Status, delete_job: bool) -> None:
        """End a job, if it is still its worker's."""
        await self.connector.execute_query_async(_FINISH, status=status.value, delete=delete_job, **_token(job))

    @override
    async def retry_job(
        self,
        job: jobs.Job,
        retry_at: datetime.datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """Give a job back, if it is still its worker's; one that is to be aborted, or waits already, is dropped.

        How long it waits is counted by the database's clock, as it is when a job is taken: this machine's may be wrong.
        """
        seconds = None if retry_at is None else max(0.0, (retry_at - self.moment()).total_seconds())
        given = {"seconds": seconds, "priority": priority, "queue": queue}
        await self.connector.execute_query_async(_GIVE_BACK, **given, **_token(job))

    def moment(self) -> datetime.datetime:
        """Return what this machine takes for now, by which the engine says when."""
        return datetime.datetime.now(datetime.UTC)

    @override
    async def update_heartbeat(self, worker_id: int) -> None:
        """Tell that a worker lives; one that was taken for dead and forgotten is known again."""
        await self.connector.execute_query_async(_BEAT, worker=worker_id)

    @override
    async def prune_stalled_workers(self, seconds_since_heartbeat: float) -> list[int]:
        """Forget workers that have been silent for long and have no job: of others it must stay known who they are."""
        rows = await self.connector.execute_query_all_async(_FORGET, seconds=FORGET_SECONDS)
        return [row["worker_id"] for row in rows]


def _token(job: jobs.Job) -> dict[str, Any]:
    return {"job": job.id, "worker": job.worker_id, "attempts": job.attempts}


class PutBack(Exception):
    """A job that is not done and is to be taken up again, by whomever, after some seconds."""

    def __init__(self, seconds: float = 0) -> None:
        super().__init__(f"again in {seconds:g} s")
        self.seconds = seconds


class OnlyPutBack(BaseRetryStrategy):
    """Give back what says so, and nothing else: what was answered, or broke, is not tried again by the engine."""

    @override
    def get_retry_decision(self, *, exception: BaseException, job: jobs.Job) -> RetryDecision | None:
        """Return when a job is taken up again; None where it is not."""
        if not isinstance(exception, PutBack):
            return None
        return (
            RetryDecision(retry_in={"milliseconds": int(exception.seconds * 1000)})
            if exception.seconds
            else RetryDecision()
        )


async def notify(app: App, channel: str, payload: str) -> None:
    """Tell whoever listens to a channel."""
    await app.connector.execute_query_async(
        "SELECT pg_notify(%(channel)s, %(payload)s)", channel=channel, payload=payload
    )


def engine_for(url: URL) -> App:
    """Return the engine over a database; it has few connections of its own, and is to be opened."""
    connector = PsycopgConnector(
        conninfo=url.set(drivername="postgresql").render_as_string(hide_password=False),
        kwargs={"options": f"-c search_path={SCHEMA}", "application_name": "moot worker"},
        min_size=1,
        max_size=CONNECTIONS,
        timeout=WAIT_SECONDS,
    )
    app = App(connector=connector)
    app.job_manager = GuardedJobs(connector)
    return app
