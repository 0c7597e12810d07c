"""What each claim of a `graph` reply rests on, looked up and checked (rulings I10 to I12, I18).

A way that is sentences alone must cover its claim; where it does not and others do, those take its place. A sum that is
right is covered by the sentences with its numbers, and its result stands from then on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from moot.methods.equations import equations_in, without_tex
from moot.methods.grounding import Grounds, cover_by, covering_sentences, grounding, numbers_of
from moot.methods.recomputing import Recomputed, recomputed
from moot.methods.sameness import content_words, names_in, stated_numbers
from moot.methods.sentences import Sentence
from moot.oracles import judged
from moot.protocols.interrogation.graph.claims import MOST_ITEMS, Claims, WrittenClaim, as_text
from moot.protocols.interrogation.graph.reasons import StepReasons, read_reasons, read_sentences


@dataclass(frozen=True, slots=True)
class RestingWay:
    """What a claim rests on together: sentences, other claims, and numbers that it takes for granted."""

    sentences: tuple[Sentence, ...] = ()
    claims: tuple[str, ...] = ()
    granted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rested:
    """What a claim rests on once that is looked up; no ways and a problem where it rests on nothing."""

    ways: tuple[RestingWay, ...] = ()
    problem: str = ""
    repairs: tuple[str, ...] = ()
    source: tuple[Sentence, ...] = ()
    """The sentences of a given."""


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of one claim, recomputed, and what it says beside those that are right (I18)."""

    false: tuple[Recomputed, ...] = ()
    right: tuple[Recomputed, ...] = ()
    rest: str = ""

    @property
    def results(self) -> frozenset[str]:
        """The numbers that right sums come to."""
        return frozenset().union(*(stated_numbers(item.result) for item in self.right))

    @property
    def operands(self) -> frozenset[str]:
        """The numbers that right sums start from, but for what an earlier one of them comes to."""
        needed: frozenset[str] = frozenset()
        for place, item in enumerate(self.right):
            needed |= stated_numbers(" ".join(item.operands)) - Sums((), self.right[:place]).results
        return needed


@dataclass(frozen=True, slots=True)
class Checked:
    """What each claim rests on and computes wrongly, by its id; `standing` are results of sums (I18)."""

    rests: Mapping[str, Rested]
    false: Mapping[str, tuple[Recomputed, ...]]
    standing: frozenset[str]


def checked_claims(claims: Claims, grounds: Grounds, question: str) -> Checked:
    """Return what each claim rests on, with the sums of all recomputed first."""
    sums = {claim.id: sums_of(claim.text, question) for claim in claims.claims}
    reasons = reasons_of(claims, grounds)
    named = (sentence.said for ways in reasons.values() for way in ways for sentence in way.sentences)
    standing = standing_results(sums, frozenset(stated_numbers(question)).union(*map(stated_numbers, named)))
    rests = {}
    for claim in claims.claims:
        others = frozenset().union(*(results for other, results in standing.items() if other != claim.id))
        rests[claim.id] = rested(claim, reasons[claim.id], grounds, sums[claim.id], others, question)
    return Checked(rests, {name: one.false for name, one in sums.items()}, frozenset().union(*standing.values()))


def sums_of(claim: str, question: str) -> Sums:
    """Return the sums of a claim, recomputed."""
    decided = recomputed(claim, question)
    right = tuple(item for item in decided if item.verdict != "false")
    return Sums(tuple(item for item in decided if item.verdict == "false"), right, _beside_sums(claim, right))


def _beside_sums(claim: str, right: Sequence[Recomputed]) -> str:
    rest = without_tex(claim)
    for item in right:
        # An oracle read either all of a sentence or an equation in it.
        if judged(item.sentence).verdict != "not decided":
            rest = rest.replace(item.sentence, " ")
    for equation in reversed(equations_in(rest)):
        rest = f"{rest[: equation.start]} {rest[equation.end :]}"
    return rest


def standing_results(sums: Mapping[str, Sums], given: frozenset[str]) -> Mapping[str, frozenset[str]]:
    """Return the claims whose sums start from a number that stands, with what they come to (I12, I18)."""
    standing: dict[str, frozenset[str]] = {}
    waiting = {claim: one for claim, one in sums.items() if one.right and not one.false}
    while True:
        there = given.union(*standing.values())
        founded = {claim: one.results for claim, one in waiting.items() if one.operands & there}
        if not founded:
            return standing
        standing |= founded
        waiting = {claim: one for claim, one in waiting.items() if claim not in founded}


