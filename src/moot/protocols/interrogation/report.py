"""The report: the verdict with all that it rests on, as data and as Markdown (interrogation 4.1, step 6)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from moot.core.confidence import Basis, Confidence, no_confidence
from moot.core.record import Record
from moot.core.verdict import Dissent, Status, Verdict
from moot.methods.candidates import Candidate
from moot.protocols.interrogation.case import GRAPH, Assessment, Case
from moot.protocols.interrogation.rules import FanOut, structural_confidence
from moot.views.words import cost_words, counted, escaped, one_line

NOT_STATED = "The documents do not say."


def reported(case: Case, assessment: Assessment, stop: str, *, runs: FanOut, models: int) -> Verdict:
    """Return the verdict on a case that has been closed."""
    standing = assessment.standing
    top = standing[0] if standing else None
    return Verdict(
        answer=case.answer_of(top) if top else None,
        status=_status(top, stop),
        stop_reason=stop if top else f"{stop}; {_nothing_stands(assessment)}",
        confidence=_confidence(top, assessment),
        dissent=_dissent(case, [item for item in assessment.candidates if item is not top], runs.undetermined),
        caveats=tuple(_caveats(runs, case, assessment, models)),
        missing=runs.dropped,
        asked=runs.asked,
        answered=len(runs.arguing),
        counted="runs",
        detail=_detail(case, assessment, top),
    )


def not_stated(runs: FanOut) -> Verdict:
    """Return the verdict that the documents do not say (ruling I8)."""
    return Verdict(
        answer=NOT_STATED,
        status=Status.COMPLETE,
        stop_reason=_abstaining(runs),
        confidence=no_confidence("there is no argument whose structure could be measured"),
        dissent=tuple(Dissent(run.answer, (run.id,)) for run in runs.arguing),
        missing=runs.dropped,
        asked=runs.asked,
        answered=runs.undetermined + len(runs.arguing),
        counted="runs",
        detail={
            "documents_say": False,
            "runs": {"asked": runs.asked, "undetermined": runs.undetermined, "arguing": len(runs.arguing)},
        },
    )


def nothing_usable(runs: FanOut) -> Verdict:
    """Return the verdict where no run brought an argument, and too few say that there is none (rulings G3 and G8)."""
    abstaining = f"; {_abstaining(runs)}, which is not more than half" if runs.undetermined else ""
    return Verdict(
        answer=None,
        status=Status.FAILED,
        stop_reason=f"none of {counted(runs.asked, 'run')} brought a usable argument{abstaining}",
        confidence=no_confidence("there is no answer"),
        missing=runs.dropped,
        asked=runs.asked,
        answered=runs.undetermined,
        counted="runs",
    )


def _abstaining(runs: FanOut) -> str:
    verb = "finds" if runs.undetermined == 1 else "find"
    return f"{runs.undetermined} of {counted(runs.asked, 'run')} {verb} that the documents do not settle it"


def _status(top: Candidate | None, stop: str) -> Status:
    if top is None or top.width == 0:
        return Status.PARTIAL
    return Status.EXHAUSTED if stop.startswith("(c)") else Status.COMPLETE


def _nothing_stands(assessment: Assessment) -> str:
    return "every candidate was refuted" if assessment.candidates else "the graph took no conclusion in"


def _confidence(top: Candidate | None, assessment: Assessment) -> Confidence:
    if top is None:
        return no_confidence(_nothing_stands(assessment))
    lines = f"{top.width} disjoint line{'' if top.width == 1 else 's'} of support"
    return Confidence(structural_confidence(top.width), Basis.STRUCTURE, f"{lines}; an order, not a probability")


def _dissent(case: Case, losers: Sequence[Candidate], undetermined: int) -> tuple[Dissent, ...]:
    dissent = [
        Dissent(
            case.answer_of(item),
            case.arguing_for(item),
            {"width": item.width, "claim": item.claim, "refuted": item.refuted},
        )
        for item in losers
    ]
    if undetermined:
        dissent.append(Dissent(NOT_STATED, (counted(undetermined, "run"),), {"width": 0}))
    return tuple(dissent)


def _caveats(runs: FanOut, case: Case, assessment: Assessment, models: int) -> Iterator[str]:
    if models == 1 and runs.asked > 1:
        yield f"All {runs.asked} runs are samples of one model: what they share may be its error."
    if case.ungrounded:
        count = len(case.ungrounded)
        yield f"{count} claim{' was' if count == 1 else 's were'} said to be given and not found in the documents."
    if assessment.disputed:
        count = len(assessment.disputed)
        yield f"{count} claim{' is' if count == 1 else 's are'} still disputed."
    if assessment.standing and assessment.standing[0].width == 0:
        yield "No line of support leads from the documents to this answer."


def _detail(case: Case, assessment: Assessment, top: Candidate | None) -> dict[str, Any]:
    survivors: Any = case.graph.surviving_claims(GRAPH)
    links: Any = case.graph.critical_links(GRAPH, top.id) if top else {"min_cut_nodes": [], "bridge_edges": []}
    if top and links["uncuttable"]:
        # A document states the conclusion itself: no other claim has to be wrong, but that statement.
        links = {**links, "min_cut_nodes": [top.id]}
    nodes = case.graph.nodes(GRAPH)
    return {
        "conclusion": top.claim if top else None,
        "conclusion_node": top.id if top else None,
        "support_width": top.width if top else 0,
        "max_flow": top.max_flow if top else 0.0,
        "disjoint_paths": [[case.claim(node) for node in path] for path in top.paths] if top else [],
        "surviving_claims": [case.claim(node) for node in survivors["surviving"]],
        "killed": [
            {"id": node.id, "claim": node.claim, "reason": node.refute_reason} for node in nodes if node.refuted
        ],
        "disputed": [{"id": node, "claim": case.claim(node)} for node in assessment.disputed],
        "ungrounded": [
            {"id": node, "claim": case.claim(node), "problem": problem} for node, problem in case.ungrounded.items()
        ],
        "must_be_wrong": [{"id": node, "claim": case.claim(node)} for node in links["min_cut_nodes"]],
        "bridges": [[case.claim(node) for node in edge] for edge in links["bridge_edges"]],
        "candidates": [item.json(case.answer_of(item)) for item in assessment.candidates],
        "rejected": case.rejected,
        "graph": case.graph.to_json(GRAPH),
    }


def markdown_report(record: Record) -> str:
    """Return the report's own part of the Markdown view."""
    verdict = record.verdict
    if verdict is None or "candidates" not in verdict.detail:
        return ""
    return "\n".join(_lines(verdict.detail, record)).rstrip() + "\n"


