"""`single` asks one member once."""

from collections.abc import Iterator
from fractions import Fraction

from moot.core.budget import Budget, Expectation
from moot.core.calls import Ask, Missing
from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.protocol import ProtocolSpec
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.core.verdict import Status, Verdict
from moot.methods.search import asked_over_what_is_shown, first_question
from moot.protocols.single.panes import panes
from moot.protocols.single.prompts import answer_messages
from moot.protocols.single.schemas import Answer, SingleSettings
from moot.protocols.single.telling import SINGLE_TELLING

TYPICAL_REPLY = 150


@asked_over_what_is_shown
async def single(question: Question, deliberation: Deliberation, settings: SingleSettings) -> Verdict:
    """Return the first member's answer, with the confidence it states."""
    reply = await deliberation.ask(
        Ask(
            step="answer",
            seat=deliberation.panel[0].name,
            messages=answer_messages(question),
            reply=Answer,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
        )
    )
    if isinstance(reply, Missing):
        return Verdict(
            answer=None,
            status=Status.FAILED,
            stop_reason="the only member gave no answer",
            confidence=no_confidence("there is no answer"),
        )
    return Verdict(
        answer=reply.answer,
        status=Status.COMPLETE,
        stop_reason="answered",
        confidence=Confidence(reply.confidence, Basis.STATED, "one model said so, and nobody checked"),
        caveats=tuple(_caveats(deliberation.panel)),
        detail={"reasoning": reply.reasoning},
    )


def _caveats(panel: Panel) -> Iterator[str]:
    yield "This is one model's word: nothing in it was checked."
    if len(panel) > 1:
        yield f"Only {panel[0].name} of {len(panel)} members was asked: this protocol asks one."


def expected(question: Question, panel: Panel, settings: SingleSettings) -> Expectation:
    """Return what one call takes."""
    prompt = prompt_tokens(answer_messages(first_question(question, panel, settings.passages)))
    return Expectation(
        calls=1,
        tokens_in=prompt,
        tokens_out=min(TYPICAL_REPLY, settings.max_tokens),
        longest=prompt + settings.max_tokens,
    )


SINGLE = ProtocolSpec(
    name="single",
    version=3,
    summary="one member, asked once: the baseline that a deliberation has to beat",
    run=single,
    settings=SingleSettings,
    seats=1,
    minimum=1,
    budget=Budget(calls=6),
    expected=expected,
    quorum=Fraction(1),
    telling=SINGLE_TELLING,
    basis=Basis.STATED,
    panes=panes,
)
