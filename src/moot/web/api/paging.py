"""Lists in pages: a cursor says where the next one begins, and stays right while new rows arrive."""

import base64
import binascii
from collections.abc import Sequence
from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import BaseModel, Field

from moot.core.errors import BadSetting

T = TypeVar("T")

Limit = Annotated[int, Query(ge=1, le=200, description="how many at most")]
Cursor = Annotated[str | None, Query(max_length=100, description="the `next` of the page before")]
PAGE = 50
LARGEST = 2**62


class Page(BaseModel, Generic[T]):
    """Some of a list, and where the rest begins."""

    items: list[T]
    next: str | None = Field(default=None, description="give it as `cursor` for the next page; null at the end")


def place_of(cursor: str | None) -> int | None:
    """Return the number that a cursor stands for.

    Raises:
        BadSetting: for what was never a cursor of this server.
    """
    if cursor is None:
        return None
    try:
        number = int(base64.urlsafe_b64decode(cursor.encode() + b"==").decode().removeprefix("n"))
    except (ValueError, binascii.Error):
        number = -1
    if not 0 <= number < LARGEST:
        raise BadSetting(name="cursor", problem="it is none of this server's; leave it out to begin anew")
    return number


def cursor_at(number: int) -> str:
    """Return the cursor that stands for a number."""
    return base64.urlsafe_b64encode(f"n{number}".encode()).decode().rstrip("=")


def next_cursor(numbers: Sequence[int], limit: int) -> str | None:
    """Return where the page after these rows begins, where there may be one."""
    return cursor_at(numbers[-1]) if len(numbers) == limit else None
