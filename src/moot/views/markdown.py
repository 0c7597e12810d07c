"""A record as Markdown: the answer and what it is worth, then who said what."""

from collections.abc import Iterator, Mapping
from typing import Any

from moot.core.events import Answered, Embedded, Event, Filled, Noted, Opened, Unanswered
from moot.core.record import Record
from moot.core.verdict import Verdict
from moot.views.replies import reply_rows
from moot.views.words import (
    MEANING,
    coda_rows,
    confidence_words,
    escaped,
    flat,
    harmless,
    missing_rows,
    missing_words,
    note_words,
    one_line,
    other_caveats,
    took_words,
    turnout_words,
)


def markdown(deliberation: str, record: Record, report: str = "") -> str:
    """Return the whole deliberation as a Markdown text; `report` is the protocol's own part."""
    parts = [*_head(deliberation, record), *([report, ""] if report else []), *_transcript(record)]
    return "\n".join(parts).rstrip() + "\n"


def _head(deliberation: str, record: Record) -> Iterator[str]:
    header, verdict = record.header, record.verdict
    yield f"# {escaped(one_line(header.question.text, 200))}"
    yield ""
    yield f"*{header.protocol} {header.protocol_version}, deliberation {deliberation}*"
    yield ""
    if verdict is None:
        yield f"**{MEANING[record.status]}**"
    else:
        yield from _verdict(verdict)
    yield f"- Members: {', '.join(f'{member.name} = {escaped(member.model)}' for member in header.panel)}"
    yield f"- Distinct models: {len(header.panel.models)}"
    yield f"- Took: {took_words(record)}"
    for model, kept in record.compliance.items():
        yield f"- {escaped(model)} kept to the shape asked for in {kept.first_time} of {kept.asked} replies at once"
    if header.question.documents:
        yield f"- Documents: {', '.join(escaped(document.name) for document in header.question.documents)}"
    yield ""


def _verdict(verdict: Verdict) -> Iterator[str]:
    yield _quoted(verdict.answer) if verdict.answer else "**There is no answer.**"
    yield ""
    for name, text in coda_rows(verdict):
        yield f"- {escaped(name.capitalize())}: {escaped(text)}"
    yield f"- Status: {MEANING[verdict.status]}"
    yield f"- Stopped because: {escaped(verdict.stop_reason)}"
    yield f"- Confidence: {escaped(confidence_words(verdict.confidence))}"
    for caveat in other_caveats(verdict):
        yield f"- Caveat: {escaped(one_line(caveat, 500))}"
    for other in verdict.dissent:
        yield f"- Dissent by {escaped(', '.join(other.held_by))}: {escaped(one_line(other.answer, 500))}"
    if turnout := turnout_words(verdict):
        yield f"- Answered: {escaped(turnout)}"
    for words in missing_rows(verdict):
        yield f"- Missing: {escaped(words)}"


def _transcript(record: Record) -> Iterator[str]:
    yield "## Who said what"
    yield ""
    for event in record.events:
        yield from _told(event)


def _told(event: Event) -> Iterator[str]:
    match event:
        case Answered():
            salvaged = ", salvaged" if event.salvaged else ""
            yield f"### {escaped(event.step)}: {event.seat} ({escaped(event.model)}{salvaged})"
            yield ""
            yield from _fields(event.reply)
        case Unanswered():
            yield f"### {escaped(event.step)}: {event.seat} did not answer"
            yield ""
            yield escaped(missing_words(event.missing))
        case Opened():
            yield f"### {escaped(event.step)}: open to {escaped(event.role)}"
            yield ""
            yield escaped(event.title)
        case Filled():
            yield f"### {escaped(event.step)}: filled by {escaped(event.agent)}"
            yield ""
            yield from _fields(event.reply)
        case Embedded():
            yield f"*{escaped(event.step)}: {event.texts} texts by {escaped(event.backend or 'no backend')}*"
        case Noted():
            yield f"*{escaped(event.name)}:* `{_escaped_code(note_words(event.data))}`"
        case _:
            return
    yield ""


def _fields(reply: Mapping[str, Any]) -> Iterator[str]:
    for name, words in reply_rows(reply):
        yield f"- **{escaped(name)}**: {escaped(flat(words))}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {escaped(line)}" for line in harmless(text).splitlines())


def _escaped_code(text: str) -> str:
    return text.replace("`", "'")
