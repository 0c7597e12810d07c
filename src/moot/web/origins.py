"""Whether a request comes from this server's own pages, from a program, or from a page of somebody else.

Cookies do not know ports: a page of another port of this machine counts as the same site, and its requests carry the
cookies of this server. So whatever is done by a cookie has to come from the same origin.
"""

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from moot.core.errors import ForeignHost, ForeignOrigin
from moot.gateway.members import is_loopback

READING = frozenset({"GET", "HEAD"})
"""What changes nothing, ever."""


CHAT = "/v1"
"""Where the server speaks as a model does."""


def is_chat(path: str) -> bool:
    """Whether an address is one under which the server speaks as a model does."""
    return path == CHAT or path.startswith(f"{CHAT}/")


def is_page(path: str) -> bool:
    """Whether an address is of a page, or of what pages load, and not of a program's."""
    return not (path == "/api" or path.startswith("/api/") or is_chat(path))


def is_followed_link(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link to a page from a page elsewhere. Nothing is done by it, and no cookie counts."""
    elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    opens_a_page = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return elsewhere and opens_a_page and scope["method"] in READING and is_page(scope["path"])


def check_origin(scope: Scope, headers: Headers, hosts: tuple[str, ...]) -> None:
    """Do nothing for a request to this server that no foreign page sent.

    Raises:
        ForeignHost: for a name that is neither this machine's, nor an address, nor listed.
        ForeignOrigin: for a request by a page of another origin.
    """
    host = headers.get("host", "")
    name = _hostname(host)
    if not (is_loopback(name) or _is_address(name) or name in hosts):
        raise ForeignHost(host=host[:100])
    origin = headers.get("origin")
    if origin is not None and _netloc(origin) != host.lower():
        raise ForeignOrigin(origin=origin[:100])
    if headers.get("sec-fetch-site") == "cross-site" and not is_followed_link(scope, headers):
        raise ForeignOrigin(origin="another site")


def check_same_origin(scope: Scope, headers: Headers) -> None:
    """Do nothing for a request of this server's own pages, or one by which somebody only reads.

    Raises:
        ForeignOrigin: for one that another port, another site or nobody knows who sent.
    """
    site, is_reading = headers.get("sec-fetch-site"), scope["method"] in READING
    if site == "same-origin" or (site == "none" and is_reading):
        return
    # A browser without the one header sends the other with whatever is not merely read; `check_origin` compares it.
    if site is None and (is_reading or headers.get("origin") is not None):
        return
    raise ForeignOrigin(origin=headers.get("origin", "another address")[:100])


def _hostname(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
