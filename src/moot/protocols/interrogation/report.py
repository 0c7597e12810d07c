"""The report: the verdict with all that it rests on, as data and as Markdown (interrogation 4.1, step 6)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from moot.core.confidence import no_confidence
from moot.core.panel import Panel
from moot.core.record import Record
from moot.core.verdict import Dissent, Status, Verdict
from moot.methods.candidates import Candidate
from moot.methods.runs import (
    Drawn,
    VotedAnswer,
    Way,
    answer_of,
    does_not_say_yet,
    stop_reason,
    vote_caveats,
    votes_confidence,
    votes_detail,
)
from moot.methods.sampling import is_decided, stop_words
from moot.methods.wrongs import wrongs_of
from moot.protocols.interrogation.case import GRAPH, Assessment, Case
from moot.views.votes import candidate_lines, run_lines
from moot.views.words import cost_words, counted, escaped, one_line

OUT_OF_CALLS = "the budget of calls is used up"


def reported(case: Case, assessment: Assessment, stop: str, *, votes: Drawn, way: Way, panel: Panel) -> Verdict:
    """Return the verdict on a case that has been closed."""
    winners = assessment.winners
    answers = _answers(case, winners, votes)
    top = winners[0] if winners else None
    models = _models(votes, panel)
    return Verdict(
        answer=" or ".join(item.answer for item in answers) or None,
        status=_status(winners, stop, votes, way),
        stop_reason=_stop_reason(assessment, stop, votes, way),
        confidence=votes_confidence(votes.count, answers) if answers else no_confidence(_nothing_stands(assessment)),
        dissent=_dissent(case, [item for item in assessment.candidates if item not in winners], votes),
        caveats=(*vote_caveats(votes, way.forms, models), *_caveats(case, assessment, top)),
        missing=votes.dropped,
        asked=len(votes.count.runs),
        answered=len(votes.count.usable),
        counted="runs",
        detail={**votes_detail(votes, answers, way.forms, models), **_detail(case, assessment, top)},
    )


def without_argument(votes: Drawn, way: Way, panel: Panel) -> Verdict:
    """Return the verdict where no run argues, or the winner is that there is no answer (rulings G8, I8 and I20)."""
    count, winners = votes.count, votes.count.winners
    others = [item for item in count.candidates if item not in winners]
    models = _models(votes, panel)
    is_partial = len(winners) != 1 or count.barred or does_not_say_yet(votes, winners)
    ended = Status.PARTIAL if is_partial else Status.COMPLETE
    return Verdict(
        answer=answer_of(votes, winners),
        status=ended if is_decided(way.sampling, count.tally) else Status.EXHAUSTED,
        stop_reason=stop_reason(count, way.sampling),
        confidence=votes_confidence(count, winners),
        dissent=tuple(Dissent(item.answer, tuple(run.id for run in item.runs)) for item in others),
        caveats=tuple(vote_caveats(votes, way.forms, models)),
        missing=votes.dropped,
        asked=len(count.runs),
        answered=len(count.usable),
        counted="runs",
        detail={
            **votes_detail(votes, winners, way.forms, models),
            "candidates": [
                {"answer": item.answer, "votes": item.votes, "runs": [run.id for run in item.runs]}
                for item in count.candidates
            ],
        },
    )


def _answers(case: Case, winners: Sequence[Candidate], votes: Drawn) -> list[VotedAnswer]:
    """The answers of the winning conclusions, with the runs that give each."""
    given = {item.answer: item for item in votes.count.candidates}
    return [given[case.answer_of(winner)] for winner in winners]


def _models(votes: Drawn, panel: Panel) -> int:
    seats = {run.seat for run in votes.count.runs}
    return len({member.model for member in panel if member.name in seats})


def _status(winners: Sequence[Candidate], stop: str, votes: Drawn, way: Way) -> Status:
    if not is_decided(way.sampling, votes.count.tally):
        return Status.EXHAUSTED
    if len(winners) != 1 or not winners[0].surviving_width or votes.count.barred:
        return Status.PARTIAL
    return Status.EXHAUSTED if stop == OUT_OF_CALLS else Status.COMPLETE


def _stop_reason(assessment: Assessment, stop: str, votes: Drawn, way: Way) -> str:
    parts = [stop_words(way.sampling, votes.count.tally), stop]
    if not assessment.standing:
        parts.append(_nothing_stands(assessment))
    if barred := votes.count.barred:
        share = f"{barred.votes} of {counted(len(votes.count.runs), 'run')}"
        parts.append(f"{share} say that there is no answer, which is not more than half")
    first, *rest = [item for item in assessment.standing if item.votes == assessment.standing[0].votes] or [None]
    if first and rest:
        broken = "and structure does not part them" if len(assessment.winners) > 1 else "parted by what holds them up"
        parts.append(f"a tie of votes between {counted(len(rest) + 1, 'answer')}, {broken}")
    return "; ".join(parts)


def _nothing_stands(assessment: Assessment) -> str:
    return "every candidate was refuted" if assessment.candidates else "the graph took no conclusion in"


def _dissent(case: Case, losers: Sequence[Candidate], votes: Drawn) -> tuple[Dissent, ...]:
    dissent = [
        Dissent(
            case.answer_of(item),
            case.arguing_for(item),
            {"votes": item.votes, "width": item.width, "claim": item.claim, "refuted": item.refuted},
        )
        for item in losers
    ]
    abstaining = [item for item in votes.count.candidates if item.abstains]
    dissent += [Dissent(item.answer, tuple(run.id for run in item.runs), {"width": 0}) for item in abstaining]
    return tuple(dissent)


def _caveats(case: Case, assessment: Assessment, top: Candidate | None) -> Iterator[str]:
    if count := len(case.not_found()):
        yield f"{count} claim{' is' if count == 1 else 's are'} covered by no sentence and taken for granted."
    if assessment.disputed:
        count = len(assessment.disputed)
        yield f"{count} claim{' is' if count == 1 else 's are'} disputed, not found, or said by one run alone."
    if top:
        if not top.surviving_width:
            yield "No line of support leads from the documents to this answer."
        if without := case.without_line(case.arguing_for(top)):
            are = "is" if len(without) == 1 else "are"
            yield f"{counted(len(without), 'run')} of it {are} no line ({_why(without)})."
    if cycles := assessment.structure.get("cycles"):
        yield f"{counted(len(cycles), 'circle')} of reasons."


def _why(without: Mapping[str, str]) -> str:
    """Why runs are no line, each reason once behind the runs that have it."""
    runs: dict[str, list[str]] = {}
    for run, why in without.items():
        runs.setdefault(why, []).append(run)
    return "; ".join(f"{', '.join(having)}: {why}" for why, having in runs.items())


def _detail(case: Case, assessment: Assessment, top: Candidate | None) -> dict[str, Any]:
    survivors: Any = case.graph.surviving_claims(GRAPH)
    links: Any = case.graph.critical_links(GRAPH, top.id) if top else {"bridge_edges": []}
    standing: Any = case.graph.resilience(GRAPH, top.id) if top else None
    wrongs = wrongs_of(case.graph, GRAPH, top.id, standing) if top else None
    nodes = case.graph.nodes(GRAPH)
    return {
        "conclusion": top.claim if top else None,
        "conclusion_node": top.id if top else None,
        "rank_by": case.by,
        "support_width": top.width if top else 0,
        "surviving_width": top.surviving_width if top else 0,
        "resilience": standing["resilience"] if standing else 0,
        "support": wrongs.words if wrongs else "",
        "max_flow": top.max_flow if top else 0.0,
        "disjoint_paths": [[case.claim(node) for node in path] for path in top.paths] if top else [],
        "disjoint_path_ids": [list(path) for path in top.paths] if top else [],
        "surviving_path_ids": [list(path) for path in case.graph.standing_lines(GRAPH, top.id)] if top else [],
        "lines": [_line(case, path) for path in top.paths] if top else [],
        "structure": {name: _named(case, found) for name, found in assessment.structure.items()},
        "surviving_claims": [case.claim(node) for node in survivors["surviving"]],
        "surviving_claim_ids": survivors["surviving"],
        "killed": [
            {"id": node.id, "claim": node.claim, "reason": node.refute_reason} for node in nodes if node.refuted
        ],
        "disputed": [{"id": node, "claim": case.claim(node)} for node in assessment.disputed],
        "ungrounded": [
            {"id": node, "claim": case.claim(node), "problem": problem} for node, problem in case.not_found().items()
        ],
        "repairs": {run: written.repairs for run, written in case.written.items() if written.repairs},
        "no_line": case.without_line(case.written),
        "must_be_wrong": [{"id": node, "claim": case.claim(node)} for node in wrongs.ids] if wrongs else [],
        "together": wrongs is not None and wrongs.together,
        "bridges": [[case.claim(node) for node in edge] for edge in links["bridge_edges"]],
        "bridge_ids": links["bridge_edges"],
        "candidates": [
            {**item.json(case.answer_of(item)), "runs": case.arguing_for(item)} for item in assessment.candidates
        ],
        "rejected": case.rejected,
        "graph": case.graph.to_json(GRAPH),
    }


def _line(case: Case, path: Sequence[str]) -> dict[str, Any]:
    """One line of support: the sentences that it starts from, and the claims on its way."""
    sentences = {sentence.id: sentence for sentence in case.graph.sentences(GRAPH)}
    said = [sentences[node] for node in path if node in sentences]
    words = {sentence.claim for sentence in said}
    claims = [case.claim(node) for node in path if node not in sentences]
    return {
        "sentences": [
            {"id": one.id, "document": one.document, "number": one.number, "text": one.claim} for one in said
        ],
        "claims": [claim for claim in claims if claim not in words],
    }


def _named(case: Case, found: Any) -> Any:
    """What `check_structure` finds, with words for ids."""
    if isinstance(found, str):
        return case.claim(found)
    return [_named(case, item) for item in found] if isinstance(found, (list, tuple)) else found


def markdown_report(record: Record) -> str:
    """Return the report's own part of the Markdown view: the verdict first, how it came about behind it."""
    verdict = record.verdict
    if verdict is None or "votes" not in verdict.detail:
        return ""
    detail = verdict.detail
    argued = "graph" in detail
    lines = [
        *(_holding(detail) if argued else ()),
        *candidate_lines(detail),
        *(_lines(detail) if argued else ()),
        *(_findings(detail) if argued else ()),
        *run_lines(detail),
        *_calls(record),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _holding(detail: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {escaped(one_line(detail['conclusion'] or 'No conclusion stands', 600))}"
    yield ""
    yield f"**{detail['support'][:1].upper()}{detail['support'][1:]}.**"
    yield ""


def _lines(detail: Mapping[str, Any]) -> Iterator[str]:
    """The lines of support with their sentences, and what must be wrong before the answer falls."""
    if detail["lines"]:
        yield "**Lines of support**"
        yield ""
    for number, line in enumerate(detail["lines"], 1):
        yield f"{number}. {' '.join(_sentence(one) for one in line['sentences']) or 'no sentence'}"
        yield from (f"   - {_cell(claim)}" for claim in line["claims"] if claim != detail["conclusion"])
    yield ""
    together = "All of these together must be wrong" if detail["together"] else "Any one of these takes it away"
    yield from _list(together, [item["claim"] for item in detail["must_be_wrong"]])


def _findings(detail: Mapping[str, Any]) -> Iterator[str]:
    """What was found of the claims, a list each."""
    others = [item for item in detail["candidates"] if item["id"] != detail["conclusion_node"]]
    yield from _list("Other candidates", [f"{item['answer']} ({_held_up(item)})" for item in others])
    bridges = [[_or_answer(claim, detail) for claim in edge] for edge in detail["bridges"]]
    yield from _list("Every line runs through", [" → ".join(edge) for edge in bridges])
    yield from _list("Killed", [f"{item['claim']} ({item['reason']})" for item in detail["killed"]])
    problems = [f"{item['claim']} ({item['problem']})" for item in detail["ungrounded"]]
    yield from _list("Covered by no sentence, and taken for granted", problems)
    listed = {item["id"] for item in detail["ungrounded"]}
    disputed = [item["claim"] for item in detail["disputed"] if item["id"] not in listed]
    yield from _list("Also disputed: said by one run alone, or contradicted", disputed)
    yield from _structure(detail["structure"], {item["claim"] for item in detail["candidates"]})
    repairs = [f"{run}: {one}" for run, all_ in detail["repairs"].items() for one in all_]
    yield from _list("Read otherwise than written", repairs)


def _or_answer(claim: str, detail: Mapping[str, Any]) -> str:
    return "the answer" if claim == detail["conclusion"] else claim


def _held_up(item: Mapping[str, Any]) -> str:
    return f"{counted(item['votes'], 'vote')}, width {item['width']}, resilience {item['resilience']}"


def _structure(structure: Mapping[str, Any], answers: Collection[str]) -> Iterator[str]:
    """What `check_structure` finds, a line each (ruling I15); an answer without a line is told among the candidates."""
    yield from _list("Resting on nothing", [claim for claim in structure.get("orphans", []) if claim not in answers])
    yield from _list("Circular", [" → ".join(circle) for circle in structure.get("cycles", [])])
    yield from _list("Refuted, and still leaned on", structure.get("refuted_but_feeding", []))
    yield from _list("Resting on more sentences than a claim should need", structure.get("broad", []))


def _sentence(one: Mapping[str, Any]) -> str:
    return f"{_cell(one['document'])} [{one['number']}] “{_cell(one['text'])}”"


def _list(title: str, items: Sequence[Any]) -> Iterator[str]:
    if items:
        yield f"**{title}**"
        yield ""
        yield from (f"- {_cell(item if isinstance(item, str) else str(item))}" for item in items)
        yield ""


def _cell(text: str) -> str:
    return escaped(one_line(text, 2_500))


def _calls(record: Record) -> Iterator[str]:
    yield f"**What it took**: {cost_words(record.spent)}"
    yield ""
    for model, kept in record.compliance.items():
        yield f"{escaped(model)} kept to the shape asked for in {kept.first_time} of {kept.asked} replies at once."
    yield ""
    yield "| step | seat | tokens in | tokens out | seconds | cost |"
    yield "|---|---|---|---|---|---|"
    for event in record.asked:
        for call in event.calls:
            usd = "unknown" if call.usd is None else f"${call.usd:.6f}"
            tokens = ["unknown" if count is None else count for count in (call.tokens_in, call.tokens_out)]
            figures = f"{tokens[0]} | {tokens[1]} | {call.seconds:.1f} | {usd}"
            yield f"| {escaped(one_line(event.step, 100))} | {event.seat} | {figures} |"
    yield ""
