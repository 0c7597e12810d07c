"""What pages load: one style sheet and a few modules, under an address that changes whenever one of them does."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from fastapi import APIRouter
from fastapi.responses import Response

from moot.core.errors import NotFound
from moot.views.style import PALETTE_CSS, VIEWS_CSS

STYLE = "moot.css"
PALETTE_SHEET, VIEWS_SHEET = "00-a-palette.css", "45-drawings.css"
"""The places of what `views` brings, which the export has too, among the sheets of pages."""
MEDIA = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}

router = APIRouter(include_in_schema=False)


@cache
def assets() -> Mapping[str, bytes]:
    """Return the texts by name; the style sheets of all parts are one."""
    folder = files("moot.web.pages") / "static"
    files_of = {each.name: each.read_bytes() for each in (folder / "css").iterdir() if each.name.endswith(".css")}
    sheets = {**files_of, PALETTE_SHEET: PALETTE_CSS.encode(), VIEWS_SHEET: VIEWS_CSS.encode()}
    kept = [each for each in folder.iterdir() if each.is_file() and each.name.rpartition(".")[2] in MEDIA]
    alone = {each.name: each.read_bytes() for each in kept}
    return MappingProxyType({STYLE: tight(b"\n".join(sheets[name] for name in sorted(sheets))), **alone})


def tight(sheet: bytes) -> bytes:
    """Return a style sheet without the room around what parts its rules: no string of ours holds such a sign."""
    return re.sub(rb"\s*([{};,>])\s*|(:)\s+", rb"\1\2", sheet).replace(b";}", b"}")


@cache
def digest() -> str:
    """Return what tells these texts from those of any other version."""
    summed = hashlib.sha256()
    for name, text in sorted(assets().items()):
        summed.update(f"{name}\0{len(text)}\0".encode() + text)
    return summed.hexdigest()[:16]


def asset(name: str) -> str:
    """Return the address of a text.

    Raises:
        KeyError: for one that there is not.
    """
    assets()[name]
    return f"/static/{digest()}/{name}"


@router.get("/static/{version}/{name}")
async def read_asset(version: str, name: str) -> Response:
    """Send a text; a page of another version of Moot asks in vain, and says so."""
    if version != digest() or name not in assets():
        raise NotFound(what="file", name=name, see="reload the page: this server has another version of it")
    return Response(assets()[name], media_type=MEDIA[name.rpartition(".")[2]], headers=FOREVER)
