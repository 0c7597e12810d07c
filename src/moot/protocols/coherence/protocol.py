"""prompt + graphs -> first member -> columns + scores -> engine -> paths -> second member -> response (coherence 7)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from moot.core.budget import Budget, Expectation
from moot.core.canonical import plain
from moot.core.confidence import no_confidence
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Status, Verdict
from moot.methods.search import first_question, over_what_was_shown, shown_question
from moot.protocols.coherence.first_member import FirstMember, Unfolded, batches_of, reply_tokens
from moot.protocols.coherence.form import Form
from moot.protocols.coherence.graph_files import Graph, graphs_from, shipped_texts
from moot.protocols.coherence.in_words import relations_of
from moot.protocols.coherence.panes import panes
from moot.protocols.coherence.prompts import judge_messages, response_messages, traces_of, unfolding_messages
from moot.protocols.coherence.report import artefacts, markdown_report
from moot.protocols.coherence.rules import trace_paths
from moot.protocols.coherence.schemas import CoherenceSettings
from moot.protocols.coherence.scores import score_rows, unscored
from moot.protocols.coherence.second_member import JUDGE_TOKENS, SecondMember, Traces, Version
from moot.protocols.coherence.telling import COHERENCE_TELLING
from moot.views.words import counted

TYPICAL_RESPONSE = 500
TYPICAL_COLUMNS = 4


async def coherence(question: Question, deliberation: Deliberation, settings: CoherenceSettings) -> Verdict:
    """Return a response that the traces have guided and that shows nothing of them."""
    shown, caveats = await shown_question(question, deliberation, settings.passages)
    return over_what_was_shown(await _guided(question, shown, deliberation, settings), caveats)


async def _guided(
    question: Question, shown: Question, deliberation: Deliberation, settings: CoherenceSettings
) -> Verdict:
    """The members read what is shown; the program holds the response against all documents (ruling I20)."""
    panel, graphs = deliberation.panel, graphs_from(data_texts(settings))
    unfolded = await FirstMember(_seat(panel, 0), shown, deliberation, settings, graphs).unfold()
    columns, values = unfolded.columns, unfolded.scored.values
    absent = unscored(graphs, unfolded.scored)
    if absent:
        await deliberation.note("counted as 0", {"relations": [" ".join(relation) for relation in absent]})
    if not columns or 2 * len(absent) > len(relations_of(graphs)):
        return _unscored(unfolded, graphs, len(absent))
    paths = trace_paths(columns, values, graphs)
    await deliberation.note("traces", {"columns": columns, "scores": score_rows(values, graphs), **paths})
    traces = Traces(unfolded, paths, traces_of(columns, values, paths["paths"], graphs))
    writer, judge = _seat(panel, 1), _seat(panel, 2)
    versions = await SecondMember(writer, judge, question, shown, deliberation, settings, graphs, traces).respond()
    return _answered(versions, traces, graphs, len(absent))


def _answered(versions: list[Version], traces: Traces, graphs: Sequence[Graph], absent: int) -> Verdict:
    """Return the response that passed, or the one with the fewest faults as `partial`, each fault named (ruling K6)."""
    detail = _detail(traces.unfolded, graphs) | traces.paths
    unmeasured = no_confidence("coherence guides an answer and does not measure how sure it is")
    if not versions:
        reason = "the second member gave no response"
        return Verdict(None, Status.FAILED, reason, unmeasured, detail=detail)
    best = min(reversed(versions), key=lambda version: len(version.failures))
    passed = best.judged and not best.failures
    faults = counted(len(best.failures), "fault") if best.failures else "no judge and no faults"
    return Verdict(
        answer=best.text,
        status=Status.COMPLETE if passed else Status.PARTIAL,
        stop_reason="the response passed its verification" if passed else f"verification ended with {faults}",
        confidence=unmeasured,
        caveats=(*_caveats(best), *_caveats_of_scores(traces.unfolded, graphs, absent)),
        detail=detail | {"versions": len(versions), "failures": plain(best.failures)},
    )


def _caveats(version: Version) -> list[str]:
    caveats = [f"{failure.check} ({failure.by}): {failure.detail}" for failure in version.failures]
    if not version.judged:
        caveats.append("no judge has read the response: what a program cannot see is not verified")
    return caveats


def _caveats_of_scores(unfolded: Unfolded, graphs: Sequence[Graph], absent: int) -> list[str]:
    total = len(relations_of(graphs))
    caveats = [f"{counted(absent, 'relation')} got no scores and counted as 0"] if absent else []
    if unfolded.seen < total:
        caveats.append(f"the columns were fixed by a call that saw {unfolded.seen} of {total} relations")
    return caveats


def _unscored(unfolded: Unfolded, graphs: Sequence[Graph], absent: int) -> Verdict:
    total = len(relations_of(graphs))
    missing = f"{absent} of {total} relations got no scores"
    reason = missing if unfolded.columns else "the first member gave no usable columns"
    return Verdict(None, Status.FAILED, reason, no_confidence("there is no response"), detail=_detail(unfolded, graphs))


def _detail(unfolded: Unfolded, graphs: Sequence[Graph]) -> dict[str, Any]:
    """What coherence 6 wants preserved, beside the prompt and the response, and the form that was read (ruling K9)."""
    return {
        "columns": list(unfolded.columns),
        "scores": score_rows(unfolded.scored.values, graphs),
        "demanded_form": plain(unfolded.form.demands),
        "open_organisation": unfolded.form.open_words,
    }


def _seat(panel: Panel, role: int) -> str:
    """Return who unfolds (0), who answers (1) and who judges (2); in a small panel nobody judges what they wrote."""
    place = role if role < len(panel) else 0
    return panel[place].name


def data_texts(settings: CoherenceSettings) -> dict[str, str]:
    """Return the graph files of a run: the user's, or those that come with Moot."""
    return dict(settings.graphs.texts if settings.graphs else shipped_texts())


