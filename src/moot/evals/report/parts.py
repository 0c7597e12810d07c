"""What a summary shows, in order: sections of tables, notes and lists. How they are drawn is for each surface.

Markdown and a terminal show the same cells.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from moot.evals.figures.calibration import Stratum
from moot.evals.figures.goals import NOTHING, Goal
from moot.evals.figures.metrics import Known, Proportion
from moot.evals.figures.votes import Agreement
from moot.evals.report.summary import ArmSummary, EvalSummary
from moot.views.words import counted, harmless

SHOWN_PROBLEMS = 20
LARGEST_MATRIX = 8
WITHOUT = ("no answer", "abstained wrongly", "not asked")


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Rows under a head. The first cells of a row name it, and may be anybody's words; the others are Moot's."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of Moot's own words."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """Lines that may be anybody's words, each with its name or none."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GoalList:
    """The paper's goals."""

    goals: tuple[Goal, ...]


SummaryPart = FigureTable | Paragraph | Bullets | GoalList


@dataclass(frozen=True, slots=True)
class SummarySection:
    """A heading, and what stands beneath it; without a heading it is the opening."""

    title: str
    parts: tuple[SummaryPart, ...]


def summary_sections(summary: EvalSummary) -> tuple[SummarySection, ...]:
    """Return the whole summary: facts, arms, comparisons, goals, votes, confidence, widths, and what is missing."""
    named = (
        ("", _facts(summary)),
        ("Arms", _arms(summary)),
        ("Compared on the same items", _comparisons(summary)),
        ("Goals", [GoalList(summary.goals)]),
        ("Votes", _votes(summary)),
        ("Confidence", _confidence(summary)),
        *((f"Accuracy by support width: {arm.arm}", _widths("width", arm.strata)) for arm in summary.arms),
        *((f"Accuracy by resilience: {arm.arm}", _widths("resilience", arm.resilience)) for arm in summary.arms),
        ("What is missing or could not be read", _problems(summary)),
    )
    return tuple(SummarySection(title, told) for title, parts in named if (told := tuple(parts)))


def share_words(share: Proportion) -> str:
    """Return a share with its interval, or a dash where there is nothing to share."""
    if share.value is None:
        return NOTHING
    return f"{share.right} of {share.of} = {share.value:.0%} [{share.low:.0%}, {share.high:.0%}]"


def table(head: Iterable[str], rows: Iterable[Iterable[str]], names: int = 1) -> FigureTable:
    """Return a table of these rows."""
    return FigureTable(tuple(head), tuple(tuple(row) for row in rows), names)


def _facts(summary: EvalSummary) -> Iterator[SummaryPart]:
    if summary.facts:
        yield Bullets(tuple(summary.facts.items()))


def _arms(summary: EvalSummary) -> Iterator[SummaryPart]:
    unsettled = any(arm.abstention.of for arm in summary.arms)
    apart = ("abstained rightly", "all items") if unsettled else ()
    per_correct = ("cost per correct", "seconds per correct", "tokens per correct")
    yield table(
        ("arm", "accuracy", *apart, *per_correct, "cost", "seconds", "seconds an item", "tokens", "calls", *WITHOUT),
        (_arm_cells(arm, unsettled=unsettled) for arm in summary.arms),
    )
    yield Paragraph(
        "Accuracy is over all items that an arm was asked, with Wilson's 95 % interval; an item without an answer is "
        "wrong. Cost, seconds and tokens are for all items together; per correct, they are divided by the number of "
        "correct answers. Seconds count only the time in which calls were under way; they are added up over the items, "
        "so a run that asks several at once takes less by the clock."
    )
    if unsettled:
        yield Paragraph(
            "Items that their documents do not settle are not in the accuracy. There an abstention is correct, and it "
            "counts as a correct answer in the figures per correct one."
        )


def _arm_cells(arm: ArmSummary, *, unsettled: bool) -> Iterator[str]:
    cost = arm.expense
    yield arm.arm
    yield share_words(arm.accuracy)
    if unsettled:
        yield share_words(arm.abstention)
        yield share_words(arm.overall)
    if not cost.items:
        yield from [NOTHING] * 10
        yield str(arm.unasked)
        return
    yield "unknown" if cost.usd is None else _or_none(cost.usd_per_correct, _usd)
    yield _or_none(cost.seconds_per_correct, _decimal)
    yield "unknown" if cost.tokens is None else _or_none(cost.tokens_per_correct, "{:,.0f}".format)
    yield _known(cost.known_usd, cost.items, _usd)
    yield _decimal(cost.seconds)
    yield _decimal(cost.seconds / cost.items)
    yield _known(cost.known_tokens, cost.items, "{:,.0f}".format)
    yield from map(str, (cost.calls, arm.failed, arm.withheld, arm.unasked))


