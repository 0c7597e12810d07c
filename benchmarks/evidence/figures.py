"""The figures of an arm, and of what is asked beside: all from rows, none from texts. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from benchmarks.evidence.arms import BOTH, PLAIN, SECOND, Arm, Results, beside, first, is_capped, results
from benchmarks.evidence.rows import Outcome, Row, RunFacts

from moot.evals.figures.calibration import Held, brier
from moot.evals.figures.discrimination import Half, auroc, fisher, most_confident_half
from moot.evals.figures.metrics import Paired, Proportion, mcnemar, proportion

LOADED = 1.5
"""Seconds count only where the load stayed below so many times the cores."""


@dataclass(frozen=True, slots=True)
class ArmFigures:
    """How an arm fared on the items that have something for it."""

    arm: str
    right: Proportion
    lenient: Proportion
    abstained: int
    tied: int
    replies: float
    tokens_in: float | None
    """Tokens an item."""
    tokens_out: float | None
    against_vote: Paired
    """Against a vote at equal tokens over both forms, and over free text alone."""
    against_plain: Paired
    vote_replies: float | None
    """How many replies these votes have, an item."""
    plain_replies: float | None
    capped: int
    """Items on which further replies might have fitted the arm's tokens than were drawn."""
    held: int
    """Answers that have a confidence."""
    auroc: float | None
    brier: float | None
    half: Half | None
    seconds: float | None
    unasked: int


def arm_figures(arm: Arm, rows: Sequence[Row]) -> ArmFigures | None:
    """Return an arm's figures; None where no item has something for it."""
    by_item = results(arm, rows)
    if not by_item:
        return None
    vote, plain = beside(arm, rows, BOTH), beside(arm, rows, PLAIN)
    outcomes = list(by_item.values())
    held = held_by(outcomes)
    seconds = [outcome.seconds for outcome in outcomes if outcome.seconds is not None]
    return ArmFigures(
        arm=arm.name,
        right=share(outcomes, lambda outcome: outcome.right),
        lenient=share(outcomes, lambda outcome: outcome.lenient),
        abstained=sum(outcome.abstained for outcome in outcomes),
        tied=sum(outcome.tied for outcome in outcomes),
        replies=fmean(outcome.replies for outcome in outcomes),
        tokens_in=mean([outcome.tokens_in for outcome in outcomes]),
        tokens_out=mean([outcome.tokens_out for outcome in outcomes]),
        against_vote=paired(by_item, vote),
        against_plain=paired(by_item, plain),
        vote_replies=mean([each.replies for each in vote.values()]),
        plain_replies=mean([each.replies for each in plain.values()]),
        capped=sum(is_capped(arm, row, BOTH) for row in rows),
        held=len(held),
        auroc=auroc(held),
        brier=brier(held) if held else None,
        half=most_confident_half(held),
        seconds=fmean(seconds) if len(seconds) == len(outcomes) and not is_loaded(rows) else None,
        unasked=sum(outcome.unasked for outcome in outcomes),
    )


def held_by(outcomes: Iterable[Outcome]) -> list[Held]:
    """Return the answers that have a confidence, with whether they are right."""
    return [(outcome.confidence, outcome.right) for outcome in outcomes if outcome.confidence is not None]


def share(outcomes: Iterable[Outcome], is_so: Callable[[Outcome], bool]) -> Proportion:
    """Return how many of the outcomes are so."""
    told = [is_so(outcome) for outcome in outcomes]
    return proportion(sum(told), len(told))


def mean(parts: Sequence[int | None]) -> float | None:
    """Return the mean where all parts are known."""
    known = [part for part in parts if part is not None]
    return fmean(known) if known and len(known) == len(parts) else None


def paired(one: Results, other: Results) -> Paired:
    """Return two arms on the items that both have, with the exact test."""
    cells = [(one[item].right, other[item].right) for item in one.keys() & other.keys()]
    only_first, only_second = cells.count((True, False)), cells.count((False, True))
    return Paired(
        both=cells.count((True, True)),
        only_first=only_first,
        only_second=only_second,
        neither=cells.count((False, False)),
        unpaired=len(one.keys() ^ other.keys()),
        p_value=mcnemar(only_first, only_second),
    )


@dataclass(frozen=True, slots=True)
class Shares:
    """Of the items whose winner has so many votes of so many, how many are right."""

    told: str
    right: Proportion


