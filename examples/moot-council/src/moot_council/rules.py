"""What the council decides without a model: which answers are one, who sees which letters, what rankings come to.

Pure, like everything a protocol does between two questions: same input, same output. Scores are fractions, so that a
tie is a tie and no rounding decides.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

LABEL = re.compile(r"(?:\d+[.)]\s*)?(?:answer\s+)?[\W_]*([a-z]{1,2})(?:[\W_]*|\s*[:(-].*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """One answer as it is ranked; members whose answers are the same text hold it together."""

    answer: str
    reasons: str
    held_by: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return what it goes by in the record: the seat of its first holder."""
        return self.held_by[0]


@dataclass(frozen=True)
class Ballot:
    """A usable ranking: names of entries, best first; those it left out share the last tier."""

    ranker: str
    tiers: tuple[tuple[str, ...], ...]
    repairs: tuple[str, ...] = ()
    is_as_shown: bool = False
    """Whether it repeats the order in which the answers were shown."""


@dataclass(frozen=True)
class Spoilt:
    """A ranking that says nothing, or more than one thing."""

    ranker: str
    reason: str


@dataclass(frozen=True)
class Standing:
    """How an entry fared over the rankings that rank it. Entries with one score share a place."""

    entry: Entry
    place: int
    borda: Fraction
    mean_rank: Fraction
    ballots: int


@dataclass(frozen=True)
class SelfPreference:
    """Which rankers put their own answer first, and who leads by the rankings of others alone."""

    had_own: tuple[str, ...]
    put_first: tuple[str, ...]
    by_chance: Fraction
    first_by_others: frozenset[str]


# Entries


def plain_text(text: str) -> str:
    """Return a text by which two answers are the same: without case, spare space, and marks that end a sentence.

    A point in front and any other sign stay: .5 is not 5, and 5! is not either.
    """
    return " ".join(text.split()).lstrip(",;: ").rstrip(".,;: ").casefold()


def merged_entries(answers: Iterable[tuple[str, str, str]]) -> tuple[Entry, ...]:
    """Return the different answers among (seat, answer, reasons), in panel order.

    Ranked apart, two equal answers would split their votes. The reasons are the first holder's: more would tell the
    rankers how many hold it.
    """
    entries: dict[str, Entry] = {}
    for seat, answer, reasons in answers:
        first = entries.get(plain_text(answer), Entry(answer, reasons, ()))
        entries[plain_text(answer)] = Entry(first.answer, first.reasons, (*first.held_by, seat))
    return tuple(entries.values())


def entry_of(entries: Iterable[Entry], seat: str) -> Entry | None:
    """Return the entry that a seat holds, if it answered."""
    return next((entry for entry in entries if seat in entry.held_by), None)


def same_answer(entries: Iterable[Entry], answer: str) -> Entry | None:
    """Return the entry whose text this is, if it is one's."""
    return next((entry for entry in entries if plain_text(entry.answer) == plain_text(answer)), None)


def followed_entry(shown: Sequence[Entry], answer: str, letter: str) -> Entry | None:
    """Return the entry that a final text follows: by being it, by quoting it alone, by the letter it names.

    None where it says nothing of the kind, or names one and quotes another: then nobody knows.
    """
    if same := same_answer(shown, answer):
        return same
    named = dict(zip(labels(len(shown)), shown, strict=True)).get(label_in(letter))
    quoted = [entry for entry in shown if is_quoted(entry.answer, answer)]
    if named and quoted and named not in quoted:
        return None
    return quoted[0] if len(quoted) == 1 else named


def is_quoted(answer: str, text: str) -> bool:
    """Return whether an answer stands in a text word for word."""
    return re.search(rf"(?<!\w){re.escape(plain_text(answer))}(?!\w)", plain_text(text)) is not None


