"""prompt + graphs -> first member -> columns + scores -> engine -> paths -> second member -> response (coherence 7)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Missing, Prose
from moot.core.canonical import plain
from moot.core.confidence import no_confidence
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolRow
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Status, Verdict
from moot.protocols.coherence.form import Form, demanded_form
from moot.protocols.coherence.graph_files import Graph, graphs_from, shipped_texts
from moot.protocols.coherence.prompts import (
    judge_messages,
    response_messages,
    revision_messages,
    traces_of,
    unfolding_messages,
)
from moot.protocols.coherence.report import artefacts, markdown_report
from moot.protocols.coherence.rules import active_relations, trace_paths
from moot.protocols.coherence.schemas import CoherenceSettings, JudgeReply, Unfolding, unfolding_of
from moot.protocols.coherence.scores import (
    Scored,
    read_columns,
    read_scores,
    score_rows,
    unscored,
    usable_columns,
)
from moot.protocols.coherence.verification import Failure, judge_failures, program_failures

ROW_TOKENS = 40
"""What one row of scores takes at most: its names and eight numbers."""
JUDGE_TOKENS = 200
TYPICAL_RESPONSE = 500

Relations = Sequence[tuple[Graph, str]]


@dataclass(frozen=True, slots=True)
class Traces:
    """What the first member and the engine leave to the second (coherence 5.3)."""

    columns: tuple[str, ...]
    scored: Scored
    paths: dict[str, Any]
    shown: str


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the response, what is wrong with it, and whether a judge has seen it."""

    text: str
    failures: tuple[Failure, ...]
    judged: bool


async def coherence(question: Question, deliberation: Deliberation, settings: CoherenceSettings) -> Verdict:
    """Return a response that the traces have guided and that shows nothing of them."""
    graphs = graphs_from(data_texts(settings))
    columns, scored = await _unfold(question, deliberation, settings, graphs)
    absent = unscored(graphs, scored)
    if absent:
        await deliberation.note("counted as 0", {"relations": [" ".join(relation) for relation in absent]})
    if not columns or 2 * len(absent) > sum(len(graph.ids) for graph in graphs):
        return _unscored(columns, scored, graphs, len(absent))
    paths = trace_paths(columns, scored.values, graphs)
    await deliberation.note("traces", {"columns": columns, "scores": score_rows(scored.values, graphs), **paths})
    active = active_relations(columns, scored.values, graphs)
    traces = Traces(columns, scored, paths, traces_of(columns, scored.values, paths, active))
    versions = await _respond(question, deliberation, settings, graphs, traces)
    return _answered(versions, traces, graphs, len(absent))


async def _unfold(
    question: Question, deliberation: Deliberation, settings: CoherenceSettings, graphs: Sequence[Graph]
) -> tuple[tuple[str, ...], Scored]:
    """The first member: columns by the first batch, scores by all of them (coherence 3, rulings K4 and K5)."""
    first, *others = _batches([(graph, id_) for graph in graphs for id_ in graph.ids], settings.batch)
    columns, scored = await _columns(question, deliberation, settings, graphs, first)
    if not columns:
        return columns, scored
    scored = await _score(question, deliberation, settings, graphs, columns, scored, others, step="scores/{}", start=2)
    if absent := unscored(graphs, scored):
        # Asked for again once, and only what is missing or was refused.
        missing = [(graph, id_) for graph in graphs for id_ in graph.ids if (graph.name, id_) in set(absent)]
        batches = _batches(missing, settings.batch)
        scored = await _score(question, deliberation, settings, graphs, columns, scored, batches, step="again/{}")
    return columns, scored


async def _columns(
    question: Question,
    deliberation: Deliberation,
    settings: CoherenceSettings,
    graphs: Sequence[Graph],
    batch: Relations,
) -> tuple[tuple[str, ...], Scored]:
    """Return the columns that the first call fixes, and its scores; refused columns are asked for again once."""
    problem, sent = "", None
    for step in ("unfold", "unfold/again"):
        reply = await deliberation.ask(_unfolding_ask(question, deliberation, settings, step, batch, problem=problem))
        if isinstance(reply, Missing):
            break
        sent, (names, problem) = reply, read_columns(reply.columns, graphs)
        if not problem:
            return names, await _read(reply, len(names), graphs, deliberation)
        await deliberation.note("columns refused", {"step": step, "problem": problem})
    return await _salvaged(sent, graphs, deliberation) if sent else ((), Scored())


