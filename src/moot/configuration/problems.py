"""What is wrong with a moot.toml: the file, the place in it, and the way out; never a value of it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

LONGEST_PART = 40

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that cannot be used."""

    file: str
    problem: str
    """What is wrong and what helps, without a full stop."""
    key: str = ""
    line: int | None = None

    @property
    def words(self) -> str:
        """The problem in one line."""
        place = f", {self.key}" if self.key else f", line {self.line}" if self.line else ""
        return f"{self.file}{place}: {self.problem}"


def dotted(parts: Iterable[str]) -> str:
    """Return a key as TOML writes it, fit for a terminal: what is no plain word is quoted and cut."""
    return ".".join(part if _BARE.fullmatch(part) else _quoted(part) for part in map(_cut, parts))


def _cut(part: str) -> str:
    return part if len(part) <= LONGEST_PART else f"{part[:LONGEST_PART]}…"


def _quoted(part: str) -> str:
    return f'"{ascii(part)[1:-1]}"' if not part.isprintable() else f'"{part}"'
