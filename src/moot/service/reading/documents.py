"""A file that somebody hands over, read into the document that members would be shown."""

import asyncio

from moot.core.question import Document
from moot.gateway.documents import document_from


async def read_handed_over(name: str, data: bytes) -> Document:
    """Return the document that a file holds: text, Markdown, HTML, PDF or DOCX.

    Raises:
        DocumentUnreadable: it is too large, empty, or of a kind that cannot be read.
    """
    return await asyncio.to_thread(document_from, name, data)
