"""A record as one self-contained page: no script, nothing loaded from anywhere, drawn as the server's pages are."""

from collections.abc import Iterable, Iterator

from moot.core.panes import Panes
from moot.core.record import Record
from moot.core.telling import PLAIN_NARRATOR, Narrator
from moot.core.verdict import Status
from moot.views.drawn_graph import DrawnGraph, graph_of_detail, leading_part, nearest_part
from moot.views.graph_svg import graph_svg, legend_html
from moot.views.graph_table import graph_table
from moot.views.pane_html import PaneLinks, block_html, pane_html, seat_numbers, stages_html, standing_html, why_html
from moot.views.plain_panes import plain_panes
from moot.views.style import PALETTE_CSS, VIEWS_CSS
from moot.views.svg import safe_text
from moot.views.transcript import Utterance, transcript
from moot.views.words import (
    MEANING,
    coda_rows,
    confidence_words,
    counted,
    missing_rows,
    one_line,
    other_caveats,
    took_words,
    turnout_words,
)

PAGE_CSS = """
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:56rem;margin:2rem auto;
padding:0 1rem;overflow-wrap:anywhere}
a{color:var(--accent)}
h1{font-size:1.35rem;line-height:1.3}
h2{font-size:1.05rem;margin:2rem 0 .6rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:1.4rem 0 .4rem}
.note{color:var(--soft);font-size:.9rem;margin:.4rem 0}
.said{margin:.4rem 0}
small{color:var(--soft);font-size:.86rem}
.answer{font-size:1.15rem;background:var(--wash);border-left:4px solid var(--mark);padding:.8rem 1rem;
white-space:pre-wrap}
.badge{display:inline-block;border:1px solid var(--mark);color:var(--mark);border-radius:1rem;padding:.05rem .7rem;
font-size:.9rem}
.ended-good{--mark:var(--good)}
.ended-warn{--mark:var(--warn)}
.ended-bad{--mark:var(--bad)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}
dt{color:var(--soft)}
dd{margin:0}
details{border:1px solid var(--line);border-radius:.4rem;padding:.4rem .8rem;margin:.5rem 0}
summary{cursor:pointer}
.drawing{margin:0;overflow:auto;max-height:48rem;border:1px solid var(--line);border-radius:.4rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.92rem}
td,th{border-bottom:1px solid var(--line);padding:.3rem .55rem;text-align:left;vertical-align:top}
th{color:var(--soft);font-size:.86rem}
.figure{text-align:right;font-variant-numeric:tabular-nums}
pre{white-space:pre-wrap;margin:.3rem 0;font:inherit}
pre code{display:block;white-space:pre;overflow-x:auto}
.pane header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 1rem;
border-bottom:1px solid var(--line);margin:2rem 0 .6rem}
.pane header h2{border:0;margin:0}
.seat{display:inline-grid;place-items:center;width:1.35rem;height:1.35rem;border-radius:50%;font-size:.72rem;
font-weight:700;color:var(--paper);background:var(--hue,var(--soft))}
.word{border-radius:.3rem;padding:0 .4rem;background:var(--chosen);font-size:.86rem}
.tone-good{color:var(--good)}
.tone-warn{color:var(--warn)}
.tone-bad{color:var(--bad)}
.tone-now{color:var(--now)}
.tone-soft{color:var(--soft)}
"""

MOST_DRAWN = 400
"""Claims that are drawn; of more, those nearest to a conclusion. The table has all."""

_MARK = {Status.COMPLETE: "good", Status.FAILED: "bad", Status.FLAGGED: "bad", Status.CANCELLED: "bad"}


def page(
    deliberation: str,
    record: Record,
    report: str = "",
    narrator: Narrator = PLAIN_NARRATOR,
    panes: Panes | None = None,
) -> str:
    """Return the deliberation as an HTML page; its protocol's part are `report`, in Markdown, `narrator`, `panes`."""
    body = record_html(deliberation, record, report, narrator, panes)
    title = safe_text(one_line(record.header.question.text, 120))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{PALETTE_CSS}{PAGE_CSS}{VIEWS_CSS}</style></head>\n"
        f'<body class="ended-{_MARK.get(record.status, "warn")}">\n{body}\n</body></html>\n'
    )


