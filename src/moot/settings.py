"""Moot's own settings: one table with name, default, one line of help and environment variable each.

A protocol's settings are its own; these are the product's. Keys of providers are not settings: they are read
from the environment where a call is made, and kept nowhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from platformdirs import user_cache_path, user_data_path

APP = "moot"

Kind = Literal["text", "path", "number", "whole", "flag", "names"]


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting of the product."""

    name: str
    default: str
    help: str
    kind: Kind = "text"
    """What a value of it is; `names` are several, by commas."""

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"MOOT_{self.name.upper()}"


TABLE: tuple[SettingRow, ...] = (
    SettingRow("config", "", "a file to read instead of every moot.toml; `none` reads none", "path"),
    SettingRow("home", "", "the data folder; without it, the platform's own", "path"),
    SettingRow("cache", "", "the folder of model files; without it, the platform's own", "path"),
    SettingRow("database", "", "a database URL, sqlite:///… or postgresql://…; without it, a file in the data folder"),
    SettingRow("evals", "", "the folder of evaluations; without it, `evals` in the data folder", "path"),
    SettingRow("members", "", "who is asked without --member, separated by commas", "names"),
    SettingRow("embeddings", "", "the member that makes vectors; without it, static vectors on this machine"),
    SettingRow("pager", "", "the program that long texts are read in; without it, $PAGER, else less; `cat` is none"),
    SettingRow("timeout", "", "seconds that one try of a call may take; without it, what suits the provider", "number"),
    SettingRow(
        "calls_at_once",
        "",
        "calls that may be under way with one provider at a time, of all processes on a PostgreSQL database together; "
        "without it, what suits the provider",
        "whole",
    ),
    SettingRow("threads", "", "threads of the embedded model; without it, the cores that are free", "whole"),
    SettingRow("slots", "", "replies to one prompt that the embedded model writes at once; without it, 4", "whole"),
    SettingRow("context", "", "tokens of context of the embedded model; without it, 8192 at most", "whole"),
    SettingRow(
        "serve_members", "", "members that a caller of the server may name, by commas; without it, none", "names"
    ),
    SettingRow("serve_hosts", "", "further host names under which the server may be reached, by commas", "names"),
    SettingRow(
        "serve_https",
        "",
        "whether people reach the server by https, through a proxy; 1 lets cookies go no other way",
        "flag",
    ),
    SettingRow("serve_runs", "8", "deliberations that the server runs at once", "whole"),
    SettingRow("serve_queue", "100", "deliberations that may wait for their turn at the server", "whole"),
    SettingRow(
        "worker_silent",
        "10",
        "seconds without a sign of life after which a worker counts as dead and its deliberations start elsewhere",
        "number",
    ),
    SettingRow(
        "serve_rate",
        "50",
        "how many requests per second each key may send to the server, on average over four seconds",
        "number",
    ),
    SettingRow("serve_body", "1000000", "bytes that the body of a request to the server may have", "whole"),
    SettingRow("serve_connections", "1000", "connections to the server that may be open at once", "whole"),
    SettingRow(
        "serve_usd", "", "dollars that a caller's deliberation may cost; without it, the protocol's own limit", "number"
    ),
    SettingRow(
        "serve_calls", "", "calls that a caller's deliberation may make; without it, the protocol's own limit", "whole"
    ),
    SettingRow("serve_day_calls", "2000", "calls that the deliberations of one key may make in a day of UTC", "whole"),
    SettingRow("serve_day_usd", "20", "dollars that the deliberations of one key may cost in a day of UTC", "number"),
    SettingRow(
        "otel",
        "",
        "whether traces are sent over OTLP; without it, if OTEL_EXPORTER_OTLP_ENDPOINT says where to",
        "flag",
    ),
    SettingRow("otel_texts", "", "whether traces hold what was asked and answered; without it, they do not", "flag"),
    SettingRow("server", "", "the address of a Moot server that `moot mcp` works on; without it, its own process"),
)


class BadValue(ValueError):
    """A setting's value that cannot be used."""

    def __init__(self, row: SettingRow, problem: str) -> None:
        super().__init__(problem)
        self.name = row.variable
        self.problem = problem


@dataclass(frozen=True, slots=True)
class ProductSettings:
    """The product's settings, read once from an environment."""

    values: Mapping[str, str]

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> "ProductSettings":
        """Return the settings that an environment makes."""
        return cls({row.name: environ.get(row.variable, "").strip() or row.default for row in TABLE})

    @property
    def home(self) -> Path:
        """The data folder."""
        return Path(self.values["home"]) if self.values["home"] else user_data_path(APP, appauthor=False)

    @property
    def cache(self) -> Path:
        """The folder of model files."""
        return Path(self.values["cache"]) if self.values["cache"] else user_cache_path(APP, appauthor=False)

    @property
    def database(self) -> str:
        """The database URL."""
        return self.values["database"] or f"sqlite:///{(self.home / 'moot.db').absolute().as_posix()}"

    @property
    def evals(self) -> Path:
        """The folder of evaluations: a folder of results in it is a run that the server shows."""
        return Path(self.values["evals"]) if self.values["evals"] else self.home / "evals"

    @property
    def members(self) -> tuple[str, ...]:
        """Who is asked when nobody is named."""
        return self.names("members")

    def names(self, name: str) -> tuple[str, ...]:
        """Return a setting that is a list with commas between."""
        return tuple(part.strip() for part in self.values[name].split(",") if part.strip())

    def flag(self, name: str) -> bool:
        """Return a setting that is on or off; left open, it is off.

        Raises:
            BadValue: for anything but 1, 0, true and false.
        """
        text = self.values[name].lower()
        if text not in ("", "0", "1", "false", "true"):
            raise BadValue(next(row for row in TABLE if row.name == name), f"{text!r} is neither 1 nor 0")
        return text in ("1", "true")

    def number(self, name: str) -> float | None:
        """Return a setting that is a positive number, or None where it is left open.

        Raises:
            BadValue: for anything else.
        """
        text = self.values[name]
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not 0 < value < float("inf"):
            raise BadValue(next(row for row in TABLE if row.name == name), f"{text!r} is not a positive number")
        return value

    def whole(self, name: str) -> int | None:
        """Return a setting that is a whole number, or None where it is left open."""
        value = self.number(name)
        if value is None:
            return None
        if value != int(value):
            raise BadValue(next(row for row in TABLE if row.name == name), f"{value} is not a whole number")
        return int(value)