async def _salvaged(
    reply: Unfolding, graphs: Sequence[Graph], deliberation: Deliberation
) -> tuple[tuple[str, ...], Scored]:
    """Return the columns that have a name of their own, where the second try repeats names too."""
    names, _ = read_columns(reply.columns, graphs)
    places, kept = usable_columns(names, graphs)
    scored = await _read(reply, len(names), graphs, deliberation)
    await deliberation.note("columns dropped", {"sent": names, "kept": kept})
    values = {relation: tuple(row[place] for place in places) for relation, row in scored.values.items()}
    return kept, replace(scored, values=values)


async def _score(
    question: Question,
    deliberation: Deliberation,
    settings: CoherenceSettings,
    graphs: Sequence[Graph],
    columns: tuple[str, ...],
    scored: Scored,
    batches: Sequence[Relations],
    *,
    step: str,
    start: int = 1,
) -> Scored:
    """Return the scores with those of further batches, asked for together in the same columns (ruling K5)."""
    problem = "; ".join(scored.refused[:3])
    asks = [
        _unfolding_ask(question, deliberation, settings, step.format(number), batch, columns=columns, problem=problem)
        for number, batch in enumerate(batches, start)
    ]
    for reply in await deliberation.ask_all(asks):
        if not isinstance(reply, Missing):
            scored = scored.with_more(await _read(reply, len(columns), graphs, deliberation))
    return scored


async def _read(reply: Unfolding, width: int, graphs: Sequence[Graph], deliberation: Deliberation) -> Scored:
    scored = read_scores(reply.scores, width, graphs)
    if scored.refused or scored.noted:
        await deliberation.note("scores repaired", {"refused": scored.refused, "noted": scored.noted})
    return scored


async def _respond(
    question: Question,
    deliberation: Deliberation,
    settings: CoherenceSettings,
    graphs: Sequence[Graph],
    traces: Traces,
) -> list[Version]:
    """The second member: a response, verified and revised until it passes or the revisions run out (ruling K6)."""
    form = demanded_form(f"{question.text}\n{question.form}")
    messages = response_messages(question, traces.shown)
    versions: list[Version] = []
    for number in range(1, settings.revisions + 2):
        writer = _seat(deliberation.panel, 1)
        ask = Ask(f"response/{number}", writer, messages, Prose, settings.temperature, settings.max_tokens)
        reply = await deliberation.ask(ask)
        if isinstance(reply, Missing):
            break
        version = await _verified(reply.text, question, deliberation, form, traces.columns, graphs, number)
        versions.append(version)
        await deliberation.note("verified", {"version": number, "judged": version.judged, "failures": version.failures})
        if not version.failures:
            break
        messages = revision_messages(question, traces.shown, version.text, version.failures)
    return versions


async def _verified(
    response: str,
    question: Question,
    deliberation: Deliberation,
    form: Form,
    columns: tuple[str, ...],
    graphs: Sequence[Graph],
    number: int,
) -> Version:
    """Return a version with every check that it fails: the program's first, then the judge's (coherence 5.3)."""
    prompt = f"{question.text}\n{question.form}"
    found = program_failures(response, prompt=prompt, form=form, columns=columns, graphs=graphs)
    messages = judge_messages(question, columns, form, response)
    judge = _seat(deliberation.panel, 2)
    judged = await deliberation.ask(Ask(f"judge/{number}", judge, messages, JudgeReply, 0.0, JUDGE_TOKENS))
    if isinstance(judged, Missing):
        return Version(response, tuple(found), judged=False)
    return Version(response, (*found, *judge_failures(judged)), judged=True)