def _lines(detail: Mapping[str, Any], record: Record) -> Iterator[str]:
    yield f"## {escaped(one_line(detail['conclusion'] or 'No conclusion stands', 400))}"
    yield ""
    width = detail["support_width"]
    yield f"**Support width {width}**: {_width_words(width)}"
    yield ""
    for number, path in enumerate(detail["disjoint_paths"], 1):
        yield f"{number}. {' → '.join(escaped(one_line(claim, 200)) for claim in path)}"
    yield ""
    cut = [item["claim"] for item in detail["must_be_wrong"]]
    together = "If this is wrong, the answer falls" if len(cut) == 1 else "The answer falls if all of these are wrong"
    yield from _list(together, cut)
    yield from _list("Every line runs through", [" → ".join(edge) for edge in detail["bridges"]])
    yield from _list("Killed", [f"{item['claim']} ({item['reason']})" for item in detail["killed"]])
    yield from _list("Still disputed", [item["claim"] for item in detail["disputed"]])
    problems = [f"{item['claim']} ({item['problem']})" for item in detail["ungrounded"]]
    yield from _list("Said to be given, and not found in the documents", problems)
    yield from _list("Survives", detail["surviving_claims"])
    others = [item for item in detail["candidates"] if item["id"] != detail["conclusion_node"]]
    yield from _list("Other candidates", [f"{item['answer']} (width {item['width']})" for item in others])
    yield from _calls(record)


def _width_words(width: int) -> str:
    if width == 0:
        return "no line of support leads from the documents to this conclusion."
    roads = "one line" if width == 1 else f"{width} lines that share no claim"
    return f"{roads} from the documents to the conclusion."


def _list(title: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield f"**{title}**"
        yield ""
        yield from (f"- {escaped(one_line(item, 400))}" for item in items)
        yield ""


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
