"""A reply in free text, with or without numbers of sentences, written down as an argument (rulings I12 and I18)."""

from collections.abc import Sequence

from moot.core.question import Document, Question
from moot.methods.citing.concluding import any_has_answer, conclusion_claim, is_judgement, is_restated
from moot.methods.citing.draft import GraphDraft
from moot.methods.citing.origins import Origin, Origins, origins_of
from moot.methods.citing.plans import is_plan
from moot.methods.citing.replies import ReplySentence, reasons_of
from moot.methods.citing.searching import CoveringSentences, grounds_of, grounds_within
from moot.methods.citing.sums import ComputedNumbers
from moot.methods.recomputing import Recomputed, recomputed_sentences
from moot.methods.sameness import content_words
from moot.methods.written import Written

_QUOTED = 60


def cited(run_id: str, text: str, answer: str, question: Question, documents: Sequence[Document]) -> Written:
    """Return the argument of a reply: what covers its sentences, and whether they are a line to its answer (I12)."""
    origins = origins_of(question, documents)
    reasons = reasons_of(text)
    draft = GraphDraft(run_id, repairs=[note for note in (reasons.unread, origins.unsearched) if note])
    results = ComputedNumbers(origins, draft)
    sentences = [*(said.claim for said in reasons.sentences), answer]
    *sums, last = recomputed_sentences(sentences, text, question.text)
    premises: list[str] = []
    for number, (said, equations) in enumerate(zip(reasons.sentences, sums, strict=True), 1):
        premises += _premises(f"s{number}", said, equations, answer, results)
    if last:
        premises.append(results.step("a", answer, last))
    return draft.written(conclusion_claim(question, answer), premises, _no_line(answer, question, results, last))


def _premises(
    key: str, said: ReplySentence, equations: Sequence[Recomputed], answer: str, results: ComputedNumbers
) -> list[str]:
    """The nodes that a sentence of a reply brings to the conclusion; none where it says nothing of its own."""
    draft, origins = results.draft, results.origins
    named = _named(said, origins, draft)
    if not said.claim.strip(" .,;:!?"):
        draft.grounds += [origin.said for origin in named]
        return [draft.given(origin) for origin in named]
    if equations:
        return [results.step(key, said.claim, equations)]
    if not content_words(said.bare) or is_plan(said.bare):
        return []
    grounds = _grounds(said, named, results, answer)
    if grounds.origins:
        draft.grounds += grounds.words
        return [draft.inference(key, said.claim, [draft.given(origin) for origin in grounds.origins])]
    if is_restated(said.bare, answer, origins.question):
        return []
    return [draft.assumption(key, said.claim, grounds.problem)]


def _grounds(said: ReplySentence, cites: Sequence[Origin], results: ComputedNumbers, answer: str) -> CoveringSentences:
    """The sentences that cover a claim, those that it cites first; a wrong number is repaired."""
    origins, standing = results.origins, results.standing
    if cites and (grounds := grounds_within(said.bare, cites, origins, standing)).origins:
        return grounds
    grounds = grounds_of(said.bare, origins, standing, lambda part: is_restated(part, answer, origins.question))
    if cites and grounds.origins:
        do, does = ("do" if len(named) > 1 else "does" for named in (cites, grounds.origins))
        results.draft.repairs.append(
            f"“{_short(said.claim)}” cites {_listed(cites)}, which {do} not cover it; {_listed(grounds.origins)} {does}"
        )
    return grounds


def _named(said: ReplySentence, origins: Origins, draft: GraphDraft) -> list[Origin]:
    there = [origins.searched[number - 1] for number in said.cites if 0 < number <= len(origins.searched)]
    for number in said.cites:
        if not 0 < number <= len(origins.searched):
            draft.repairs.append(
                f"“{_short(said.claim)}” cites sentence {number}; there are sentences 1 to {len(origins.searched)}"
            )
    return there


def _no_line(answer: str, question: Question, results: ComputedNumbers, equations: Sequence[Recomputed]) -> str:
    """Why a run's sentences are no line to its answer; empty where they are (I12)."""
    if not answer.strip():
        return "it states no answer"
    nodes = results.draft.nodes.values()
    if not nodes:
        return "it gives no reasons before its answer"
    if not any(node["type"] == "given" for node in nodes):
        return "no sentence of a document covers any of its reasons"
    if (
        is_judgement(answer)
        or results.yields(answer, equations)
        or any_has_answer(results.draft.grounds, answer, question.text)
    ):
        return ""
    return f"no sentence that its reasons rest on has the words of its answer, “{_short(answer)}”"


def _listed(origins: Sequence[Origin]) -> str:
    return " and ".join(f"sentence {origin.number}" for origin in origins)


def _short(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"