def sole_most_held(entries: Sequence[Entry]) -> Entry | None:
    """Return the entry that more members hold than any other, if there is one."""
    most = max((len(entry.held_by) for entry in entries), default=0)
    held_most = [entry for entry in entries if len(entry.held_by) == most]
    return held_most[0] if len(held_most) == 1 else None


# What a ranker sees


def labels(count: int) -> tuple[str, ...]:
    """Return so many letters: A to Z, then AA, AB and so on."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return (*alphabet, *(first + second for first in alphabet for second in alphabet))[:count]


def shown_order(entries: Sequence[Entry], question: str, place: int) -> tuple[Entry, ...]:
    """Return the entries as the ranker at this place of the panel sees them.

    The question's hash sets them in a ring, so that seats do not show; each ranker starts one further, so that over a
    full round every entry stands at every letter once; a second round goes the other way.
    """
    ring = sorted(entries, key=lambda entry: hashlib.sha256(f"{question}\0{entry.name}".encode()).digest())
    turn, start = divmod(place, len(ring))
    shown = ring[start:] + ring[:start]
    return tuple(shown[::-1] if turn % 2 else shown)


# What a ranking says


def read_ballot(ranker: str, shown: Sequence[Entry], order: Iterable[str]) -> Ballot | Spoilt:
    """Return a ranking as far as it can be understood in one way, or why it cannot.

    Letters left out come last, together; a letter said twice in a row is said once; one that was never shown is
    dropped, unless it may stand for one that was left out.
    """
    names = dict(zip(labels(len(shown)), (entry.name for entry in shown), strict=True))
    said = [label_in(item) for item in order if item.strip()]
    invented = [label for label in said if label not in names]
    known = [label for label, _ in groupby(label for label in said if label in names)]
    left_out = [label for label in names if label not in known]
    reason = why_spoilt(known, invented, left_out)
    if reason:
        return Spoilt(ranker, reason)
    tiers = [(names[label],) for label in known] + ([tuple(names[label] for label in left_out)] if left_out else [])
    return Ballot(ranker, tuple(tiers), repairs(said, invented, left_out), is_as_shown=known == list(names))


def label_in(item: str) -> str:
    """Return the letter that an item names, such as "b", "2. B" or "Answer B: it is right"; else the item itself."""
    match = LABEL.fullmatch(item.strip())
    return match[1].upper() if match else item.strip()[:20]


def why_spoilt(known: Sequence[str], invented: Sequence[str], left_out: Sequence[str]) -> str:
    """Return why no one ranking can be read, or nothing where one can."""
    if not known:
        return "it names none of the answers"
    twice = sorted({label for label in known if known.count(label) > 1})
    if twice:
        return f"it puts {' and '.join(twice)} in two places"
    if invented and left_out:
        return f"it names {', '.join(invented)}, which nobody was shown, and leaves out {', '.join(left_out)}"
    return ""


def repairs(said: Sequence[str], invented: Sequence[str], left_out: Sequence[str]) -> tuple[str, ...]:
    """Return what was done to a usable ranking, as sentences without a subject."""
    repeated = [label for label, run in groupby(said) if len(list(run)) > 1]
    return (
        *(f"{label}, said twice in a row, counts once" for label in repeated),
        *(f"{label}, which nobody was shown, is dropped" for label in invented),
        *((f"{', '.join(left_out)}, left out, come last",) if left_out else ()),
    )


# What all rankings come to


def ranks(ballot: Ballot) -> dict[str, Fraction]:
    """Return the rank of each entry on a ballot, from 1; those that share a tier share the mean of its ranks."""
    mean_ranks: dict[str, Fraction] = {}
    for tier in ballot.tiers:
        mean_ranks |= dict.fromkeys(tier, len(mean_ranks) + Fraction(len(tier) + 1, 2))
    return mean_ranks


def points(ballot: Ballot) -> dict[str, Fraction]:
    """Return the normalised Borda points of each entry on a ballot: 1 for the first, 0 for the last, evenly between."""
    return {name: (len(ranks(ballot)) - rank) / (len(ranks(ballot)) - 1) for name, rank in ranks(ballot).items()}


def borda_scores(
    entries: Iterable[Entry], ballots: Collection[Ballot], *, by_others: bool = False
) -> dict[str, Fraction]:
    """Return the mean points of every entry that was ranked; on request without the ballots of its own holders."""
    scores: dict[str, Fraction] = {}
    for entry in entries:
        given = [points(ballot) for ballot in ballots if not (by_others and ballot.ranker in entry.held_by)]
        ranked = [each[entry.name] for each in given if entry.name in each]
        if ranked:
            scores[entry.name] = mean(ranked)
    return scores


def mean(values: Sequence[Fraction]) -> Fraction:
    """Return the mean, exactly."""
    return sum(values, Fraction(0)) / len(values)


def leaders(scores: Mapping[str, Fraction]) -> frozenset[str]:
    """Return the names that share the highest score; none where nobody has a score."""
    return frozenset(name for name, score in scores.items() if score == max(scores.values()))


def standings(entries: Sequence[Entry], ballots: Collection[Ballot]) -> tuple[Standing, ...]:
    """Return the entries that were ranked, best first.

    Entries with one score share a place; among them the one that more members hold comes first, then panel order.
    """
    scores = borda_scores(entries, ballots)
    ordered = sorted(
        (entry for entry in entries if entry.name in scores),
        key=lambda entry: (-scores[entry.name], -len(entry.held_by)),
    )
    return tuple(standing(entry, scores, [ranks(ballot) for ballot in ballots]) for entry in ordered)


def standing(entry: Entry, scores: Mapping[str, Fraction], ranked: Iterable[Mapping[str, Fraction]]) -> Standing:
    """Return one entry's line of the ranking."""
    own = [each[entry.name] for each in ranked if entry.name in each]
    place = 1 + sum(score > scores[entry.name] for score in scores.values())
    return Standing(entry, place, scores[entry.name], mean(own), len(own))


