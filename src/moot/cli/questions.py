"""Where a question comes from: the command line, a task file, or a pipe."""

import json
import sys
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from moot.core.errors import DocumentUnreadable, UsageError
from moot.core.question import Document, Question
from moot.gateway.documents import plain_text, read_documents


class Task(BaseModel):
    """A task file (interrogation 4). `expected_answer` is for evals and never reaches a prompt."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    documents: tuple[str | Document, ...] = ()
    expected_answer: str | None = None


def asked_question(text: str | None, task: Path | None, claim: str | None, docs: list[str], form: str) -> Question:
    """Return the question that the words of a command make.

    Raises:
        UsageError: where there is no question, or two.
    """
    if sum(given is not None for given in (text, task, claim)) > 1:
        raise UsageError("the question is given twice, as an argument, by --task or by --claim; keep one of them.")
    if task is not None:
        read = _read_task(task)
        return Question(
            text=read.question, documents=(*_named(read), *read_documents(docs, sys.stdin.buffer)), form=form
        )
    documents = read_documents(docs, sys.stdin.buffer)
    if claim is not None:
        if not documents:
            raise UsageError("a claim is tested against documents: add --doc FILE.")
        return Question(text=claim, documents=documents, form=form or "true or false")
    if text is None:
        piped = not (sys.stdin.isatty() or "-" in docs)
        text = plain_text("the question on stdin", sys.stdin.buffer.read()) if piped else ""
    return Question(text=text, documents=documents, form=form)


def _read_task(path: Path) -> Task:
    try:
        return Task.model_validate(json.loads(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise DocumentUnreadable(name=str(path), problem=error.strerror or "it cannot be read") from None
    except (ValueError, ValidationError):
        problem = 'it is not a task; write {"question": "…", "documents": ["…"]}'
        raise DocumentUnreadable(name=str(path), problem=problem) from None


def _named(task: Task) -> list[Document]:
    return [
        item if isinstance(item, Document) else Document(name=f"document {number}", text=item)
        for number, item in enumerate(task.documents, 1)
    ]
