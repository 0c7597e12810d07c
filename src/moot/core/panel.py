"""Who is asked: seats, each with a name of its own and the model that sits in it."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Member:
    """One seat of a panel. Two seats may hold one model; their names always differ."""

    name: str
    model: str
    """The string that names the model, such as `openai:gpt-5-mini` or `embedded`."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The members of a deliberation, in the order they were named."""

    members: tuple[Member, ...]

    def __iter__(self) -> Iterator[Member]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, index: int) -> Member:
        return self.members[index]

    def seat(self, name: str) -> Member:
        """Return the member who sits under this name."""
        for member in self.members:
            if member.name == name:
                return member
        raise KeyError(f"nobody sits under the name {name!r}")

    @property
    def models(self) -> tuple[str, ...]:
        """The distinct models, in order: agreement between copies of one is not evidence."""
        return tuple(dict.fromkeys(member.model for member in self.members))


def seated(models: list[str]) -> Panel:
    """Return a panel with one seat per model in the list, named m1, m2, …"""
    return Panel(tuple(Member(f"m{number}", model) for number, model in enumerate(models, 1)))