def record_html(
    deliberation: str,
    record: Record,
    report: str = "",
    narrator: Narrator = PLAIN_NARRATOR,
    panes: Panes | None = None,
) -> str:
    """Return all that a page says of a deliberation, from its first heading on."""
    shown = panes or plain_panes(record, narrator)
    links = PaneLinks(seat_numbers(member.name for member in record.header.panel), shown.aliases)
    return "\n".join(
        [
            *_head(deliberation, record, narrator),
            *_overview(record, shown, links),
            *_argument(record, links),
            *(pane_html(pane, links) for pane in shown.panes),
            *_report(report, shown),
            *_transcript(record, narrator),
        ]
    )


def _overview(record: Record, panes: Panes, links: PaneLinks) -> Iterator[str]:
    """The stages, and why the answer is believed or, while there is none, where it stands."""
    if panes.note:
        yield f'<p class="note">{safe_text(panes.note)}</p>'
    yield stages_html(panes.stages, links)
    if record.verdict is None:
        yield f"<h2>Where it stands</h2>{standing_html(panes.standing, links)}"
    elif why := why_html(panes.why, links):
        yield f"<h2>Why it is believed</h2>{why}"


def _argument(record: Record, links: PaneLinks) -> Iterator[str]:
    graph = graph_of_detail(record.verdict.detail) if record.verdict else DrawnGraph()
    if not graph.nodes:
        return
    leading, rest = leading_part(graph)
    yield f"<h2>The argument</h2>{_drawing(leading)}{legend_html()}"
    if rest.nodes:
        title = counted(len(rest.nodes), "more claim")
        yield _folded(title, "not part of what leads to a conclusion", _drawing(rest))
    yield _folded("The same as a table", counted(len(graph.nodes), "claim"), block_html(graph_table(graph), links))


def _drawing(graph: DrawnGraph) -> str:
    near = nearest_part(graph, MOST_DRAWN)
    left_out = len(graph.nodes) - len(near.nodes)
    note = f'<p class="note">{counted(left_out, "more claim")} of it are in the table alone.</p>' if left_out else ""
    return f'<figure class="drawing">{graph_svg(near)}</figure>{note}'


def _report(report: str, panes: Panes) -> Iterator[str]:
    """The protocol's report: folded where its panes have said it already."""
    from markdown_it import MarkdownIt

    if report:
        html = MarkdownIt("commonmark", {"html": False}).enable("table").render(report)
        yield _folded("The report", "as the protocol writes it", html) if panes.panes else html


def _head(deliberation: str, record: Record, narrator: Narrator) -> Iterator[str]:
    header, verdict = record.header, record.verdict
    yield f"<h1>{safe_text(header.question.text)}</h1>"
    yield f'<p><span class="badge">{safe_text(MEANING[record.status])}</span></p>'
    if verdict and verdict.answer:
        yield f'<div class="answer">{safe_text(verdict.answer)}</div>'
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
        yield f"<h3>{safe_text(phase.title)}</h3>"
        yield from map(_told, phase.utterances)


def _told(said: Utterance) -> str:
    if said.kind == "noted":
        return f'<p class="note">{safe_text(said.gist)}</p>'
    thought = f"<p><small>reasoning set aside</small></p>{_pre(said.reasoning)}" if said.reasoning else ""
    if not (said.rows or thought):
        return f'<p class="said">{safe_text(said.line)} <small>{safe_text(said.aside)}</small></p>'
    prose = "".join(_pre(words) for name, words in said.rows if not name)
    named = [row for row in said.rows if row[0]]
    return _folded(said.line, said.aside, prose + (_rows(named) if named else "") + thought)


def _folded(title: str, small: str, body: str) -> str:
    return f"<details><summary>{safe_text(title)} <small>{safe_text(small)}</small></summary>{body}</details>"


def _rows(rows: Iterable[tuple[str, str]]) -> str:
    return f"<dl>{''.join(f'<dt>{safe_text(name)}</dt><dd>{safe_text(value)}</dd>' for name, value in rows)}</dl>"


def _pre(text: str) -> str:
    return f"<pre>{safe_text(text)}</pre>"
