"""From templates to pages: what models, documents and people wrote comes out as text, and as nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from moot.version import __version__
from moot.views.ages import age_words
from moot.views.words import harmless, one_line
from moot.web.access import ADMIN, AGENT, REVIEWER, Caller
from moot.web.pages import figures
from moot.web.pages.assets import asset, digest
from moot.web.serving import Serving


@dataclass(frozen=True, slots=True)
class RailEntry:
    """A place that the rail at the left leads to, and who may go there."""

    path: str
    words: str
    scopes: tuple[str, ...] = ()
    keys: str = ""
    """What is typed to get there."""


RAIL = (
    RailEntry("/", "Deliberations", keys="g d"),
    RailEntry("/ask", "Ask", (AGENT, REVIEWER), keys="g a"),
)


def _plainly(value: Any) -> Any:
    """What an expression gives, without characters that move a cursor or turn a line around."""
    return harmless(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("moot.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_plainly,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    ours: dict[str, Any] = {"asset": asset, "moot_version": __version__, "static_digest": digest}
    made.globals.update(ours)
    made.filters.update(
        added=figures.added,
        age=age_words,
        aliased=figures.aliased,
        clipped=one_line,
        compact=figures.compact,
        dollars=figures.dollars,
        duration=figures.duration,
        moment=figures.moment,
        seat_hue=figures.seat_hue,
        seat_number=figures.seat_number,
        tone=figures.tone,
    )
    return made


ENVIRONMENT = _environment()


def render(
    request: Request, template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **context: Any
) -> HTMLResponse:
    """Return a page."""
    caller = request.scope.get("state", {}).get("caller")
    signed_in = caller if isinstance(caller, Caller) else None
    everywhere = {
        "caller": signed_in,
        "rail": [entry for entry in RAIL if signed_in and (not entry.scopes or signed_in.has(*entry.scopes))],
        "here": request.url.path,
        "may_review": bool(signed_in and signed_in.has(REVIEWER)),
        "is_admin": bool(signed_in and signed_in.has(ADMIN)),
    }
    return HTMLResponse(part(template, **{**everywhere, **context}), status_code=status, headers=headers)


def part(template: str, **context: Any) -> str:
    """Return a piece of a page, as a stream sends it: the same template, the same markup."""
    return ENVIRONMENT.get_template(template).render(**context)


def serving_of(request: Request) -> Serving:
    """Return the server that a page is of."""
    return request.app.state.serving