def rivals(entries: Sequence[Entry], ballots: tuple[Ballot, ...]) -> frozenset[str]:
    """Return who leads, or would lead or draw level if any one ranking were not there: between these it was close."""
    everybody = frozenset(entry.name for entry in entries)
    without_one = (ballots[:at] + ballots[at + 1 :] for at in range(len(ballots)))
    close = [leaders(borda_scores(entries, some)) or everybody for some in (ballots, *without_one)]
    return frozenset().union(*close)


def self_preference(entries: Sequence[Entry], ballots: Sequence[Ballot]) -> SelfPreference:
    """Return how often members put their own answer first, and what the others' rankings alone would say."""
    own = {ballot.ranker: entry_of(entries, ballot.ranker) for ballot in ballots}
    had_own = [ballot for ballot in ballots if (mine := own[ballot.ranker]) and mine.name in ranks(ballot)]
    put_first = [ballot.ranker for ballot in had_own if ballot.ranker in holders(entries, ballot.tiers[0][0])]
    return SelfPreference(
        had_own=tuple(ballot.ranker for ballot in had_own),
        put_first=tuple(put_first),
        by_chance=sum((Fraction(1, len(ranks(ballot))) for ballot in had_own), Fraction(0)),
        first_by_others=leaders(borda_scores(entries, ballots, by_others=True)),
    )


def holders(entries: Iterable[Entry], name: str) -> tuple[str, ...]:
    """Return who holds the entry of this name."""
    return next((entry.held_by for entry in entries if entry.name == name), ())


def decided_by_own(entries: Sequence[Entry], ballots: Sequence[Ballot]) -> bool:
    """Return whether one entry leads that would not lead alone by the rankings of those who do not hold it."""
    first = leaders(borda_scores(entries, ballots))
    return len(first) == 1 and self_preference(entries, ballots).first_by_others != first
