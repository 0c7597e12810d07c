"""What is done and to come, where a run stands, and why its answer is believed."""

from collections.abc import Iterable

from moot.core.panes import PaneItem, SeatPosition, SeatStanding, Stage
from moot.views.pane_html.items import avatar, items_html, linked, mark_word, small
from moot.views.pane_html.links import PaneLinks
from moot.views.svg import safe_text
from moot.views.words import counted


def stages_html(stages: Iterable[Stage], links: PaneLinks) -> str:
    """Return the stages in their order; those to come are there as well, so that one sees how far it is."""
    entries = "".join(_stage(stage, links) for stage in stages)
    return f'<ol class="stages">{entries}</ol>' if entries else ""


def _stage(stage: Stage, links: PaneLinks) -> str:
    href = links.href(f"e{stage.first}") if stage.first is not None else ""
    name = f'<a href="{safe_text(href)}">{safe_text(stage.words)}</a>' if href else safe_text(stage.words)
    count = counted(stage.events, "event") if stage.events else "" if stage.state == "done" else stage.state
    asides = " · ".join(filter(None, (count, stage.aside)))
    current = ' aria-current="step"' if stage.state == "now" else ""
    look = stage.state.replace(" ", "-")
    return f'<li class="stage {look}"{current}><b>{name}</b>{small(asides)}</li>'


def standing_html(standing: SeatStanding, links: PaneLinks) -> str:
    """Return each seat's latest answer, and how many agree."""
    lead = f"<p>{safe_text(standing.lead)}</p>" if standing.lead else ""
    agreement = f'<p class="agreement">{safe_text(standing.agreement)}</p>' if standing.agreement else ""
    positions = "".join(_position(position, links) for position in standing.positions)
    return f'{lead}{agreement}<ul class="positions">{positions}</ul>' if positions else f"{lead}{agreement}"


def _position(position: SeatPosition, links: PaneLinks) -> str:
    answer = linked(position.answer, f"e{position.event}" if position.event is not None else "", links)
    confidence = f'<span class="figure">{position.confidence:.2f}</span>' if position.confidence is not None else ""
    said = f"<div>{answer}{small(position.aside)}</div><div>{mark_word(position.vote, '')}{confidence}</div>"
    # Another answer of the seat is another entry: a link to the one does not turn into a link to the other.
    key = f"{links.name(position.seat)} {position.event}"
    return f'<li data-key="{safe_text(key)}">{avatar(position.seat, links)}{said}</li>'


def why_html(why: Iterable[PaneItem], links: PaneLinks) -> str:
    """Return why the answer is believed."""
    return items_html(why, links)