def _comparisons(summary: EvalSummary) -> Iterator[SummaryPart]:
    if not summary.comparisons:
        return
    yield Paragraph(harmless(summary.finding))
    head = ("arm", "against", "both right", "only the arm", "only the other", "neither", "difference", "p", "unpaired")
    yield table(
        head,
        (
            (
                one.arm,
                one.baseline,
                *map(str, (pair.both, pair.only_first, pair.only_second, pair.neither)),
                NOTHING if pair.difference is None else f"{100 * pair.difference:+.1f} points",
                f"{pair.p_value:.2g}",
                str(pair.unpaired),
            )
            for one in summary.comparisons
            for pair in (one.paired,)
        ),
        names=2,
    )
    yield Paragraph("p is that of the exact two-sided McNemar test; it is not corrected for the number of comparisons.")


def _votes(summary: EvalSummary) -> Iterator[SummaryPart]:
    voting = [(arm, arm.electorate) for arm in summary.arms if arm.electorate is not None]
    if not voting:
        return
    yield table(
        ("arm", "votes an item", "items", "left out", "unreadable votes", "correlation of errors", "effective votes"),
        (
            (
                arm.arm,
                *map(str, (votes.members, votes.items, votes.left_out, votes.unreadable)),
                _or_unknown(votes.error_correlation),
                _or_unknown(votes.effective_votes),
            )
            for arm, votes in voting
        ),
    )
    yield Paragraph(
        "Effective votes are Kish's n / (1 + (n - 1) rho), with rho the mean covariance of two votes' errors over the "
        "mean variance of one; unknown where no vote ever varies. Items that lack a vote, or have one that is empty or "
        "could not be read, are left out here."
    )
    for arm, votes in voting:
        if votes.members <= LARGEST_MATRIX and votes.agreement:
            yield Paragraph(_matrix_words(arm.arm, votes.unreadable))
            yield _matrix(votes.agreement)


def _matrix_words(arm: str, unreadable: int) -> str:
    left_out = f"; {counted(unreadable, 'unreadable vote')} left out" if unreadable else ""
    return f"How often two votes of `{harmless(arm)}` were the same answer{left_out}:"


def _matrix(agreement: Agreement) -> FigureTable:
    return table(
        ("", *map(str, range(1, len(agreement) + 1))),
        (
            (str(number), *(NOTHING if share is None else f"{share:.2f}" for share in line))
            for number, line in enumerate(agreement, 1)
        ),
    )


def _confidence(summary: EvalSummary) -> Iterator[SummaryPart]:
    judged = [(arm, one) for arm in summary.arms for one in arm.calibrations]
    if not judged:
        return
    yield table(
        ("arm", "basis", "answers", "Brier", "ECE"),
        ((arm.arm, one.basis, str(one.held), f"{one.brier:.3f}", f"{one.ece:.3f}") for arm, one in judged),
        names=2,
    )
    yield Paragraph(
        "Brier is the mean squared distance from the outcome (0 is best), ECE the mean gap between confidence and "
        "accuracy over ten bins of equal width. Each basis stands by itself; `structure` is an order, no probability."
    )


def _widths(name: str, strata: Sequence[Stratum]) -> Iterator[SummaryPart]:
    if strata:
        yield table((name, "right"), ((str(part), share_words(part.right)) for part in strata))


def _problems(summary: EvalSummary) -> Iterator[SummaryPart]:
    if not summary.problems:
        return
    yield Paragraph(f"{counted(len(summary.problems), 'problem')}:")
    more = len(summary.problems) - SHOWN_PROBLEMS
    shown = (*summary.problems[:SHOWN_PROBLEMS], *((f"and {more} more",) if more > 0 else ()))
    yield Bullets(tuple(("", problem) for problem in shown))


def _known(sum_: Known, items: int, words: Callable[[float], str]) -> str:
    """Return a sum as far as it is known, with the items of which it is not (ruling G10)."""
    if sum_.unknown == items:
        return "unknown"
    return f"{words(sum_.total)} and {counted(sum_.unknown, 'item')} unknown" if sum_.unknown else words(sum_.total)


def _decimal(value: float) -> str:
    return f"{value:,.1f}"


def _or_unknown(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"


def _usd(usd: float) -> str:
    # A cheap call costs less than the fourth place shows.
    return "$0" if not usd else f"${usd:.4f}" if usd >= 0.01 else f"${usd:.2g}"


def _or_none(value: float | None, words: Callable[[float], str]) -> str:
    return "none correct" if value is None else words(value)
