"""What a form sends, read as text: `application/x-www-form-urlencoded` and nothing else."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_letters, digits
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import Depends, Request

from moot.core.errors import BadBody
from moot.service.asking import Refusal
from moot.views.surfaces import said_to

MOST_FIELDS = 2000
URLENCODED = "application/x-www-form-urlencoded"
ONCE = "once"
SENT_AS_THEY_ARE = f"{ascii_letters}{digits} *-._".encode()
"""What takes one byte in a form; a space is sent as a plus."""


@dataclass(frozen=True, slots=True)
class SentForm:
    """The fields of a form, each with all its values in order."""

    fields: Mapping[str, Sequence[str]]
    size: int = 0
    """How many bytes it took to send."""

    def text(self, name: str, default: str = "") -> str:
        """Return the first value of a field, without space around it."""
        return self.whole(name, default).strip()

    def whole(self, name: str, default: str = "") -> str:
        """Return the first value of a field as it was sent, with plain line breaks."""
        return next(iter(self.fields.get(name, ())), default).replace("\r\n", "\n")

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of a field."""
        return tuple(value.replace("\r\n", "\n") for value in self.fields.get(name, ()))

    @property
    def once(self) -> str:
        """What makes a second sending of the same form the same request; empty where it carries nothing."""
        return self.text(ONCE)[:100]


def fresh_once() -> str:
    """Return what a form carries so that it is done once, however often it is sent."""
    return secrets.token_urlsafe(18)


async def _form(request: Request) -> SentForm:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if body and kind != URLENCODED:
        raise BadBody(problem=f"a form is sent as {URLENCODED}")
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except (UnicodeDecodeError, ValueError):
        raise BadBody(problem=f"it is no form of at most {MOST_FIELDS} fields in UTF-8") from None
    if any("\0" in value or "\0" in name for name, values in fields.items() for value in values):
        raise BadBody(problem="it holds NUL, which is no text")
    return SentForm(fields, len(body))


def sent_size(text: str) -> int:
    """Return how many bytes a text takes in a form: a line break is two characters there, and most signs take three."""
    data = text.replace("\n", "\r\n").encode()
    return len(data) + 2 * len(data.translate(None, SENT_AS_THEY_ARE))


Problems = dict[str, tuple[str, ...]]
"""What is wrong with what was sent, by field."""

Form = Annotated[SentForm, Depends(_form)]


def problems_at(fields: Sequence[str], refusals: Sequence[Refusal], otherwise: str = "") -> Problems:
    """Return every refusal at the field of a form that it is about; of a single member at all members.

    One of a setting stands at that setting, and one of no field of the form at another.
    """
    told: Problems = {}
    for refusal in refusals:
        first = refusal.field.partition(".")[0]
        near = first if first in fields else otherwise
        place = refusal.field if first == "settings" or refusal.field in fields else near
        told[place] = (*told.get(place, ()), said_to("page", refusal.problem))
    return told
