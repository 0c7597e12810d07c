"""A record as one self-contained page: no script, nothing loaded from anywhere."""

from collections.abc import Iterable, Iterator
from html import escape

from moot.core.record import Record
from moot.core.telling import PLAIN_NARRATOR, Narrator
from moot.core.verdict import Status
from moot.views.drawing import drawing
from moot.views.graph_layout import parts_of_graph
from moot.views.transcript import Utterance, transcript
from moot.views.words import (
    MEANING,
    coda_rows,
    confidence_words,
    counted,
    harmless,
    missing_rows,
    one_line,
    other_caveats,
    took_words,
    turnout_words,
)

STYLE = """
:root{color-scheme:light dark;--ink:#1c2330;--soft:#5b6678;--line:#d9dee7;--paper:#fff;--wash:#f4f6fa;
--good:#1b7f4b;--warn:#a15c00;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf2;--soft:#9aa6ba;--line:#2d3646;--paper:#121722;--wash:#1a2130;
--good:#58c48c;--warn:#e0a44c;--bad:#f2827a}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:50rem;margin:2rem auto;
padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.35rem;line-height:1.3}h2{font-size:1.05rem;margin-top:2rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:1.4rem 0 .4rem}.note{color:var(--soft);font-size:.9rem;margin:.4rem 0}.said{margin:.4rem 0}
.said small{color:var(--soft)}
.answer{font-size:1.15rem;background:var(--wash);border-left:4px solid var(--mark);padding:.8rem 1rem;
white-space:pre-wrap}
.badge{display:inline-block;border:1px solid var(--mark);color:var(--mark);border-radius:1rem;padding:.05rem .7rem;
font-size:.9rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dt{color:var(--soft)}dd{margin:0}
details{border:1px solid var(--line);border-radius:.4rem;padding:.4rem .8rem;margin:.5rem 0}
figure{margin:0 -1rem;overflow-x:auto}.legend{color:var(--soft);font-size:.9rem}
table{border-collapse:collapse;font-size:.9rem}td,th{border:1px solid var(--line);padding:.15rem .5rem;text-align:left}
summary{cursor:pointer}summary small{color:var(--soft)}pre{white-space:pre-wrap;margin:.3rem 0;font:inherit}
"""

LEGEND = (
    "Blue: given, by a document or a member. Grey: inferred. Amber: assumed. Green: conclusion. "
    "Red: refuted, or an attack. Point at a claim to read it whole."
)

_MARK = {Status.COMPLETE: "good", Status.FAILED: "bad", Status.FLAGGED: "bad", Status.CANCELLED: "bad"}


def page(deliberation: str, record: Record, report: str = "", narrator: Narrator = PLAIN_NARRATOR) -> str:
    """Return the deliberation as an HTML page; `report`, in Markdown, and `narrator` are the protocol's own part."""
    title = escape(one_line(record.header.question.text, 120))
    body = "\n".join(
        [*_head(deliberation, record, narrator), *_picture(record), _html(report), *_transcript(record, narrator)]
    )
    mark = _MARK.get(record.status, "warn")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f'<style>{STYLE}</style></head>\n<body style="--mark:var(--{mark})">\n{body}\n</body></html>\n'
    )


def _picture(record: Record) -> Iterator[str]:
    graph = record.verdict.detail.get("graph") if record.verdict else None
    if not graph:
        return
    cone, rest = parts_of_graph(graph)
    yield f'<h2>The argument</h2><figure>{drawing(cone)}</figure><p class="legend">{LEGEND}</p>'
    if left_out := len(rest["nodes"]):
        title = counted(left_out, "more claim")
        yield _folded(title, "not part of what leads to a conclusion", f"<figure>{drawing(rest)}</figure>")


def _html(report: str) -> str:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").render(report) if report else ""


def _head(deliberation: str, record: Record, narrator: Narrator) -> Iterator[str]:
    header, verdict = record.header, record.verdict
    yield f"<h1>{_text(header.question.text)}</h1>"
    yield f'<p><span class="badge">{escape(MEANING[record.status])}</span></p>'
    if verdict and verdict.answer:
        yield f'<div class="answer">{_text(verdict.answer)}</div>'
    rows = [("deliberation", f"{deliberation}, {header.protocol} {header.protocol_version}")]
    if verdict:
        rows += coda_rows(verdict)
        rows += [("stopped because", verdict.stop_reason), ("confidence", confidence_words(verdict.confidence))]
        rows += [("caveat", caveat) for caveat in other_caveats(verdict)]
        rows += [(f"dissent by {', '.join(other.held_by)}", other.answer) for other in verdict.dissent]
        rows += [("answered", turnout)] if (turnout := turnout_words(verdict)) else []
        rows += [("missing", words) for words in missing_rows(verdict, narrator)]
    rows += [("members", ", ".join(f"{member.name} = {member.model}" for member in header.panel))]
    rows += [("distinct models", str(len(header.panel.models))), ("took", took_words(record))]
    yield _rows(rows)
    for document in header.question.documents:
        yield _folded(document.name, "document", _pre(document.text))


def _transcript(record: Record, narrator: Narrator) -> Iterator[str]:
    yield "<h2>Who said what</h2>"
    for phase in transcript(record, narrator):
        yield f"<h3>{_text(phase.title)}</h3>"
        yield from map(_told, phase.utterances)


def _told(said: Utterance) -> str:
    if said.kind == "noted":
        return f'<p class="note">{_text(said.gist)}</p>'
    thought = f"<p><small>reasoning set aside</small></p>{_pre(said.reasoning)}" if said.reasoning else ""
    if not (said.rows or thought):
        return f'<p class="said">{_text(said.line)} <small>{_text(said.aside)}</small></p>'
    prose = "".join(_pre(words) for name, words in said.rows if not name)
    named = [row for row in said.rows if row[0]]
    return _folded(said.line, said.aside, prose + (_rows(named) if named else "") + thought)


def _folded(title: str, small: str, body: str) -> str:
    return f"<details><summary>{_text(title)} <small>{_text(small)}</small></summary>{body}</details>"


def _rows(rows: Iterable[tuple[str, str]]) -> str:
    return f"<dl>{''.join(f'<dt>{_text(name)}</dt><dd>{_text(value)}</dd>' for name, value in rows)}</dl>"


def _text(text: str) -> str:
    return escape(harmless(text))


def _pre(text: str) -> str:
    return f"<pre>{_text(text)}</pre>"
