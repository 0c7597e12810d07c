"""`/usage`: what calls took by day, model or key, as a chart, a table, and a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from moot.core.budget import Spent
from moot.core.errors import BadSetting
from moot.core.moments import iso_moment
from moot.service.reading.usage import Grouping, UsageLine, UsageReading, read_usage, whole_days
from moot.views.call_rows import csv_cell
from moot.views.charts import AmountBar, day_columns, named_bars
from moot.web.access import REVIEWER, AnyCaller
from moot.web.entitled import own_only
from moot.web.pages.figures import added, compact, dollars, duration
from moot.web.pages.rendering import render
from moot.web.pages.shown.csv_files import csv_file
from moot.web.pages.shown.panes import drawn
from moot.web.serving import Here

Amount = Literal["calls", "tokens", "dollars", "seconds"]

MOST_DAYS, MOST_NAMES = 92, 20
"""What a chart has room for; the table has all."""
SPANS = {"7 days": 7, "30 days": 30, "90 days": 90}
CSV_COLUMNS = (
    *("calls", "tokens_in", "tokens_out", "usd", "seconds"),
    *("calls_of_unknown_tokens_in", "calls_of_unknown_tokens_out", "calls_of_unknown_usd"),
)
LONGEST = 100
DAY_SECONDS = 86_400
DAY = len("2026-01-31")

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class UsageState:
    """What the address says; each choice is a link to the same page with another state."""

    by: Grouping = "day"
    since: str = ""
    until: str = ""
    show: Amount = "calls"

    def address(self, path: str = "/usage", **changes: Any) -> str:
        """Return the address of the page with these changes."""
        other = replace(self, **changes)
        given = {name: getattr(other, name) for name in self.__slots__}
        query = urlencode({name: value for name, value in given.items() if value not in ("", "day", "calls")})
        return f"{path}?{query}" if query else path


def _state(
    by: Annotated[Grouping, Query()] = "day",
    since: Annotated[str, Query(max_length=LONGEST)] = "",
    until: Annotated[str, Query(max_length=LONGEST)] = "",
    show: Annotated[Amount, Query()] = "calls",
) -> UsageState:
    return UsageState(by, since.strip(), until.strip(), show)


UsageAsked = Annotated[UsageState, Depends(_state)]


@router.get("/usage")
async def usage(request: Request, serving: Here, caller: AnyCaller, state: UsageAsked) -> HTMLResponse:
    """Show what calls took in a span."""
    problem, reading = "", None
    try:
        reading = await read_usage(
            serving.service, state.by, since=state.since, until=state.until, reader=own_only(caller)
        )
    except BadSetting as bad:
        problem = str(bad)
    now = serving.clock.now()
    since_days = {words: iso_moment(now - DAY_SECONDS * (days - 1))[:DAY] for words, days in SPANS.items()}
    return render(
        request,
        "usage.html",
        status=422 if problem else 200,
        state=state,
        problem=problem,
        reading=reading,
        chart=usage_chart(reading, state.show) if reading else Markup(),
        groupings=get_args(Grouping),
        amounts=get_args(Amount),
        spans={"all time": state.address(since="", until="")}
        | {words: state.address(since=day, until="") for words, day in since_days.items()},
        sees_all=caller.has(REVIEWER),
    )


@router.get("/usage.csv")
async def usage_csv(serving: Here, caller: AnyCaller, state: UsageAsked) -> Response:
    """Send the lines as a table for other programs."""
    reading = await read_usage(serving.service, state.by, since=state.since, until=state.until, reader=own_only(caller))
    rows = ([csv_cell(cell) for cell in (line.name, *_cells(line.spent))] for line in reading.lines)
    return csv_file(f"usage-by-{state.by}", (state.by, *CSV_COLUMNS), rows)


def usage_chart(reading: UsageReading, show: Amount) -> Markup:
    """Return the chart of one amount; nothing where no call was made."""
    by_day = reading.by == "day"
    lines = whole_days(reading.lines, MOST_DAYS) if by_day else reading.lines
    if not lines:
        return Markup()
    words = AMOUNTS[show].words
    bars = [_bar(line, AMOUNTS[show]) for line in lines]
    bars = bars if by_day else sorted(bars, key=lambda bar: -bar.amount)[:MOST_NAMES]
    unknown = " as far as known" if any(bar.partly for bar in bars) else ""
    finding = f"{show} by {reading.by}{unknown}: {words(reading.total)} in all, {_most(bars)}"
    return drawn((day_columns if by_day else named_bars)(finding, bars))


@dataclass(frozen=True, slots=True)
class AmountShown:
    """How an amount is counted, said, and of how many calls it is unknown."""

    value: Callable[[Spent], float | None]
    words: Callable[[Spent], str]
    unknown: Callable[[Spent], int] = lambda spent: 0


def _tokens(spent: Spent) -> float | None:
    return added((spent.tokens_in, spent.tokens_out))


AMOUNTS: dict[str, AmountShown] = {
    "calls": AmountShown(lambda spent: spent.calls, lambda spent: compact(spent.calls)),
    "tokens": AmountShown(
        _tokens,
        lambda spent: compact(_tokens(spent)),
        lambda spent: max(spent.unknown.tokens_in, spent.unknown.tokens_out),
    ),
    "dollars": AmountShown(
        lambda spent: spent.usd, lambda spent: dollars(spent.usd, spent.unknown.usd), lambda spent: spent.unknown.usd
    ),
    "seconds": AmountShown(lambda spent: spent.seconds, lambda spent: duration(spent.seconds)),
}


def _bar(line: UsageLine, shown: AmountShown) -> AmountBar:
    value = shown.value(line.spent) or 0.0
    return AmountBar(line.name, value, shown.words(line.spent), partly=shown.unknown(line.spent) > 0)


def _most(bars: Sequence[AmountBar]) -> str:
    top = max(bars, key=lambda bar: bar.amount)
    return f"the most for {top.name}: {top.words}"


def _cells(spent: Spent) -> tuple[object, ...]:
    unknown = spent.unknown
    known = (spent.calls, spent.tokens_in, spent.tokens_out, spent.usd, f"{spent.seconds:.3f}")
    return (*known, unknown.tokens_in, unknown.tokens_out, unknown.usd)