def shares_to_right(rows: Sequence[Row], order: str, bands: Sequence[tuple[int, int]], of: int) -> list[Shares]:
    """Return the table from share of votes to right answers, for bands of votes from the highest to the lowest."""
    outcomes = [outcome for row in rows if (outcome := first(order, of)(row))]
    table: list[Shares] = []
    for least, most in bands:
        inside = [outcome for outcome in outcomes if least <= outcome.votes <= most]
        votes = f"{most}/{of}" if least == most else f"{least} to {most} of {of}"
        table.append(Shares(votes, share(inside, lambda outcome: outcome.right)))
    return table


@dataclass(frozen=True, slots=True)
class TwoForms:
    """The hypothesis of two forms, with its figures and whether it is confirmed."""

    agree: Proportion
    differ: Proportion
    p_value: float
    plain_unanimous: Proportion
    second_unanimous: Proportion
    auroc_two_and_two: float | None
    auroc_plain_four: float | None
    auroc_second_four: float | None
    is_confirmed: bool


def two_forms(rows: Sequence[Row], level: float = 0.05) -> TwoForms | None:
    """Return the figures of the hypothesis; None where no item was asked in both forms."""
    votes = [outcome for row in rows if (outcome := first(BOTH, 8)(row))]
    if not votes:
        return None
    agree = share([vote for vote in votes if vote.agree], lambda vote: vote.right)
    differ = share([vote for vote in votes if not vote.agree], lambda vote: vote.right)
    alone = {order: [vote for row in rows if (vote := first(order, 4)(row))] for order in (PLAIN, SECOND)}
    unanimous = {
        order: share([vote for vote in each if vote.votes == vote.replies], lambda vote: vote.right)
        for order, each in alone.items()
    }
    p_value = fisher(agree.right, agree.of, differ.right, differ.of)
    is_above = all((agree.value or 0) > (each.value or 0) for each in unanimous.values())
    return TwoForms(
        agree=agree,
        differ=differ,
        p_value=p_value,
        plain_unanimous=unanimous[PLAIN],
        second_unanimous=unanimous[SECOND],
        auroc_two_and_two=auroc(held_by(vote for row in rows if (vote := first(BOTH, 4)(row)))),
        auroc_plain_four=auroc(held_by(alone[PLAIN])),
        auroc_second_four=auroc(held_by(alone[SECOND])),
        is_confirmed=p_value < level and is_above,
    )


@dataclass(frozen=True, slots=True)
class Lean:
    """One way beside a dearer one: how many items fewer, for which part of the tokens."""

    right: int
    other_right: int
    items: int
    tokens: float | None
    """All tokens, and those written, as parts of the other's."""
    written: float | None


def lean(one: Results, other: Results) -> Lean:
    """Return what the first comes to beside the second, on the items that both have."""
    common = sorted(one.keys() & other.keys())
    tokens = [mean([each[item].tokens for item in common]) for each in (one, other)]
    written = [mean([each[item].tokens_out for item in common]) for each in (one, other)]
    return Lean(
        right=sum(one[item].right for item in common),
        other_right=sum(other[item].right for item in common),
        items=len(common),
        tokens=tokens[0] / tokens[1] if tokens[0] is not None and tokens[1] else None,
        written=written[0] / written[1] if written[0] is not None and written[1] else None,
    )


def covered(rows: Iterable[Row]) -> Proportion:
    """Return how many sentences of plain replies that name an entity or a number are covered by the documents."""
    runs = [run for row in rows for run in row.runs if run.form == PLAIN and run.naming is not None]
    return proportion(sum(run.covered or 0 for run in runs), sum(run.naming or 0 for run in runs))


def runs_right(rows: Iterable[Row], is_so: Callable[[RunFacts], bool]) -> Proportion:
    """Return how many of the replies of a kind are right; replies to one item are not independent."""
    runs = [run for row in rows for run in row.runs if is_so(run)]
    return proportion(sum(run.right for run in runs), len(runs))


def is_loaded(rows: Iterable[Row]) -> bool:
    """Return whether the machine had too much else to do, or nobody looked."""
    return any(not row.loads or max(row.loads) >= LOADED * row.cores for row in rows)


def form_seconds(rows: Sequence[Row]) -> dict[str, float]:
    """Return the median seconds an item that the replies of each form took; none where the machine was loaded."""
    if not rows or is_loaded(rows):
        return {}
    forms = dict.fromkeys(form for row in rows for form in row.seconds)
    return {form: median(row.seconds[form] for row in rows if form in row.seconds) for form in forms}
