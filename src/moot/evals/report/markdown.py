"""A summary as Markdown: the arms, the comparisons, votes, calibration, the goals, and what is missing."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from moot.evals.figures.goals import NOTHING
from moot.evals.figures.metrics import Known, Proportion
from moot.evals.report.summary import ArmSummary, EvalSummary
from moot.views.words import counted, escaped

SHOWN_PROBLEMS = 20
LARGEST_MATRIX = 8
WITHOUT = ("no answer", "abstained wrongly", "not asked")


def summary_markdown(summary: EvalSummary, *, title: str = "Evaluation", plots: Sequence[tuple[str, str]] = ()) -> str:
    """Return the whole summary; `plots` are captions with the addresses of pictures, shown where they are given."""
    parts = [
        [f"# {escaped(title)}", ""],
        _facts(summary),
        _arms(summary),
        _comparisons(summary),
        _goals(summary),
        _pictures(plots),
        _votes(summary),
        _calibration(summary),
        _widths(summary),
        _problems(summary),
    ]
    return "\n".join(line for part in parts for line in part).rstrip() + "\n"


def share_words(share: Proportion) -> str:
    """Return a share with its interval, or a dash where there is nothing to share."""
    if share.value is None:
        return NOTHING
    return f"{share.right} of {share.of} = {share.value:.0%} [{share.low:.0%}, {share.high:.0%}]"


def _facts(summary: EvalSummary) -> Iterator[str]:
    if summary.facts:
        yield from (f"- {escaped(name)}: {escaped(value)}" for name, value in summary.facts.items())
        yield ""


def _arms(summary: EvalSummary) -> Iterator[str]:
    unsettled = any(arm.abstention.of for arm in summary.arms)
    apart = ("abstained rightly", "all items") if unsettled else ()
    per_correct = ("cost per correct", "seconds per correct", "tokens per correct")
    yield from ("## Arms", "")
    yield from _table(
        ("arm", "accuracy", *apart, *per_correct, "cost", "seconds", "seconds an item", "tokens", "calls", *WITHOUT),
        (_arm_cells(arm, unsettled=unsettled) for arm in summary.arms),
    )
    yield (
        "Accuracy is over all items that an arm was asked, with Wilson's 95 % interval; an item without an answer is "
        "wrong. Cost, seconds and tokens are those of all items, per correct one those of all items over the correct "
        "ones. Seconds are the items' own, added up; items that ran side by side took less by the clock."
    )
    if unsettled:
        yield (
            "Items that their documents do not settle are apart from the accuracy; there an abstention is correct, and "
            "it counts as such in what a correct one cost."
        )
    yield ""


def _arm_cells(arm: ArmSummary, *, unsettled: bool) -> Iterator[str]:
    cost = arm.expense
    yield escaped(arm.arm)
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


def _known(sum_: Known, items: int, words: Callable[[float], str]) -> str:
    """Return a sum as far as it is known, with the items of which it is not (ruling G10)."""
    if sum_.unknown == items:
        return "unknown"
    return f"{words(sum_.total)} and {counted(sum_.unknown, 'item')} unknown" if sum_.unknown else words(sum_.total)


def _comparisons(summary: EvalSummary) -> Iterator[str]:
    if not summary.comparisons:
        return
    yield from ("## Compared on the same items", "")
    head = ("arm", "against", "both right", "only the arm", "only the other", "neither", "difference", "p", "unpaired")
    yield from _table(
        head,
        (
            (
                escaped(one.arm),
                escaped(one.baseline),
                *map(str, (pair.both, pair.only_first, pair.only_second, pair.neither)),
                NOTHING if pair.difference is None else f"{100 * pair.difference:+.1f} points",
                f"{pair.p_value:.2g}",
                str(pair.unpaired),
            )
            for one in summary.comparisons
            for pair in (one.paired,)
        ),
    )
    yield "p is that of the exact two-sided McNemar test; it is not corrected for the number of comparisons."
    yield ""


def _goals(summary: EvalSummary) -> Iterator[str]:
    yield from ("## Goals", "")
    yield from _table(
        ("goal", "target", "measured", "state", "note"),
        ((f"{one.name} {one.goal}", one.target, one.measured, f"**{one.state}**", one.why) for one in summary.goals),
    )


def _pictures(plots: Sequence[tuple[str, str]]) -> Iterator[str]:
    if plots:
        yield from ("## Plots", "")
        for caption, address in plots:
            yield from (f"![{escaped(caption)}]({address})", "")


def _votes(summary: EvalSummary) -> Iterator[str]:
    voting = [(arm, arm.electorate) for arm in summary.arms if arm.electorate is not None]
    if not voting:
        return
    yield from ("## Votes", "")
    yield from _table(
        ("arm", "votes an item", "items", "left out", "correlation of errors", "effective votes"),
        (
            (
                escaped(arm.arm),
                str(votes.members),
                str(votes.items),
                str(votes.left_out),
                _or_unknown(votes.error_correlation),
                _or_unknown(votes.effective_votes),
            )
            for arm, votes in voting
        ),
    )
    yield (
        "Effective votes are Kish's n / (1 + (n - 1) rho), with rho the mean covariance of two votes' errors over the "
        "mean variance of one; unknown where no vote ever varies. Items that lack some vote are left out here."
    )
    yield ""
    for arm, votes in voting:
        if votes.members <= LARGEST_MATRIX:
            yield from (f"How often two votes of `{arm.arm}` were the same answer:", "")
            yield from _table(
                ("", *map(str, range(1, votes.members + 1))),
                ((str(number), *(f"{share:.2f}" for share in line)) for number, line in enumerate(votes.agreement, 1)),
            )


def _calibration(summary: EvalSummary) -> Iterator[str]:
    judged = [(arm, one) for arm in summary.arms for one in arm.calibrations]
    if not judged:
        return
    yield from ("## Confidence", "")
    yield from _table(
        ("arm", "basis", "answers", "Brier", "ECE"),
        (
            (escaped(arm.arm), escaped(one.basis), str(one.held), f"{one.brier:.3f}", f"{one.ece:.3f}")
            for arm, one in judged
        ),
    )
    yield (
        "Brier is the mean squared distance from the outcome (0 is best), ECE the mean gap between confidence and "
        "accuracy over ten bins of equal width. Each basis stands by itself; `structure` is an order, no probability."
    )
    yield ""


def _widths(summary: EvalSummary) -> Iterator[str]:
    for arm in summary.arms:
        if arm.strata:
            yield from (f"## Accuracy by support width: {escaped(arm.arm)}", "")
            yield from _table(("width", "right"), ((str(part), share_words(part.right)) for part in arm.strata))


def _problems(summary: EvalSummary) -> Iterator[str]:
    if not summary.problems:
        return
    yield from ("## What is missing or could not be read", "", f"{counted(len(summary.problems), 'problem')}:", "")
    yield from (f"- {escaped(problem)}" for problem in summary.problems[:SHOWN_PROBLEMS])
    if len(summary.problems) > SHOWN_PROBLEMS:
        yield f"- and {len(summary.problems) - SHOWN_PROBLEMS} more"
    yield ""


def _table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> Iterator[str]:
    names = list(head)
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    yield from (f"| {' | '.join(line)} |" for line in lines)
    yield ""


def _decimal(value: float) -> str:
    return f"{value:,.1f}"


def _or_unknown(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"


def _usd(usd: float) -> str:
    # A cheap call costs less than the fourth place shows.
    return "$0" if not usd else f"${usd:.4f}" if usd >= 0.01 else f"${usd:.2g}"


def _or_none(value: float | None, words: Callable[[float], str]) -> str:
    return "none correct" if value is None else words(value)
