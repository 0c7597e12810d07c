"""A claim through its layers: work, consensus, gate, effect, next layer; or a flag and a person (prism)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Missing
from moot.core.canonical import plain, rounded
from moot.core.confidence import Basis
from moot.core.deliberation import HOUSE, Contribution, Deliberation
from moot.core.errors import UsageError
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec
from moot.core.question import Question
from moot.core.tokens import estimated_tokens, prompt_tokens
from moot.core.verdict import Verdict
from moot.methods.search import Passages, first_question, over_what_was_shown, shown_question
from moot.protocols.prism.claim_progress import Arc, Flag, LayerAttempt, Review, Slot
from moot.protocols.prism.layers import CONSENSUS, WORK, Layer, LayerTable, SlotType, table_of, table_text
from moot.protocols.prism.panes import panes
from moot.protocols.prism.prompts import slot_messages, summary_messages
from moot.protocols.prism.report import closed, completed, flagged, markdown_report, out_of_budget
from moot.protocols.prism.rules import (
    DomainVote,
    average,
    compared,
    domain_vote,
    flag_by_verdicts,
    most_given,
    passes,
    recommendation,
)
from moot.protocols.prism.schemas import (
    OUTPUTS,
    ClassificationOutput,
    DeliberationOutput,
    FlagReview,
    PrismSettings,
    Summary,
)
from moot.protocols.prism.slots import (
    filled_review,
    filled_slot,
    group_name,
    house_agents,
    house_slots,
    review_invitation,
    slot_context,
    slot_invitation,
)
from moot.protocols.prism.telling import PRISM_TELLING

LONGEST_CLAIM = 4_000
TYPICAL_REPLY = 180
SUMMARY_TOKENS = 300


async def prism(question: Question, deliberation: Deliberation, settings: PrismSettings) -> Verdict:
    """Return what becomes of a claim: its consensus, or the flag or the budget that ended its way."""
    shown, caveats = await shown_question(question, deliberation, _passages(settings))
    arc = Arc(question, shown, table_of(settings.table))
    return over_what_was_shown(await _way(arc, deliberation, settings), caveats)


async def _way(arc: Arc, deliberation: Deliberation, settings: PrismSettings) -> Verdict:
    await _begin(arc, deliberation, settings)
    for layer in arc.table.layers:
        attempt = 1
        while True:
            passage = await _attempt(arc, layer, attempt, deliberation, settings)
            if any(missing.reason == "budget" for missing in passage.unfilled):
                return out_of_budget(arc.with_passage(passage))
            if passage.flag is None:
                break
            passage = replace(passage, review=await _reviewed(arc, passage, deliberation, settings))
            if passage.review is None:
                return flagged(arc.with_passage(passage))
            if passage.review.decision.decision == "close":
                return closed(arc.with_passage(passage))
            if passage.review.decision.decision == "advance":
                break
            arc = arc.with_passage(passage)
            attempt += 1
        arc = await _effect(arc.with_passage(passage), deliberation, settings)
    return completed(arc)


def _passages(settings: PrismSettings) -> Passages:
    """What the house is shown; where it fills no slot nothing is narrowed for it."""
    return "all" if settings.house == "none" else settings.passages


async def _begin(arc: Arc, deliberation: Deliberation, settings: PrismSettings) -> None:
    """Put the table, the claim and who of the house sits where into the record."""
    await deliberation.note("protocol", plain(arc.table))
    await deliberation.note("claim", {"protocol": arc.table.name, "domain": arc.domain})
    most = max(house_slots(layer, settings) for layer in arc.table.layers)
    agents = {agent.name: deliberation.panel.seat(agent.seat).model for agent in house_agents(deliberation.panel, most)}
    await deliberation.note("house", {"agents": agents, "distinct_models": len(set(agents.values()))})


async def _attempt(
    arc: Arc, layer: Layer, attempt: int, deliberation: Deliberation, settings: PrismSettings
) -> LayerAttempt:
    """Work phase, consensus phase, gate: return one attempt at a layer (prism, Phase Lifecycle)."""
    passage = LayerAttempt(layer, attempt)
    work, unfilled = await _phase(arc, passage, WORK, layer.roles, deliberation, settings)
    passage = replace(passage, work=work, unfilled=unfilled)
    if not unfilled:
        roles = (CONSENSUS,) * layer.consensus
        consensus, unfilled = await _phase(arc, passage, CONSENSUS, roles, deliberation, settings)
        passage = replace(passage, consensus=consensus, unfilled=unfilled)
    return await _gated(passage, deliberation)


async def _phase(
    arc: Arc,
    passage: LayerAttempt,
    type_: SlotType,
    roles: Sequence[str],
    deliberation: Deliberation,
    settings: PrismSettings,
) -> tuple[tuple[Slot, ...], tuple[Missing, ...]]:
    """Open the slots of a phase, and return those that were filled and why others were not."""
    invitations = [
        slot_invitation(arc, passage, type_, number, role, deliberation.panel, settings)
        for number, role in enumerate(roles, 1)
    ]
    filled = await deliberation.invite_all(invitations) if invitations else []
    pairs = list(zip(invitations, filled, strict=True))
    slots = tuple(filled_slot(asked, got, type_) for asked, got in pairs if isinstance(got, Contribution))
    return slots, tuple(got for got in filled if isinstance(got, Missing))


async def _gated(passage: LayerAttempt, deliberation: Deliberation) -> LayerAttempt:
    """Return the attempt with its average and, where it does not pass, its flag (rulings P3, P10)."""
    layer, reasons = passage.layer, [f"nobody filled {missing.step}" for missing in passage.unfilled]
    mean = None
    if not reasons:
        confidences = [slot.output.confidence for slot in passage.consensus]
        mean = average(confidences)
        if not passes(confidences, layer.threshold):
            reasons.append(compared(mean, layer.threshold))
        verdicts = [output.verdict for _, output in passage.outputs(DeliberationOutput, consensus_only=True)]
        if against := flag_by_verdicts(verdicts):
            reasons.append(against)
    value = None if mean is None else rounded(float(mean))
    flag = Flag(layer.number, passage.attempt, tuple(reasons), value, layer.threshold) if reasons else None
    found = {"layer": layer.number, "attempt": passage.attempt, "average": value, "threshold": layer.threshold}
    await deliberation.note("flag" if flag else "gate", {**found, "reasons": reasons} if flag else found)
    return replace(passage, average=mean, flag=flag)


async def _reviewed(
    arc: Arc, passage: LayerAttempt, deliberation: Deliberation, settings: PrismSettings
) -> Review | None:
    """Return how a person clears the flag of an attempt, or None where the run does not wait for one (ruling P5)."""
    invitation = review_invitation(arc, passage, wait=settings.on_flag == "wait")
    [got] = await deliberation.invite_all([invitation])
    return None if isinstance(got, Missing) else filled_review(invitation, got)


async def _effect(arc: Arc, deliberation: Deliberation, settings: PrismSettings) -> Arc:
    """Apply the effect of the layer just passed: the domain, or the consensus record (prism, Layer Effects; P13)."""
    passage = arc.passages[-1]
    if passage.layer.shape == "classification":
        votes = [
            DomainVote(output.domain, output.confidence, slot.filled)
            for slot, output in passage.outputs(ClassificationOutput)
        ]
        domain = domain_vote(votes)
        await deliberation.note("domain", {"domain": domain or arc.domain, "votes": plain(votes)})
        return replace(arc, domain=domain or arc.domain)
    if arc.syntheses:
        return replace(arc, consensus=await _consensus(arc, deliberation, settings))
    return arc


async def _consensus(arc: Arc, deliberation: Deliberation, settings: PrismSettings) -> Mapping[str, Any]:
    """Return the record that the last layer writes: recommendation by majority, one summary (rulings P6, P13)."""
    given = [output for _, output in arc.syntheses]
    chosen = recommendation([output.recommendation for output in given])
    agreeing = [output for output in given if output.recommendation == chosen]
    summary, written_by = max(agreeing, key=lambda output: output.confidence).summary, "the surest of the majority"
    texts = list(dict.fromkeys(output.summary for output in given))
    if len(texts) > 1 and settings.house in ("all", CONSENSUS) and len(deliberation.panel):
        messages = summary_messages(arc.shown, texts)
        step, seat = f"{group_name(arc.passages[-1])}/summary", deliberation.panel[0].name
        written = await deliberation.ask(Ask(step, seat, messages, Summary, 0.0, SUMMARY_TOKENS))
        if isinstance(written, Summary):
            summary, written_by = written.summary, f"{HOUSE}{seat}, from all summaries"
    record = {
        "summary": summary,
        "recommendation": chosen,
        "answer": most_given([(output.answer, output.confidence) for output in agreeing if arc.question.form]),
        "written_by": written_by,
    }
    await deliberation.note("consensus", record)
    return record


def checked_claim(question: Question) -> None:
    """Do nothing where the claim can be put on a board.

    Raises:
        UsageError: for one that is too long, or that holds control characters.
    """
    text = question.text
    if len(text) > LONGEST_CLAIM:
        problem = f"the claim has {len(text)} characters, and prism takes {LONGEST_CLAIM} at most"
        raise UsageError(f"{problem}; state it in a few sentences and give the rest as documents.")
    if any(not letter.isprintable() and letter not in "\n\t" for letter in text):
        raise UsageError("the claim holds control characters; write it as plain text.")


def expected(question: Question, panel: Panel, settings: PrismSettings) -> Expectation:
    """Return what the slots of the house take where no layer is flagged.

    Raises:
        UsageError: for a claim that cannot be taken.
        BadDataFile: for a table that cannot be used.
    """
    checked_claim(question)
    table = table_of(settings.table)
    first = LayerAttempt(table.layers[0], 1)
    role = (*first.layer.roles, CONSENSUS)[0]
    narrowed = first_question(question, panel, _passages(settings))
    context = slot_context(Arc(question, narrowed, table), first, WORK, role)
    shown = prompt_tokens(slot_messages(narrowed, context))
    before = calls = tokens_in = longest = 0
    for layer in table.layers:
        slots = house_slots(layer, settings)
        prompt = shown + (before + len(layer.roles)) * TYPICAL_REPLY
        calls, tokens_in, before = calls + slots, tokens_in + slots * prompt, before + layer.slots
        longest = max(longest, prompt + settings.max_tokens if slots else 0)
    return Expectation(
        calls=calls + (calls > 0 and table.layers[-1].consensus > 1),
        tokens_in=tokens_in,
        tokens_out=calls * TYPICAL_REPLY,
        longest=longest,
        note=_expectation_note(table, settings, estimated_tokens(question.text)),
    )


def _expectation_note(table: LayerTable, settings: PrismSettings, claim: int) -> str:
    slots = sum(layer.slots for layer in table.layers)
    waits = "a flag waits for a person" if settings.on_flag == "wait" else "a flag ends it"
    return f"{table.name}: {len(table.layers)} layers, {slots} slots, a claim of {claim} tokens; {waits}"


PRISM = ProtocolSpec(
    name="prism",
    version=4,
    summary="a claim through layers of work and consensus, by models, agents and people; flags go to a reviewer",
    run=prism,
    settings=PrismSettings,
    seats=1,
    minimum=lambda settings: 0 if settings.house == "none" else 1,
    budget=Budget(calls=120),
    expected=expected,
    submissions=(*OUTPUTS.values(), FlagReview),
    report=markdown_report,
    data=lambda settings: table_text(settings.table),
    unattended={"on_flag": "end"},
    telling=PRISM_TELLING,
    basis=Basis.PANEL,
    panes=panes,
)
