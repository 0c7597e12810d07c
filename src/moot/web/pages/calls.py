"""What was paid for, call by call, and the record as it is kept."""

import asyncio
import csv
import io
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from moot.service.reading.acts import read_acts
from moot.service.reading.heads import DeliberationHead
from moot.views.call_rows import CSV_COLUMNS, CallRow, call_rows, call_sums, csv_cells
from moot.views.formats import EXPORT_FORMATS
from moot.views.pretty import pretty
from moot.web.pages.heading import DeliberationHeading
from moot.web.pages.rendering import render
from moot.web.serving import Here, Serving

ROWS = 500
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
    rows = await _rows(serving, heading.head)
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
            sums={name: call_sums(rows, name) for name in SUMMED},
        ),
    )


@router.get("/d/{id}/calls.csv")
async def calls_csv(heading: DeliberationHeading, serving: Here) -> Response:
    """Send every attempt as a table for other programs."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(CSV_COLUMNS)
    table.writerows(map(csv_cells, await _rows(serving, heading.head)))
    attachment = {"Content-Disposition": f'attachment; filename="{heading.head.id}-calls.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=attachment)


@router.get("/d/{id}/record")
async def record(request: Request, heading: DeliberationHeading, serving: Here) -> HTMLResponse:
    """Show what was settled before the first step, what was done to the deliberation since, and its exports."""
    acts = await read_acts(serving.service, heading.head.id)
    header = heading.head.header
    settled = {
        "protocol": f"{header.protocol} {header.protocol_version}",
        "moot": header.moot_version,
        "seed": str(header.seed),
    }
    return render(
        request,
        "record.html",
        **heading.context("record", acts=acts, settled=settled, settings=pretty(header.settings), forms=EXPORT_FORMATS),
    )


async def _rows(serving: Serving, head: DeliberationHead) -> tuple[CallRow, ...]:
    folded = await serving.folds.read(head.id, head.events - 1)
    return await asyncio.to_thread(call_rows, folded.record, folded.part.narrator)