def _answered(versions: list[Version], traces: Traces, graphs: Sequence[Graph], absent: int) -> Verdict:
    """Return the response that passed, or the one with the fewest faults as `partial`, each fault named (ruling K6)."""
    detail = _detail(traces.columns, traces.scored, graphs) | traces.paths
    unmeasured = no_confidence("coherence guides an answer and does not measure how sure it is")
    if not versions:
        reason = "the second member gave no response"
        return Verdict(None, Status.FAILED, reason, unmeasured, detail=detail)
    best = min(reversed(versions), key=lambda version: len(version.failures))
    caveats = [f"{failure.check} ({failure.by}): {failure.detail}" for failure in best.failures]
    if not best.judged:
        caveats.append("no judge has read the response: what a program cannot see is not verified")
    if absent:
        caveats.append(f"{absent} relations got no scores and counted as 0")
    passed = best.judged and not best.failures
    faults = len(best.failures) or "no judge and no"
    return Verdict(
        answer=best.text,
        status=Status.COMPLETE if passed else Status.PARTIAL,
        stop_reason="the response passed its verification" if passed else f"verification ended with {faults} faults",
        confidence=unmeasured,
        caveats=tuple(caveats),
        detail=detail | {"versions": len(versions), "failures": plain(best.failures)},
    )


def _unscored(columns: tuple[str, ...], scored: Scored, graphs: Sequence[Graph], absent: int) -> Verdict:
    total = sum(len(graph.ids) for graph in graphs)
    reason = f"{absent} of {total} relations got no scores" if columns else "the first member gave no usable columns"
    unmeasured = no_confidence("there is no response")
    return Verdict(None, Status.PARTIAL, reason, unmeasured, detail=_detail(columns, scored, graphs))


def _detail(columns: tuple[str, ...], scored: Scored, graphs: Sequence[Graph]) -> dict[str, Any]:
    """What coherence 6 wants preserved, beside the prompt and the response."""
    return {"columns": list(columns), "scores": score_rows(scored.values, graphs)}


def _unfolding_ask(
    question: Question,
    deliberation: Deliberation,
    settings: CoherenceSettings,
    step: str,
    batch: Relations,
    *,
    columns: Sequence[str] = (),
    problem: str = "",
) -> Ask[Unfolding]:
    return Ask(
        step,
        _seat(deliberation.panel, 0),
        unfolding_messages(question, batch, columns=columns, problem=problem),
        unfolding_of([(graph.name, id_) for graph, id_ in batch], columns),
        settings.temperature,
        _unfolding_tokens(len(batch)),
    )


def _unfolding_tokens(relations: int) -> int:
    return 200 + ROW_TOKENS * relations


def _batches(relations: Relations, size: int) -> list[Relations]:
    return [relations[start : start + size] for start in range(0, len(relations), size)]


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
    graphs = graphs_from(data_texts(settings))
    batches = _batches([(graph, id_) for graph in graphs for id_ in graph.ids], settings.batch)
    unfolding = [prompt_tokens(unfolding_messages(question, batch)) for batch in batches]
    texts = prompt_tokens(response_messages(question, "x" * sum(len(text) for graph in graphs for text in graph.texts)))
    longest = max(tokens + _unfolding_tokens(len(batch)) for tokens, batch in zip(unfolding, batches, strict=True))
    return Expectation(
        calls=len(batches) + 2,
        tokens_in=sum(unfolding) + texts + TYPICAL_RESPONSE,
        tokens_out=sum(25 * len(batch) for batch in batches) + TYPICAL_RESPONSE + JUDGE_TOKENS // 2,
        longest=max(longest, texts + settings.max_tokens),
        note="with one version of the response; each of at most two revisions takes two calls more",
    )


COHERENCE = ProtocolRow(
    name="coherence",
    version=1,
    summary="columns and scores, deterministic paths through three graphs, an answer that hides its scaffolding",
    run=coherence,
    settings=CoherenceSettings,
    seats=2,
    minimum=1,
    budget=Budget(calls=20),
    expected=expected,
    report=markdown_report,
    data=data_texts,
    files=artefacts,
)