def expected(question: Question, panel: Panel, settings: CoherenceSettings) -> Expectation:
    """Return what the batches, one response and one judgement take.

    Raises:
        BadDataFile: for a graph file that cannot be used.
    """
    graphs, question = graphs_from(data_texts(settings)), first_question(question, panel, settings.passages)
    batches = batches_of(graphs, settings)
    unfolding = [
        prompt_tokens(unfolding_messages(question, batch.shown, batch.rows, columns=["column"] * min(number, 1)))
        for number, batch in enumerate(batches)
    ]
    replies = [reply_tokens(batch, names_columns=number == 0) for number, batch in enumerate(batches)]
    traces = _ample_traces(graphs)
    writing = prompt_tokens(response_messages(question, traces))
    judging = prompt_tokens(judge_messages(question, traces, Form(), "")) + TYPICAL_RESPONSE
    return Expectation(
        calls=len(batches) + 2,
        tokens_in=sum(unfolding) + writing + judging,
        tokens_out=sum(25 * len(batch.rows) for batch in batches) + TYPICAL_RESPONSE + JUDGE_TOKENS // 2,
        longest=max(*map(sum, zip(unfolding, replies, strict=True)), writing + settings.max_tokens),
        note="with one version of the response; each of at most two revisions takes two calls more",
    )


def _ample_traces(graphs: Sequence[Graph]) -> str:
    """Return traces with every second relation on a path and all of them scored, more than a prompt usually makes."""
    columns = [f"column {number}" for number in range(TYPICAL_COLUMNS)]
    relations = relations_of(graphs)
    values = dict.fromkeys(((graph.name, id_) for graph, id_ in relations), (9.0,) * TYPICAL_COLUMNS)
    paths = {columns[0]: [{"graph": graph.name, "path": [id_]} for graph, id_ in relations[::2]]}
    return traces_of(columns, values, paths, graphs)


COHERENCE = ProtocolSpec(
    name="coherence",
    version=4,
    summary="columns and scores, deterministic paths through three graphs, an answer that hides its scaffolding",
    run=coherence,
    settings=CoherenceSettings,
    seats=2,
    minimum=1,
    budget=Budget(calls=20),
    expected=expected,
    quorum=Fraction(1),
    report=markdown_report,
    data=data_texts,
    files=artefacts,
    telling=COHERENCE_TELLING,
    panes=panes,
)
