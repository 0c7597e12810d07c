"""The report in Markdown between two marks of a page, and as JSON beside the rows."""

import json
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.evidence.arms import ARMS, BOTH, LIVE, PLAIN, SECOND
from benchmarks.evidence.figures import ArmFigures, Shares, TwoForms
from benchmarks.evidence.plan import Plan
from benchmarks.evidence.report import ALL, Report, StageState, report
from benchmarks.evidence.rows import Row

from moot.core.canonical import plain
from moot.core.errors import UsageError
from moot.evals.figures.metrics import Paired, Proportion

BEGIN, END = "<!-- evidence: begin -->", "<!-- evidence: end -->"
WIDTH = 120
FEW_FILES = 20
"""Files that are named one by one."""

SETS = {
    ALL: "All sets together",
    "gsm8k": "GSM8K",
    "hotpotqa": "HotpotQA, distractor",
    "2wikimultihopqa": "2WikiMultihopQA",
}
NONE = "-"
STATES = {True: "met", False: "not met", None: "unknown"}


def written_results(plan: Plan, rows: Sequence[Row], page: Path, figures: Path) -> str:
    """Write the tables between the marks of a page and the figures beside; return what was written, in a few words.

    Raises:
        UsageError: for a page that has not both marks, once each and in order.
    """
    found = report(plan, rows)
    text = page.read_text(encoding="utf-8") if page.exists() else f"{BEGIN}\n{END}\n"
    before, after = around_marks(text, page)
    page.write_text(f"{before}{BEGIN}\n\n{markdown(plan, found)}\n{END}{after}", encoding="utf-8")
    figures.write_text(json.dumps(plain(found, as_given=True), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return ", ".join(f"{stage.name} {stage.asked} of {stage.planned}" for stage in found.stages)


def around_marks(text: str, page: Path) -> tuple[str, str]:
    """Return what stands before and behind the marks.

    Raises:
        UsageError: where they are not there once each and in order.
    """
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise UsageError(f"{page} must have the marks `{BEGIN}` and `{END}` once each, in this order.")
    return text.partition(BEGIN)[0], text.partition(END)[2]


def markdown(plan: Plan, found: Report) -> str:
    """Return the whole report."""
    parts = (
        _asked(plan, found),
        _accuracy(found),
        _confidence(found),
        _hypothesis(plan, found),
        _adding(found),
        _live(found),
        _goals(found),
    )
    return "\n".join(line for part in parts for line in part) + "\n"


def _asked(plan: Plan, found: Report) -> Iterator[str]:
    yield "### What was asked"
    yield ""
    yield from _told(
        f"`python -m benchmarks.evidence plan`, then `run`, then `tables`; the plan was fixed on {plan.made} and is in "
        f"benchmarks/evidence/plan.json, with every prompt and rule by its digest; the rows are beside it. One model, "
        f"`{plan.member}`, at temperature {plan.temperature:g}, at most {plan.max_tokens} tokens a reply. "
        f"{_sentence(plan.definitions['pool'])}"
    )
    yield from _files(plan)
    for name, told in plan.definitions.items():
        if name != "pool":
            yield textwrap.fill(f"- {name}: {told}.", WIDTH, subsequent_indent="  ")
    yield ""
    yield "| stage | items asked | of | on | busiest load |"
    yield "|---|---|---|---|---|"
    yield from map(_stage, found.stages)
    yield ""
    for stage in found.stages:
        if stage.asked < stage.planned:
            yield f"**Not run:** {stage.planned - stage.asked} of the {stage.planned} items of the stage {stage.name}."
            yield ""
        if stage.unasked:
            yield from _told(
                f"In the stage {stage.name}, {stage.unasked} replies that a protocol wanted were not drawn, because "
                "its rows were read again without the model."
            )
    yield from _amended(plan)


def _files(plan: Plan) -> Iterator[str]:
    names = [name for stage in plan.stages[:2] for name in stage.items]
    for file, digest in plan.files.items():
        own = [name for name in names if name.startswith(f"{file.partition('.')[0]}[")]
        places = sorted(int(name.partition("[")[2].rstrip("]")) for name in own)
        seen = plan.left_out.get(file, ())
        without = f", without {_places(seen)}, which somebody had seen" if seen else ""
        told = f"{len(places)} items from [{places[0]}] to [{places[-1]}]{without}" if places else "no items"
        yield textwrap.fill(f"- {file} (sha256 {digest[:12]}…): {told}.", WIDTH, subsequent_indent="  ")
    yield ""


def _stage(stage: StageState) -> str:
    busiest = NONE if stage.busiest is None else f"{stage.busiest:.1f} on {stage.cores} cores"
    return f"| {stage.name} | {stage.asked} | {stage.planned} | {', '.join(stage.days) or NONE} | {busiest} |"


def _amended(plan: Plan) -> Iterator[str]:
    if not plan.amended:
        yield "The rules are those of the plan: none was changed after sampling began."
        yield ""
    for change in plan.amended:
        names = ", ".join(f"`{name}`" for name in change.changed)
        if len(change.changed) > FEW_FILES:
            names = f"{len(change.changed)} files that were changed, moved or are new, as the plan lists them"
        yield from _told(
            f"**Rules changed after sampling:** on {change.date}, when {change.rows} rows had been sampled, and all "
            f"were read again: {names}."
        )


def _accuracy(found: Report) -> Iterator[str]:
    yield "### Accuracy and cost"
    yield ""
    yield from _told(
        "Right by exact match with 95 % Wilson intervals, and by the lenient rule; replies and tokens an item. The "
        "last two columns: items that only the arm, and only a vote at equal tokens, has right, with the exact McNemar "
        "p, and the mean of that vote's replies; over both forms, and over free text alone (at most its four replies)."
    )
    for arm in ARMS:
        yield f"- {arm.name}: {arm.told}"
    yield ""
    for name in found.arms:
        title = SETS.get(name, name)
        if found.arms[name]:
            yield f"**{title}**, {found.arms[name][0].right.of} items"
            yield ""
            yield from arm_table(found.arms[name])
    yield from _seconds(found)


def arm_table(figures: Sequence[ArmFigures]) -> Iterator[str]:
    """Return the table of arms on the same items."""
    yield "| arm | right | lenient | replies | tokens in | out | against `vote` | against plain |"
    yield "|---|---|---|---|---|---|---|---|"
    for each in figures:
        cells = (
            each.arm,
            of_with_interval(each.right),
            f"{each.lenient.right}",
            f"{each.replies:.1f}",
            _number(each.tokens_in),
            _number(each.tokens_out),
            against(each.against_vote, each.vote_replies),
            against(each.against_plain, each.plain_replies),
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def _seconds(found: Report) -> Iterator[str]:
    if busy := [stage for stage in found.stages if stage.asked and stage.is_loaded]:
        names = ", ".join(stage.name for stage in busy)
        yield from _told(f"The machine was loaded in {names}: no seconds are printed for it.")
    for name, forms in found.seconds.items():
        told = ", ".join(f"{seconds:.0f} s for the replies in the form {form}" for form, seconds in forms.items())
        yield from _told(f"{SETS.get(name, 'Items that are not settled')}: median of an item {told}.")


def _confidence(found: Report) -> Iterator[str]:
    yield "### Confidence"
    yield ""
    yield from _told(
        "The confidence of an answer is its share of the votes, (v + 1) / (n + 2). AUROC: the chance that a right "
        "answer has more of it than a wrong one. Brier: 0 is perfect, 0.25 is what always saying one half gets."
    )
    for name in found.arms:
        if found.arms[name]:
            yield f"**{SETS.get(name, name)}**"
            yield ""
            yield "| arm | answers | AUROC | Brier | right in the most confident half |"
            yield "|---|---|---|---|---|"
            for each in found.arms[name]:
                half = NONE if each.half is None else f"{each.half.right:.1f} of {each.half.of}"
                yield f"| {each.arm} | {each.held} | {_figure(each.auroc)} | {_figure(each.brier)} | {half} |"
            yield ""
    yield "| votes of the winner | right |"
    yield "|---|---|"
    titles = {PLAIN: "free text", SECOND: "second form", BOTH: "both forms"}
    yield from (_share(titles[order], each) for order, table in found.shares.items() for each in table)
    yield ""


def _share(title: str, found: Shares) -> str:
    return f"| {title}, {found.told} | {of_with_interval(found.right)} |"


def _hypothesis(plan: Plan, found: Report) -> Iterator[str]:
    yield "### Two forms of asking"
    yield ""
    yield from _told(
        f"Hypothesis, fixed before: {plan.hypothesis['says']}. Confirmed where {plan.hypothesis['confirmed where']}."
    )
    if ALL not in found.two_forms:
        yield "Not run."
        yield ""
        return
    yield "| items | forms agree | forms differ | p | free text unanimous | second form unanimous |"
    yield "|---|---|---|---|---|---|"
    for name, each in found.two_forms.items():
        agree, differ, plain, second = map(
            of_with_interval, (each.agree, each.differ, each.plain_unanimous, each.second_unanimous)
        )
        yield f"| {SETS.get(name, name)} | {agree} | {differ} | {each.p_value:.3f} | {plain} | {second} |"
    yield ""
    yield from _told(_confirmed(found.two_forms[ALL]))


def _confirmed(found: TwoForms) -> str:
    state = "**Confirmed**" if found.is_confirmed else "**Not confirmed**"
    return (
        f"{state} over all items. At equal replies: AUROC of the share of votes {_figure(found.auroc_two_and_two)} "
        f"with two of each form, {_figure(found.auroc_plain_four)} with four in free text, "
        f"{_figure(found.auroc_second_four)} with four in the second form."
    )


def _adding(found: Report) -> Iterator[str]:
    yield "### What interrogation adds"
    yield ""
    if found.interrogation.items:
        yield from _told(
            "`interrogation` and `vote` draw the same replies over the same paragraphs here, so what differs is what "
            f"it makes of them: {against(found.interrogation)} on {found.interrogation.items} items."
        )
        yield from _told(
            f"Its answers with a line of support are right on {of_with_interval(found.with_line)}, those without on "
            f"{of_with_interval(found.without_line)}."
        )
    else:
        yield "`interrogation` was not run over the pool."
        yield ""
    for name, cover in found.covered.items():
        yield from _told(
            f"{SETS.get(name, name)}: of the sentences of plain replies that name an entity or a number, "
            f"{of_with_interval(cover)} are covered by the documents."
        )
    yield from _told(
        f"Replies with a sum that is false when recomputed are right on {of_with_interval(found.false_sums)}, those "
        f"whose sums all hold on {of_with_interval(found.no_false_sums)}; replies to one item are not independent."
    )
    if found.abstaining:
        yield "| arm | abstains where the documents do not settle it | abstains where they do |"
        yield "|---|---|---|"
        for each in found.abstaining:
            yield f"| {each.arm} | {of_with_interval(each.rightly)} | {of_with_interval(each.wrongly)} |"
        yield ""


def _live(found: Report) -> Iterator[str]:
    yield "### JSON graphs, spiral and debate"
    yield ""
    for title, figures, arms in (
        ("JSON graphs", found.graph, LIVE[:1]),
        ("`spiral` and `debate`", found.rounds, LIVE[1:]),
    ):
        if not figures:
            yield f"{title}: not run."
            yield ""
            continue
        names = {arm.name: arm.told for arm in arms}
        told = "; ".join(f"{name}: {what}" for name, what in names.items())
        yield from _told(f"**{title}**: {told}. The same items in every row.")
        yield from arm_table(figures)
        for each in figures:
            if each.arm in names and each.capped:
                yield from _told(
                    f"{each.arm}: on {each.capped} of {each.right.of} items it took more tokens than all replies that "
                    "were drawn for the vote beside it, which then has fewer tokens."
                )
            if each.arm in names and each.seconds is not None:
                yield from _told(f"{each.arm}: {each.seconds:.0f} s an item.")


def _goals(found: Report) -> Iterator[str]:
    yield "### Goals"
    yield ""
    yield "| goal | measured | state |"
    yield "|---|---|---|"
    for goal in found.goals:
        yield f"| {goal.says} | {goal.measured} | {STATES[goal.is_met]} |"


def of_with_interval(found: Proportion) -> str:
    """Return so many of so many, with the interval in percent."""
    if not found.of:
        return "none"
    return f"{found.right} of {found.of} ({found.low:.0%} to {found.high:.0%})".replace("%", "", 1).replace("%", " %")


def against(found: Paired, replies: float | None = None) -> str:
    """Return what only the one and only the other has right, p, and with how many replies the other has it."""
    if not found.items:
        return NONE
    with_replies = "" if replies is None else f" ({replies:.1f})"
    return f"+{found.only_first} -{found.only_second}, p {found.p_value:.2f}{with_replies}"


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:,.0f}"


def _figure(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"


def _places(places: Sequence[int]) -> str:
    return ", ".join(f"[{place}]" for place in places)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _told(text: str) -> Iterator[str]:
    yield textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    yield ""
