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
from moot.web.slot_names import slot_id

FLAGS = "flags"
"""The mark in a request's state for how many flags wait, where its caller may see them."""


@dataclass(frozen=True, slots=True)
class RailEntry:
    """A place that the rail at the left leads to, and who may go there."""

    path: str
    words: str
    scopes: tuple[str, ...] = ()
    keys: str = ""
    """What is typed to get there."""
    under: tuple[str, ...] = ()
    """How the addresses begin of the pages that belong to it."""


BOARD = "/board"
RAIL = (
    RailEntry("/", "Deliberations", keys="g d", under=("/d/",)),
    RailEntry("/ask", "Ask", (AGENT, REVIEWER), keys="g a"),
    RailEntry(BOARD, "Board", keys="g b", under=(f"{BOARD}/", "/flags")),
    RailEntry("/compare", "Compare", keys="g c"),
    RailEntry("/evals", "Evaluations", (REVIEWER,), keys="g e", under=("/evals/",)),
    RailEntry("/usage", "Usage", keys="g u"),
    RailEntry("/keys", "Keys", (ADMIN,), keys="g k"),
    RailEntry("/workers", "Workers", (ADMIN,), keys="g w"),
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
        countdown=figures.countdown,
        dollars=figures.dollars,
        duration=figures.duration,
        moment=figures.moment,
        seat_hue=figures.seat_hue,
        seat_number=figures.seat_number,
        slot_id=slot_id,
        status_word=figures.status_word,
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
        "counts": {BOARD: getattr(request.state, FLAGS, 0)},
        "may_review": bool(signed_in and signed_in.has(REVIEWER)),
        "is_admin": bool(signed_in and signed_in.has(ADMIN)),
    }
    return HTMLResponse(part(template, **{**everywhere, **context}), status_code=status, headers=headers)


def part(template: str, **context: Any) -> str:
    """Return a piece of a page, as a stream sends it: the same template, the same markup."""
    return ENVIRONMENT.get_template(template).render(**context)


async def count_flags(request: Request) -> None:
    """Note how many flags wait for whoever reviews, for the rail of the page."""
    caller = request.scope.get("state", {}).get("caller")
    if isinstance(caller, Caller) and caller.has(REVIEWER):
        setattr(request.state, FLAGS, await serving_of(request).board.count_flags())


def serving_of(request: Request) -> Serving:
    """Return the server that a page is of."""
    return request.app.state.serving
