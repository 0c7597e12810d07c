"""A record as Markdown: the answer and what it is worth, then who said what."""

from collections.abc import Iterator

from moot.core.record import Record
from moot.core.telling import PLAIN_NARRATOR, Narrator
from moot.core.verdict import Verdict
from moot.views.transcript import Utterance, transcript
from moot.views.words import (
    MEANING,
    coda_rows,
    confidence_words,
    escaped,
    flat,
    harmless,
    missing_rows,
    one_line,
    other_caveats,
    took_words,
    turnout_words,
)


def markdown(deliberation: str, record: Record, report: str = "", narrator: Narrator = PLAIN_NARRATOR) -> str:
    """Return the whole deliberation as a Markdown text; `report` and `narrator` are the protocol's own part."""
    parts = [*_head(deliberation, record, narrator), *([report, ""] if report else []), *_transcript(record, narrator)]
    return "\n".join(parts).rstrip() + "\n"


def _head(deliberation: str, record: Record, narrator: Narrator) -> Iterator[str]:
    header, verdict = record.header, record.verdict
    yield f"# {escaped(one_line(header.question.text, 200))}"
    yield ""
    yield f"*{header.protocol} {header.protocol_version}, deliberation {deliberation}*"
    yield ""
    if verdict is None:
        yield f"**{MEANING[record.status]}**"
    else:
        yield from _verdict(verdict, narrator)
    yield f"- Members: {', '.join(f'{member.name} = {escaped(member.model)}' for member in header.panel)}"
    yield f"- Distinct models: {len(header.panel.models)}"
    yield f"- Took: {took_words(record)}"
    for model, kept in record.compliance.items():
        yield f"- {escaped(model)} kept to the shape asked for in {kept.first_time} of {kept.asked} replies at once"
    if header.question.documents:
        yield f"- Documents: {', '.join(escaped(document.name) for document in header.question.documents)}"
    yield ""


def _verdict(verdict: Verdict, narrator: Narrator) -> Iterator[str]:
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
    for words in missing_rows(verdict, narrator):
        yield f"- Missing: {escaped(words)}"


def _transcript(record: Record, narrator: Narrator) -> Iterator[str]:
    yield "## Who said what"
    yield ""
    for phase in transcript(record, narrator):
        yield f"### {escaped(flat(phase.title))}"
        yield ""
        for said in phase.utterances:
            yield from _told(said)


def _told(said: Utterance) -> Iterator[str]:
    if said.kind == "noted":
        yield f"*{escaped(flat(said.gist))}*"
    else:
        aside = f" ({escaped(flat(said.aside))})" if said.aside else ""
        yield f"**{escaped(flat(said.who or 'waiting'))}**{aside}: {escaped(flat(said.gist))}"
    yield ""
    for name, words in said.rows:
        # Words at the start of an entry could be read as another list: the program's own stand before them.
        yield f"- **{escaped(flat(name)) or 'says'}**: {escaped(flat(words))}"
    if said.rows:
        yield ""


def _quoted(text: str) -> str:
    return "\n".join(f"> {escaped(line)}" for line in harmless(text).splitlines())
