"""`/compare`: two to six deliberations side by side; with fewer, what may be ticked beside them."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from moot.core.errors import BadSetting
from moot.core.panes import TextDiff
from moot.service.comparing.reading import FEWEST, MOST, compare
from moot.service.comparing.values import StepChange
from moot.views.pane_html.diffs import diff_html
from moot.web.access import AnyCaller, Caller
from moot.web.comparing import readable_ids
from moot.web.pages.compared.offering import offered_groups
from moot.web.pages.compared.state import CompareState
from moot.web.pages.rendering import render
from moot.web.pages.shown.panes import drawn
from moot.web.serving import Here, Serving

CLAIMS = 100
"""Claims of one page."""

router = APIRouter(include_in_schema=False)


@router.get("/compare")
async def compared(
    request: Request,
    serving: Here,
    caller: AnyCaller,
    d: Annotated[list[str], Query(max_length=50)] = [],  # noqa: B006 (FastAPI copies it)
    base: Annotated[str, Query(max_length=100)] = "",
    start: Annotated[int, Query(ge=0, le=2**62)] = 0,
    choose: Annotated[bool, Query()] = False,
) -> HTMLResponse:
    """Show deliberations side by side."""
    chosen = await readable_ids(d, serving, caller)
    if choose or not FEWEST <= len(chosen) <= MOST:
        return await _picker(request, serving, caller, chosen)
    try:
        comparison = await compare(serving.service, serving.folds, chosen, base or None)
    except BadSetting as bad:
        return await _picker(request, serving, caller, chosen, str(bad))
    state = CompareState(tuple(chosen), comparison.base, start)
    tokens = [_tokens(one.spent.tokens_in, one.spent.tokens_out) for one in comparison.columns]
    return render(
        request,
        "compare/page.html",
        state=state,
        comparison=comparison,
        base=next(one for one in comparison.columns if one.id == comparison.base),
        claims=comparison.claims[start : start + CLAIMS],
        size=CLAIMS,
        tokens=tokens,
        most_tokens=max(tokens, default=0),
        forks=[(point, [(change, _diff(change)) for change in point.steps]) for point in comparison.forks],
        parents=_parents_missing(state, [one.parent for one in comparison.columns]),
        can_drop=len(chosen) > FEWEST,
    )


def _parents_missing(state: CompareState, parents: list[str | None]) -> list[str]:
    """The parents that do not stand beside their forks, where there is room for them."""
    others = dict.fromkeys(parent for parent in parents if parent and parent not in state.ids)
    return list(others) if len(state.ids) < MOST else []


def _tokens(tokens_in: int | None, tokens_out: int | None) -> int:
    return (tokens_in or 0) + (tokens_out or 0)


def _diff(change: StepChange) -> Markup | None:
    if change.before is None or change.after is None:
        return None
    return drawn(diff_html(TextDiff(change.before, change.after), 4))


async def _picker(
    request: Request, serving: Serving, caller: Caller, chosen: list[str], problem: str = ""
) -> HTMLResponse:
    if len(chosen) > MOST:
        problem = f"{len(chosen)} are ticked, and at most {MOST} can stand side by side: untick some."
    groups = await offered_groups(serving, caller, chosen)
    return render(
        request,
        "compare/picker.html",
        status=422 if problem else 200,
        groups=groups,
        problem=problem,
        now=serving.clock.now(),
    )