def reasons_of(claims: Claims, grounds: Grounds) -> Mapping[str, tuple[StepReasons, ...]]:
    """Return the reasons of each claim, looked up: a way each, under the names that claims have now."""
    known = {*claims.aliases, *(claim.id for claim in claims.claims)}

    def renamed(reasons: StepReasons) -> StepReasons:
        return replace(reasons, claims=tuple(dict.fromkeys(claims.aliases.get(one, one) for one in reasons.claims)))

    return {
        claim.id: tuple(renamed(read_reasons(because, known, grounds)) for because in claim.ways)
        for claim in claims.claims
    }


def rested(
    claim: WrittenClaim,
    reasons: Sequence[StepReasons],
    grounds: Grounds,
    sums: Sums,
    standing: frozenset[str],
    question: str,
) -> Rested:
    """Return what a claim rests on: each of its ways checked, those that fail left out; `standing` are results."""
    if claim.type == "given":
        return _given(claim, grounds)
    ways: list[RestingWay] = []
    problems: list[str] = []
    repairs = [repair for each in reasons for repair in each.repairs]
    for each in reasons:
        way = RestingWay(each.sentences, each.claims)
        if claim.id in way.claims:
            # A step that says what the conclusion says is the conclusion: its ways are there already.
            problems += [] if way == RestingWay(claims=(claim.id,)) else ["it rests on itself"]
            continue
        checked = _checked(claim, way, grounds, sums, standing, question)
        if isinstance(checked, str):
            problems.append(checked)
            continue
        ways.append(checked)
        if checked.sentences != way.sentences:
            repairs.append(f"{numbers_of(checked.sentences)} covers it, and not {numbers_of(way.sentences)}")
    problem = "" if ways or not reasons else next(iter(problems), "it rests on itself")
    repairs += [f"a way left out: {one}" for one in problems if ways]
    return Rested(tuple(dict.fromkeys(ways)), problem, tuple(repairs))


def _given(claim: WrittenClaim, grounds: Grounds) -> Rested:
    document, quote, sentence = (claim.cited[name] for name in ("document", "quote", "sentence"))
    listed = sentence if isinstance(sentence, list | tuple) else [sentence]
    named = {found.number: found for one in listed[:MOST_ITEMS] for found in read_sentences(one, grounds)}
    sentences = [named[number] for number in sorted(named)]
    checked = grounding(claim.text, as_text(document), as_text(quote), grounds, sentences)
    return Rested((), checked.problem, (checked.repair,) if checked.repair else (), checked.sentences)


def _checked(
    claim: WrittenClaim, way: RestingWay, grounds: Grounds, sums: Sums, standing: frozenset[str], question: str
) -> RestingWay | str:
    """The way as it holds, or why it does not: sentences alone must cover the claim (I12)."""
    if not way.sentences and not way.claims:
        return "it rests on nothing"
    if way.claims or sums.false:
        return way
    if sums.right:
        return _computed(way, sums, standing, question)
    cover = cover_by(claim.text, way.sentences, grounds, standing | stated_numbers(question))
    if cover.holds:
        return way
    others = covering_sentences(claim.text, grounds)
    return RestingWay(others) if others else f"{numbers_of(way.sentences)}: {cover.problem}"


def _computed(way: RestingWay, sums: Sums, standing: frozenset[str], question: str) -> RestingWay | str:
    """The way to a claim with right sums: their numbers stand or are taken for granted (I18).

    What else the claim says must have a word that stands, and no name and no number that does not.
    """
    said = " ".join((*(sentence.said for sentence in way.sentences), question))
    granted = sums.operands - stated_numbers(said) - standing
    where = numbers_of(way.sentences)
    if granted == sums.operands:
        return f"{where} has none of its numbers"
    words, there = content_words(sums.rest), content_words(said)
    foreign = [name for name in names_in(sums.rest) if not content_words(name) <= there]
    foreign += sorted(stated_numbers(sums.rest) - stated_numbers(said) - sums.results - standing)
    if foreign:
        return f"{where}: it does not have {foreign[0]}"
    if words and not words & there:
        return f"{where}: nothing of it is there"
    return replace(way, granted=tuple(sorted(granted)))
