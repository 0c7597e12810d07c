"""The tables, written once for both databases.

Order is kept by numbers that the database hands out, never by a clock, which may jump.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    true,
)

metadata = MetaData()

# SQLite counts a primary key by itself only where the type is plain INTEGER.
_NUMBER = BigInteger().with_variant(Integer(), "sqlite")


def _deliberation() -> Column[str]:
    return Column("deliberation", Text, ForeignKey("deliberations.id", ondelete="CASCADE"), nullable=False)


deliberations = Table(
    "deliberations",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("protocol", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("parent", Text),
    Column("started", Double, nullable=False),
    Column("header", Text, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("active", Double, nullable=False),
    Index("deliberations_parent", "parent"),
)

# A table of its own: a database reads what stands behind a header only by going through the header's documents.
outlines = Table(
    "outlines",
    metadata,
    Column("deliberation", Text, ForeignKey("deliberations.id", ondelete="CASCADE"), primary_key=True),
    Column("models", Text, nullable=False),
    Column("mode", Text),
    Column("answer", Text),
    Column("confidence", Double),
    Column("basis", Text),
    Column("ended", Double),
    Column("seconds", Double),
    Column("calls", BigInteger),
    Column("tokens", BigInteger),
    Column("usd", Double),
)

events = Table(
    "events",
    metadata,
    _deliberation(),
    Column("seq", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    PrimaryKeyConstraint("deliberation", "seq"),
)

attempts = Table(
    "attempts",
    metadata,
    _deliberation(),
    Column("step", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("reasoning", Text, nullable=False),
    Column("problem", Text, nullable=False),
    Column("tokens_in", BigInteger),
    Column("tokens_out", BigInteger),
    Column("usd", Double),
    Column("started", Double, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("tries", Integer, nullable=False),
    # When it was about to be sent; null where a fork took it over from its parent, which has paid for it.
    Column("sent", Double),
    Column("model", Text, nullable=False, server_default=""),
    PrimaryKeyConstraint("deliberation", "step", "attempt"),
)

# What calls took is summed from this index alone: behind it stand their prompts and replies.
Index(
    "attempts_paid",
    *(
        attempts.c[name]
        for name in ("sent", "model", "deliberation", "tries", "tokens_in", "tokens_out", "usd", "seconds")
    ),
    sqlite_where=attempts.c.sent.is_not(None),
    postgresql_where=attempts.c.sent.is_not(None),
)

outcomes = Table(
    "outcomes",
    metadata,
    _deliberation(),
    Column("step", Text, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("salvaged", Boolean, nullable=False),
    PrimaryKeyConstraint("deliberation", "step"),
)

steps = Table(
    "steps",
    metadata,
    Column("number", _NUMBER, primary_key=True),
    _deliberation(),
    Column("step", Text, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("group_name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("context", Text, nullable=False),
    Column("reply_type", Text, nullable=False),
    Column("labels", Text, nullable=False),
    Column("agent", Text),
    Column("lease_until", Double),
    Column("reply", Text),
    Column("filled", BigInteger, nullable=False, server_default="0"),
    Column("waits", Boolean, nullable=False, server_default=true()),
    Index("steps_name", "deliberation", "step", unique=True),
    # One step per agent and group (ruling P1); both databases leave rows without an agent out of it.
    Index("steps_one_per_agent", "deliberation", "group_name", "agent", unique=True),
)

# Whoever looks for work finds it without reading what has been done.
Index(
    "steps_unfilled",
    steps.c.number,
    sqlite_where=steps.c.reply.is_(None),
    postgresql_where=steps.c.reply.is_(None),
)

acts = Table(
    "acts",
    metadata,
    _deliberation(),
    Column("seq", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("at", BigInteger),
    Column("undoes", BigInteger),
    Column("made", Double, nullable=False),
    PrimaryKeyConstraint("deliberation", "seq"),
    ForeignKeyConstraint(["deliberation", "undoes"], ["acts.deliberation", "acts.seq"]),
)

keys = Table(
    "keys",
    metadata,
    Column("id", _NUMBER, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("prefix", Text, nullable=False, unique=True),
    Column("digest", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("revoked", Double),
    Column("seen", Double),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("prefix", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("seen", Double, nullable=False),
    Column("until", Double, nullable=False),
    Index("sessions_prefix", "prefix", "seen"),
    Index("sessions_until", "until"),
)

served = Table(
    "served",
    metadata,
    Column("deliberation", Text, ForeignKey("deliberations.id", ondelete="CASCADE"), primary_key=True),
    Column("owner", Text),
    Column("wanted", Boolean, nullable=False),
    Column("request", Text, unique=True),
    # How often a server that started took it up again, and has not come to an end of it.
    Column("taken_up", Integer, nullable=False, server_default="0"),
    Index("served_owner", "owner"),
)

requests = Table(
    "requests",
    metadata,
    Column("owner", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("started", Double, nullable=False),
    Column("status", Integer),
    Column("headers", Text),
    Column("body", LargeBinary),
    PrimaryKeyConstraint("owner", "key"),
    Index("requests_started", "started"),
)

# What each key has spent in a day of UTC, by the day's number since the epoch.
spending = Table(
    "spending",
    metadata,
    Column("key", Text, nullable=False),
    Column("day", BigInteger, nullable=False),
    Column("calls", BigInteger, nullable=False),
    Column("usd", Double, nullable=False),
    PrimaryKeyConstraint("key", "day"),
)

# Until when a provider has asked everybody to wait.
pauses = Table(
    "pauses",
    metadata,
    Column("endpoint", Text, primary_key=True),
    Column("until", Double, nullable=False),
)

# How many calls each process has under way with a provider, and how many it may have.
call_shares = Table(
    "call_shares",
    metadata,
    Column("endpoint", Text, nullable=False),
    Column("process", Text, nullable=False),
    Column("wanted", Integer, nullable=False),
    Column("held", Integer, nullable=False),
    Column("until", Double, nullable=False),
    PrimaryKeyConstraint("endpoint", "process"),
)

# How many requests each key may send at once, as all servers have counted them.
paces = Table(
    "paces",
    metadata,
    Column("caller", Text, primary_key=True),
    Column("room", Double, nullable=False),
    Column("at", Double, nullable=False),
)

graphs = Table(
    "graphs",
    metadata,
    Column("owner", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("writes", BigInteger, nullable=False),
    PrimaryKeyConstraint("owner", "id"),
)

# The tables of workers are used on PostgreSQL alone; the engine's own are in a schema of theirs.
turns = Table(
    "turns",
    metadata,
    Column("lane", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("tag", BigInteger, nullable=False),
    PrimaryKeyConstraint("lane", "key"),
)

workers = Table(
    "workers",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("moot", Text, nullable=False),
    Column("queues", Text, nullable=False),
    Column("at_once", Integer, nullable=False),
    Column("session", Text, nullable=False),
    Column("since", Double, nullable=False),
    Column("draining", Boolean, nullable=False),
)

stops = Table(
    "stops",
    metadata,
    Column("deliberation", Text, ForeignKey("deliberations.id", ondelete="CASCADE"), primary_key=True),
    Column("code", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("goes_on", Boolean, nullable=False),
)

migrations = Table(
    "migrations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("applied", Double, nullable=False),
)
