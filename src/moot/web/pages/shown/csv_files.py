"""Tables for other programs, as files for the reader's disk."""

import csv
import io
from collections.abc import Iterable, Sequence

from fastapi.responses import Response


def csv_file(name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Response:
    """Return a table as a file of this name; its cells are harmless already."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(columns)
    table.writerows(rows)
    attachment = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=attachment)
