"""What was paid for, call by call, and the record as it is kept."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from moot.core.errors import RecordError, UsageError
from moot.service.reading.acts import read_acts
from moot.service.reading.folds import FoldedRecord
from moot.views.call_rows import CSV_COLUMNS, CallRow, CallSum, call_rows, call_sums, csv_cells
from moot.views.formats import EXPORT_FORMATS
from moot.views.pretty import pretty
from moot.web.pages.heading import DeliberationHeading
from moot.web.pages.rendering import render
from moot.web.pages.shown.csv_files import csv_file
from moot.web.serving import Here, Serving

ROWS = 500
MOST_SUMS = 200
"""Lines of a table of sums; the file of all calls has what is left out."""
SUMMED: tuple[Literal["seat", "model", "phase"], ...] = ("seat", "model", "phase")

router = APIRouter(include_in_schema=False)


@router.get("/d/{id}/calls")
async def calls(
    request: Request,
    heading: DeliberationHeading,
    serving: Here,
    start: Annotated[int, Query(ge=0, le=2**62)] = 0,
    failures: Annotated[bool, Query()] = False,
) -> HTMLResponse:
    """Show every attempt, and what they took by seat, model and phase."""
    folded = await serving.folds.read_soon(heading.head)
    rows, sums = await asyncio.to_thread(_rows_and_sums, folded)
    shown = [row for row in rows if row.failed] if failures else rows
    return render(
        request,
        "calls.html",
        **heading.context(
            "calls",
            rows=shown[start : start + ROWS],
            start=start,
            size=ROWS,
            total=len(shown),
            failures=failures,
            sums=sums,
            most=MOST_SUMS,
            note="" if folded.last >= 0 else folded.panes.note,
        ),
    )


@router.get("/d/{id}/calls.csv")
async def calls_csv(heading: DeliberationHeading, serving: Here) -> Response:
    """Send every attempt as a table for other programs."""
    folded = await serving.folds.read(heading.head.id, heading.head.events - 1)
    rows = await asyncio.to_thread(call_rows, folded.record, folded.part.narrator)
    return csv_file(f"{heading.head.id}-calls", CSV_COLUMNS, map(csv_cells, rows))


@router.get("/d/{id}/record")
async def record(request: Request, heading: DeliberationHeading, serving: Here) -> HTMLResponse:
    """Show what was settled before the first step, what was done to the deliberation since, and its exports."""
    acts = await read_acts(serving.service, heading.head.id)
    header = heading.head.header
    settled = {
        "protocol": f"{header.protocol} {header.protocol_version}",
        "moot": header.moot_version,
        "seed": str(header.seed),
        "replay": await _replay_words(serving, heading.head.id),
    }
    return render(
        request,
        "record.html",
        **heading.context("record", acts=acts, settled=settled, settings=pretty(header.settings), forms=EXPORT_FORMATS),
    )


async def _replay_words(serving: Serving, id_: str) -> str:
    try:
        await serving.service.check_replayable(id_)
    except (RecordError, UsageError) as error:
        return f"not here: {error}"
    return f"all that began it is here: moot replay {id_} goes through it again and asks nobody"


def _rows_and_sums(folded: FoldedRecord) -> tuple[tuple[CallRow, ...], Mapping[str, tuple[CallSum, ...]]]:
    rows = call_rows(folded.record, folded.part.narrator)
    return rows, {name: call_sums(rows, name) for name in SUMMED}
