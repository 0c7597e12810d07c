"""From the messages of a chat to a question with its context and its documents. Pure.

A client attaches what it likes: a file is taken for a document only where it is text.
"""

import base64
import binascii
from collections.abc import Sequence
from urllib.parse import unquote_to_bytes

from moot.core.errors import BadContent
from moot.core.question import Document
from moot.service.asking import MOST_DOCUMENTS
from moot.web.chat.bodies import AttachedFile, ChatMessage, ContentPart
from moot.web.chat.prompts import with_context

INSTRUCTING = ("system", "developer")
SPEAKING = ("user", "assistant")
WORDS = ("text", "input_text", "output_text")
FILES = ("file", "input_file")
LONGEST_NAME = 100


def question_text(messages: Sequence[ChatMessage]) -> str:
    """Return the last message, which has to be the user's, with what was said before it as its context.

    Raises:
        BadContent: for a chat that does not end with a question, or holds what is neither words nor text files.
    """
    for place, message in enumerate(messages):
        if message.role not in (*INSTRUCTING, *SPEAKING):
            raise BadContent(name=f"messages.{place}.role", problem=f"{message.role[:40]!r} takes no part here")
    *before, last = messages
    if last.role != "user":
        raise BadContent(name="messages", problem="the last message has to be the user's: it is the question")
    instructions = [_words(message) for message in before if message.role in INSTRUCTING]
    said = [(message.role, _words(message)) for message in before if message.role in SPEAKING]
    return with_context(_words(last), instructions, said)


def attached_documents(messages: Sequence[ChatMessage]) -> tuple[Document, ...]:
    """Return the text files of all messages, in order.

    Raises:
        BadContent: for a file that is no text, and for what is neither words nor a file.
    """
    documents: list[Document] = []
    for place, message in enumerate(messages):
        for number, part in enumerate(message.content if isinstance(message.content, list) else ()):
            where = f"messages.{place}.content.{number}"
            if part.type in FILES:
                documents.append(_document(part, where, len(documents) + 1))
            elif part.type not in WORDS:
                problem = f"a part of the type {part.type[:40]!r} cannot be read; members read words and text files"
                raise BadContent(name=where, problem=problem)
    if len(documents) > MOST_DOCUMENTS:
        raise BadContent(name="messages", problem=f"{MOST_DOCUMENTS} documents are the most")
    return tuple(documents)


def _words(message: ChatMessage) -> str:
    if isinstance(message.content, str):
        return message.content.strip()
    texts = [part.text or "" for part in message.content or () if part.type in WORDS]
    return "\n".join(text.strip() for text in texts if text.strip())


def _document(part: ContentPart, where: str, number: int) -> Document:
    file = part.file or AttachedFile(filename=part.filename, file_data=part.file_data)
    name = (file.filename or "").strip()[:LONGEST_NAME] or f"attachment {number}"
    if not file.file_data:
        raise BadContent(name=where, problem=f"the file {name!r} has no file_data; a file has to come with the chat")
    try:
        text = _bytes(file.file_data).decode("utf-8-sig")
    except (ValueError, binascii.Error):
        problem = f"the file {name!r} is no UTF-8 text in base64; turn it into text first"
        raise BadContent(name=where, problem=problem) from None
    if "\0" in text:
        raise BadContent(name=where, problem=f"the file {name!r} holds NUL, which is no text")
    return Document(name=name, text=text)


def _bytes(data: str) -> bytes:
    """What a file holds, of a data URL or of base64 alone."""
    if not data.startswith("data:"):
        return base64.b64decode(data, validate=True)
    head, _, body = data.partition(",")
    return base64.b64decode(body, validate=True) if head.endswith(";base64") else unquote_to_bytes(body)
