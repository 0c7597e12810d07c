"""What became of a claim: a verdict under the paper's names, and a report for people (prism; rulings P5, P6, P9)."""

from collections.abc import Iterator, Mapping
from typing import Any

from moot.core.canonical import plain, rounded
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.record import Record
from moot.core.verdict import Dissent, Status, Verdict
from moot.protocols.prism.board import Pipeline, pipeline_lines, pipeline_of
from moot.protocols.prism.claim_progress import Arc, LayerAttempt
from moot.protocols.prism.graph import argument_graph
from moot.protocols.prism.rules import consensus_answer, seal, vote_words
from moot.protocols.prism.schemas import DeliberationOutput
from moot.views.words import counted, escaped, one_line

MOST_CAVEATS = 12


def completed(arc: Arc) -> Verdict:
    """Return the verdict on a claim that has passed every layer."""
    whole = bool(arc.consensus)
    reason = "every layer was passed" if whole else "every layer was passed, and nobody synthesised"
    return _verdict(arc, Status.COMPLETE if whole else Status.PARTIAL, reason)


def closed(arc: Arc) -> Verdict:
    """Return the verdict on a claim that a reviewer closed."""
    last = arc.passages[-1]
    who, note = (last.review.reviewer, last.review.decision.note) if last.review else ("", "")
    return _verdict(arc, Status.CLOSED, f"{who} closed it at layer {last.layer.number}: {note}")


def flagged(arc: Arc) -> Verdict:
    """Return the verdict on a claim whose flag nobody cleared."""
    last = arc.passages[-1]
    reasons = "; ".join(last.flag.reasons) if last.flag else ""
    return _verdict(arc, Status.FLAGGED, f"layer {last.layer.number} {last.layer.name} is flagged: {reasons}")


def out_of_budget(arc: Arc) -> Verdict:
    """Return the verdict on a claim for which the budget allows no further slot."""
    last = arc.passages[-1].layer
    return _verdict(arc, Status.EXHAUSTED, f"the budget ended it in layer {last.number} {last.name}")


def _verdict(arc: Arc, status: Status, reason: str) -> Verdict:
    return Verdict(
        answer=_answer(arc),
        status=status,
        stop_reason=reason,
        confidence=_confidence(arc),
        dissent=_dissent(arc),
        caveats=tuple(_caveats(arc)),
        detail=_detail(arc, status),
        asked=sum(passage.asked for passage in arc.passed),
        answered=sum(len(passage.slots) for passage in arc.passed),
        counted="slots",
    )


def _answer(arc: Arc) -> str | None:
    return consensus_answer(arc.consensus) if arc.consensus else None


def _confidence(arc: Arc) -> Confidence:
    last = arc.passages[-1]
    if not arc.consensus or last.average is None:
        return no_confidence("the claim has not passed its synthesis")
    who = f"{counted(len(last.consensus), 'agent')} of layer {last.layer.number}"
    return Confidence(rounded(float(last.average)), Basis.PANEL, f"the mean of what {who} stated")


def _dissent(arc: Arc) -> tuple[Dissent, ...]:
    chosen = arc.consensus.get("recommendation")
    return tuple(
        Dissent(
            f"{output.recommendation}: {output.summary}",
            (slot.agent,),
            {"recommendation": output.recommendation, "confidence": output.confidence},
        )
        for slot, output in arc.syntheses
        if chosen and output.recommendation != chosen
    )


def _caveats(arc: Arc) -> Iterator[str]:
    # Before and after a fork one name may stand for two models, and is then two agents.
    agents = {(slot.agent, slot.model) for passage in arc.passages for slot in passage.slots if slot.model}
    models = {model for _, model in agents}
    if len(agents) > len(models):
        named = "one model" if len(models) == 1 else f"{len(models)} models"
        yield f"{len(agents)} agents of the house are {named}: what they share may be its error."
    for passage in arc.flags:
        yield _flag_words(passage)
    if arc.syntheses and not arc.consensus:
        yield f"The votes are no consensus: {vote_words(output.recommendation for _, output in arc.syntheses)}."
    caveats = [
        text
        for passage in arc.passed
        for _, output in passage.outputs(DeliberationOutput, consensus_only=True)
        for text in output.caveats
    ]
    yield from list(dict.fromkeys(caveats))[:MOST_CAVEATS]


def _flag_words(passage: LayerAttempt) -> str:
    reasons = "; ".join(passage.flag.reasons) if passage.flag else ""
    start = f"Layer {passage.layer.number} {passage.layer.name} was flagged ({reasons})"
    if passage.review is None:
        return f"{start}, and nobody has cleared it."
    done = {"advance": "let it advance", "redo": "had it done again", "close": "closed the claim"}
    decision, own = passage.review.decision, " (cleared by one of its own agents)" * passage.is_cleared_by_its_own
    return f"{start}; {passage.review.reviewer} {done[decision.decision]}{own}: {decision.note}"


def _detail(arc: Arc, status: Status) -> dict[str, Any]:
    """What the paper keeps in its tables, under its names, with the seal and the argument graph."""
    last = arc.passages[-1]
    order = [slot for passage in arc.passages for slot in _sealed(passage)]
    return {
        "protocol": arc.table.name,
        "domain": arc.domain,
        "claimPipelineState": {"layer": last.layer.number, "status": status.value},
        "claimFlags": [_flag_row(passage) for passage in arc.flags],
        "claimConsensus": plain(arc.consensus) if arc.consensus else None,
        "votes": [{"agent": slot.agent, **plain(output)} for slot, output in arc.syntheses],
        "seal": {"sha256": seal(order), "slots": [list(slot) for slot in order]},
        **argument_graph(arc),
    }


def _sealed(passage: LayerAttempt) -> list[tuple[str, str]]:
    slots = [(slot.step, slot.digest) for slot in passage.slots]
    return [*slots, passage.review.slot] if passage.review else slots


def _flag_row(passage: LayerAttempt) -> Mapping[str, Any]:
    review = passage.review
    cleared = {"by": review.reviewer, **plain(review.decision)} if review else None
    return {**plain(passage.flag), "cleared": cleared}


def markdown_report(record: Record) -> str:
    """Return the pipeline of a claim, its consensus and its seal, as Markdown."""
    if record.verdict is None or "seal" not in record.verdict.detail:
        return ""
    return "\n".join(_lines(pipeline_of(record), record.verdict.detail)).rstrip() + "\n"


def _lines(pipeline: Pipeline, detail: Mapping[str, Any]) -> Iterator[str]:
    yield "## The way of the claim"
    yield ""
    yield f"Protocol {detail['protocol']}, domain {escaped(pipeline.claim.domain)}."
    yield ""
    yield "```"
    yield from (line.replace("`", "'") for line in pipeline_lines(pipeline))
    yield "```"
    yield ""
    consensus = detail["claimConsensus"]
    if consensus:
        yield f"**Consensus: {consensus['recommendation']}** ({escaped(consensus['written_by'])})"
        yield ""
        yield escaped(one_line(consensus["summary"], 4_000))
        yield ""
    elif votes := [vote["recommendation"] for vote in detail.get("votes", ())]:
        yield f"**No consensus**; the votes: {vote_words(votes)}"
        yield ""
    yield "What stands by the argument graph alone, apart from any recommendation:"
    yield ""
    for item in detail["candidates"]:
        yield f"- {escaped(item['answer'])}: support width {item['width']}{', defeated' if item['refuted'] else ''}"
    yield ""
    yield f"Sealed: SHA-256 {detail['seal']['sha256']} over {counted(len(detail['seal']['slots']), 'slot')}."
