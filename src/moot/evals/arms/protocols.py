"""Arms 1 to 5 of the paper as small protocols, and `vote` as self-consistency (interrogation 5, ruling V2).

They run through the service as any protocol does, so that they are journaled, resumed and never paid twice. They exist
to be compared with: `moot protocols` does not list them.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Message, Missing, Prose
from moot.core.confidence import no_confidence
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec, Settings
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Status, Verdict
from moot.evals.arms.forms import FORM
from moot.evals.arms.telling import ARM_TELLING, SAMPLES_TELLING
from moot.evals.prompts import (
    ARROWS,
    answer_messages,
    chain_messages,
    compression_messages,
    reinjection_messages,
    revisit_messages,
    screen_messages,
)
from moot.evals.schemas import ArmSettings, SamplingSettings, ScreenSettings
from moot.methods.sampling import Sampling
from moot.methods.search import asked_over_what_is_shown, first_question
from moot.methods.votes import stated_answer
from moot.protocols import PROTOCOLS, find_protocol
from moot.protocols.vote.panes import vote_panes
from moot.protocols.vote.protocol import VOTE, vote
from moot.protocols.vote.protocol import expected as expected_votes

CALLS_A_STEP = 4
"""What the budget of an arm allows for each of its steps: a retry, and further tries where a provider stumbles."""

TYPICAL_REPLY = 200


async def single_pass(question: Question, deliberation: Deliberation, settings: ArmSettings) -> Verdict:
    """Arm 1: return the answer of one call."""
    first = await _prose("answer", answer_messages(question), deliberation, settings)
    return _answered(question, {"answer": first})


async def revisit(question: Question, deliberation: Deliberation, settings: ArmSettings) -> Verdict:
    """Arm 2: return the answer after the member was told to revisit its reasoning, in the same conversation."""
    first = await _prose("answer", answer_messages(question), deliberation, settings)
    if isinstance(first, Missing):
        return _answered(question, {"answer": first})
    final = await _prose("revisit", revisit_messages(question, first), deliberation, settings)
    return _answered(question, {"answer": first, "revisit": final})


async def verbatim(question: Question, deliberation: Deliberation, settings: ArmSettings) -> Verdict:
    """Arm 3: return the answer to a prompt that shows the whole trace of a first answer."""
    first = await _prose("answer", answer_messages(question), deliberation, settings)
    if isinstance(first, Missing):
        return _answered(question, {"answer": first})
    final = await _prose("reinjected", reinjection_messages(question, first), deliberation, settings)
    return _answered(question, {"answer": first, "reinjected": final})


async def arrows(question: Question, deliberation: Deliberation, settings: ArmSettings) -> Verdict:
    """Arm 4: return the answer of one call that is told to think in arrow notation."""
    first = await _prose("answer", answer_messages(question, ARROWS), deliberation, settings)
    return _answered(question, {"answer": first})


async def compressed(question: Question, deliberation: Deliberation, settings: ArmSettings) -> Verdict:
    """Arm 5: return the answer of a fresh context that verifies the chain to which the member shortened its trace."""
    first = await _prose("answer", answer_messages(question), deliberation, settings)
    if isinstance(first, Missing):
        return _answered(question, {"answer": first})
    chain = await _prose("chain", compression_messages(question, first), deliberation, settings)
    if isinstance(chain, Missing):
        return _answered(question, {"answer": first, "chain": chain})
    final = await _prose("verified", chain_messages(question, chain), deliberation, settings)
    return _answered(question, {"answer": first, "verified": final}, {"chain": chain})


async def self_consistency(question: Question, deliberation: Deliberation, settings: SamplingSettings) -> Verdict:
    """Return what `vote` comes to with a fixed number of runs in free text alone."""
    return await vote(question, deliberation, settings.as_vote())


async def screened(question: Question, deliberation: Deliberation, settings: ScreenSettings) -> Verdict:
    """Return what one member answers from documents, in one call (interrogation 2)."""
    reply = await _prose("answer", screen_messages(question), deliberation, settings)
    if isinstance(reply, Missing):
        return _nothing("the member gave no answer")
    return Verdict(reply, Status.COMPLETE, "answered", no_confidence("nobody was asked for one"))


async def _prose(
    step: str, messages: tuple[Message, ...], deliberation: Deliberation, settings: ArmSettings
) -> str | Missing:
    seat = deliberation.panel[0].name
    reply = await deliberation.ask(Ask(step, seat, messages, Prose, settings.temperature, settings.max_tokens))
    return reply if isinstance(reply, Missing) else reply.text


def _answered(question: Question, texts: Mapping[str, str | Missing], more: Mapping[str, str] | None = None) -> Verdict:
    """Return the last answer there is; one that a later step should have replaced makes the verdict partial."""
    there = {step: text for step, text in texts.items() if isinstance(text, str)}
    absent = [item for item in texts.values() if isinstance(item, Missing)]
    if not there:
        return _nothing("the member gave no answer")
    answers = {step: stated_answer(text, question.form) for step, text in there.items()}
    return Verdict(
        answer=list(answers.values())[-1],
        status=Status.PARTIAL if absent else Status.COMPLETE,
        stop_reason=f"{absent[0].step} brought nothing ({absent[0].reason})" if absent else "answered",
        confidence=no_confidence("nobody was asked for one"),
        detail={"answers": answers, **(more or {})},
    )


def _nothing(why: str) -> Verdict:
    return Verdict(None, Status.FAILED, why, no_confidence("there is no answer"))


def _expecting(
    steps: int, first: Callable[[Question], tuple[Message, ...]] = answer_messages
) -> Callable[[Question, Panel, ArmSettings], Expectation]:
    """Return what foresees an arm of so many steps: each later prompt may carry the reply to the first."""

    def expected(question: Question, panel: Panel, settings: ArmSettings) -> Expectation:
        prompt = prompt_tokens(first(first_question(question, panel, settings.passages)))
        carried = min(TYPICAL_REPLY, settings.max_tokens) * (steps - 1)
        longest = prompt + settings.max_tokens * min(steps, 2) + (100 if steps > 1 else 0)
        return Expectation(
            calls=steps,
            tokens_in=steps * prompt + carried,
            tokens_out=steps * min(TYPICAL_REPLY, settings.max_tokens),
            longest=longest,
        )

    return expected


def _row(
    name: str,
    summary: str,
    run: Callable[[Question, Deliberation, Any], Awaitable[Verdict]],
    steps: int = 1,
    settings: type[Settings] = ArmSettings,
    version: int = 4,
) -> ProtocolSpec:
    return ProtocolSpec(
        name=name,
        version=version,
        summary=summary,
        run=asked_over_what_is_shown(run),
        settings=settings,
        seats=1,
        minimum=1,
        budget=Budget(calls=CALLS_A_STEP * steps),
        expected=_expecting(steps, screen_messages if settings is ScreenSettings else answer_messages),
        quorum=Fraction(1),
        telling=ARM_TELLING,
    )


SCREEN = _row("screen", "one answer from documents, graded by pattern", screened, settings=ScreenSettings, version=3)

EVAL_PROTOCOLS: Mapping[str, ProtocolSpec] = {
    row.name: row
    for row in (
        _row("single-pass", "arm 1: one call, answered in free text", single_pass),
        _row("revisit", "arm 2: answer, then revisit your reasoning, in one conversation", revisit, 2),
        _row("verbatim", "arm 3: answer, then the whole trace fed back for a final answer", verbatim, 2),
        _row("arrows", "arm 4: one call that thinks in arrow notation", arrows),
        _row("compressed", "arm 5: own trace compressed to arrows, verified in a fresh context", compressed, 3),
        replace(
            VOTE,
            name="self-consistency",
            version=VOTE.version + 4,
            summary="vote with free text alone and a fixed number of runs, as many as arm 6 may make calls",
            run=self_consistency,
            settings=SamplingSettings,
            expected=lambda question, panel, settings: expected_votes(question, panel, settings.as_vote()),
            telling=SAMPLES_TELLING,
            panes=lambda record: vote_panes(record, Sampling("all", record.header.settings["samples"])),
        ),
        SCREEN,
        FORM,
    )
}


def find_eval_protocol(name: str) -> ProtocolSpec:
    """Return the protocol of this name, of Moot or of the arms.

    Raises:
        UnknownProtocol: where there is none.
    """
    return find_protocol(name) if name in PROTOCOLS or name not in EVAL_PROTOCOLS else EVAL_PROTOCOLS[name]
