"""Step 4: disputed claims, and steps, are put to fresh contexts; majorities take effect (interrogation 4.1, I14)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.calls import Ask
from moot.core.deliberation import Deliberation
from moot.core.panel import Panel
from moot.core.question import Document, Question
from moot.methods.runs import calls_left
from moot.methods.sentences import THE_QUESTION, Sentence, document_names, sentences_of
from moot.protocols.interrogation.case import Assessment, Case
from moot.protocols.interrogation.rules import Verify, affordable_claims, verifying_seats
from moot.protocols.interrogation.schemas import InterrogationSettings
from moot.protocols.interrogation.verification import (
    Following,
    Verification,
    followed,
    following_messages,
    refuting,
    reinstating_sentences,
    settled,
    verification_messages,
)

VERIFICATION_TOKENS = 240


@dataclass(frozen=True, slots=True)
class Verifying:
    """By whom and over what claims are verified, and in which round."""

    question: Question
    settings: InterrogationSettings
    verify: Verify
    round: int = 0

    def seats(self, case: Case, node: str, panel: Panel) -> tuple[str, ...]:
        """Return who may verify a claim: where only others may, nobody whose model put it forward."""
        models = {member.name: member.model for member in panel}
        return verifying_seats(self.verify, panel, [models[case.runs[run].seat] for run in case.authors(node)])

    def steps(self, case: Case, assessment: Assessment, panel: Panel) -> tuple[str, ...]:
        """Return the leading candidate's steps that can still be put to somebody."""
        leading = assessment.standing[:1]
        steps = case.steps_to_follow(leading[0]) if leading else ()
        return tuple(node for node in steps if self.seats(case, node, panel))


def sources(question: Question) -> tuple[Document, ...]:
    """Return the documents; without any, the question's text is the one document (ruling I5)."""
    return question.documents or (Document(name=THE_QUESTION, text=question.text),)


def askable(case: Case, assessment: Assessment, panel: Panel, verifying: Verifying) -> tuple[str, ...]:
    """Return the open claims that somebody may verify, in their order."""
    return tuple(node for node in assessment.open if verifying.seats(case, node, panel))


async def re_interrogate(case: Case, claims: Sequence[str], deliberation: Deliberation, verifying: Verifying) -> None:
    """Put claims to fresh contexts, several times each, with the documents and nothing else."""
    sentences = sentences_of(sources(verifying.question))
    asked = verifying.settings.verifications
    for node, replies in await _put(
        "verify",
        claims,
        lambda node: verification_messages(case.claim(node), sentences),
        Verification,
        case,
        deliberation,
        verifying,
    ):
        claim = case.claim(node)
        verdict = settled(replies, asked, claim, sentences)
        refutation = refuting(replies, claim, sentences)
        reason, run = refutation.reason if refutation else "", f"v{verifying.round}"
        case.settle(node, verdict, reason, run)
        found: tuple[Sentence, ...] = ()
        if verdict == "supported":
            found = reinstating_sentences(replies, claim, sentences, verifying.question.text)
            if found and not case.reinstate(node, found[0], sources(verifying.question), run):
                found = ()
        told = {"node": node, "claim": claim, "verdict": verdict, "verdicts": [reply.verdict for reply in replies]}
        names = document_names(sources(verifying.question))
        reinstated = [f"{names[one.document]}#{one.number}" for one in found[:1]]
        await deliberation.note("verified", {**told, "reinstated": reinstated, "reason": reason, "run": run})


async def put_steps(case: Case, assessment: Assessment, deliberation: Deliberation, verifying: Verifying) -> None:
    """Put steps to fresh contexts with their own sentences alone: does this follow? (ruling I14)."""
    numbered = {sentence.number: sentence for sentence in sentences_of(sources(verifying.question))}

    def beneath(node: str) -> tuple[Sentence, ...]:
        numbers = [int(name.rpartition("#")[2]) for name in case.beneath(node)]
        return tuple(numbered[number] for number in numbers if number in numbered)

    for node, replies in await _put(
        "follows",
        verifying.steps(case, assessment, deliberation.panel),
        lambda node: following_messages(case.claim(node), beneath(node)),
        Following,
        case,
        deliberation,
        verifying,
    ):
        verdict = followed(replies, verifying.settings.verifications)
        reason = next((reply.reason for reply in replies if reply.follows == "no"), "")
        told = {"node": node, "claim": case.claim(node), "verdict": verdict, "reason": reason}
        case.settle_step(node, verdict, reason)
        await deliberation.note("followed", {**told, "verdicts": [reply.follows for reply in replies]})


async def _put(
    name: str,
    nodes: Sequence[str],
    messages: Any,
    shape: Any,
    case: Case,
    deliberation: Deliberation,
    verifying: Verifying,
) -> list[tuple[str, list[Any]]]:
    """Each node with what came back of it; as many nodes as a round has and the budget allows."""
    settings = verifying.settings
    wanted = min(settings.claims_a_round, len(nodes))
    put = nodes[: affordable_claims(wanted, calls_left(deliberation), settings.verifications)]
    asks = [
        Ask(
            f"{name}/{verifying.round}/{node}/{number}",
            (seats := verifying.seats(case, node, deliberation.panel))[(number - 1) % len(seats)],
            messages(node),
            shape,
            settings.temperature,
            VERIFICATION_TOKENS,
        )
        for node in put
        for number in range(1, settings.verifications + 1)
    ]
    replies = iter(await deliberation.ask_all(asks))
    in_turn = [(node, [next(replies) for _ in range(settings.verifications)]) for node in put]
    return [(node, [reply for reply in mine if isinstance(reply, shape)]) for node, mine in in_turn]
