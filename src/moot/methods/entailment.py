"""How two positions stand to each other: by what letters settle, else by a member's judgement (rulings G11, G12).

Cosine does not tell a contradiction from a paraphrase, so nothing here looks at vectors. What is equal or opposed by a
guard costs no call; the rest, however similar, is one question to one member, who sees both positions without the names
of those who hold them. Every outcome names who decided it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, WithJsonSchema

from moot.core.calls import Message, Reply
from moot.methods.fencing import FENCE_RULE, fenced
from moot.methods.sameness import compared, same_answer

Direction = Literal["entails", "neutral", "contradicts"]
Pairs = tuple[tuple[int, int], ...]

NOBODY = "nobody"

MOST_PAIRS = 12
PAIRS = {
    "type": "array",
    "items": {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": 20},
        "minItems": 2,
        "maxItems": 2,
    },
    "maxItems": MOST_PAIRS,
}

JUDGING = f"""You compare two positions on one question, A and B. You do not answer it, and you do not say who is right.
A position is a short answer and claims, numbered within it. {FENCE_RULE}

Reply with one JSON object on one line and nothing else. Its fields, in this order:
"reasoning": a string, one short sentence;
"a_to_b": "entails" if B's answer is true whenever A's is, "contradicts" if both cannot be true, else "neutral";
"b_to_a": the same, from B to A. Two answers that say the same in other words or in another language entail each other;
"same": a list of pairs, the number of a claim of A and the number of a claim of B that say the same; empty if none do;
"contradicting": a list of such pairs of claims that cannot both be true; empty if there are none."""


class Comparison(Reply):
    """A member's judgement of two positions."""

    model_config = ConfigDict(
        json_schema_extra={"required": ["reasoning", "a_to_b", "b_to_a", "same", "contradicting"]}
    )

    reasoning: Annotated[str, WithJsonSchema({"type": "string", "maxLength": 200})] = ""
    a_to_b: Direction
    b_to_a: Direction
    same: Annotated[tuple[tuple[int, int], ...], WithJsonSchema(PAIRS)] = ()
    contradicting: Annotated[tuple[tuple[int, int], ...], WithJsonSchema(PAIRS)] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """What one position says: a short answer, and its claims."""

    answer: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entailment:
    """How two positions stand to each other; claims by their places, counted from 0. None: nobody could tell."""

    forward: Direction | None
    backward: Direction | None
    same: Pairs
    contradicting: Pairs
    answers_by: str = NOBODY
    """Who decided about the answers: `equal`, `guard`, `judge m2`, or `nobody`."""
    claims_by: tuple[tuple[int, int, str], ...] = ()
    """Who decided that two claims are the same or contradict each other."""

    @property
    def equivalent(self) -> bool:
        """Whether each entails the other."""
        return self.forward == self.backward == "entails"

    @property
    def opposed(self) -> bool:
        """Whether the answers contradict each other."""
        return "contradicts" in (self.forward, self.backward)


DIRECTIONS: Mapping[str, Direction] = {"same": "entails", "opposed": "contradicts"}


def by_program(first: Stated, second: Stated) -> Entailment:
    """Return what letters settle of two positions; a direction that they leave open is None (ruling G11)."""
    answers = same_answer(first.answer, second.answer)
    direction = DIRECTIONS.get(answers.outcome)
    claims = {
        (a, b): compared(one, other) for a, one in enumerate(first.claims) for b, other in enumerate(second.claims)
    }
    same = _one_to_one([place for place, decided in claims.items() if decided.outcome == "same"])
    against = tuple(place for place, decided in claims.items() if decided.outcome == "opposed")
    by = tuple((*place, claims[place].by) for place in (*same, *against))
    return Entailment(direction, direction, same, against, answers.by, by)


def is_settled(standing: Entailment, first: Stated, second: Stated) -> bool:
    """Return whether a judge could add nothing: the answers are decided, and so is every claim that could be.

    Where a list of opposites alone sets two claims against each other, a judge reads them too.
    """
    if standing.forward is None or any(_by_a_list(first, second, pair) for pair in standing.contradicting):
        return False
    seen = (*standing.same, *standing.contradicting)
    spoken_for = len({a for a, _ in seen}) == len(first.claims) and len({b for _, b in seen}) == len(second.claims)
    return spoken_for or not first.claims or not second.claims


def with_judgement(
    standing: Entailment, judged: Comparison, first: Stated, second: Stated, *, judge: str
) -> Entailment:
    """Return the standing with what a judge decides of what letters left open; of two words on a pair the contrary one.

    What is equal, and what a guard opposes, stays as it is.
    """
    against = [pair for pair in _known(judged.contradicting, first, second) if pair not in standing.same]
    contradicting = tuple(dict.fromkeys((*standing.contradicting, *against)))
    said = [pair for pair in _known(judged.same, first, second) if pair not in contradicting]
    same = _one_to_one(said, kept=standing.same)
    by = dict.fromkeys((*same, *contradicting), f"judge {judge}") | {(a, b): who for a, b, who in standing.claims_by}
    return Entailment(
        standing.forward or judged.a_to_b,
        standing.backward or judged.b_to_a,
        same,
        contradicting,
        standing.answers_by if standing.forward else f"judge {judge}",
        tuple((*pair, who) for pair, who in by.items()),
    )


def judging_messages(question: str, first: Stated, second: Stated) -> tuple[Message, ...]:
    """Return the prompt of the judge: the question and the two positions, and nobody's name."""
    shown = "\n\n".join(fenced(f"Position {name}", _shown(stated)) for name, stated in (("A", first), ("B", second)))
    return (Message("system", JUDGING), Message("user", f"Question: {question}\n\n{shown}"))


def _shown(stated: Stated) -> str:
    claims = [f"claim {number}: {claim}" for number, claim in enumerate(stated.claims, 1)]
    return "\n".join([f"answer: {stated.answer}", *(claims or ["no claims"])])


def _by_a_list(first: Stated, second: Stated, pair: tuple[int, int]) -> bool:
    a, b = pair
    return compared(first.claims[a], second.claims[b]).reason == "opposites"


def _known(pairs: Pairs, first: Stated, second: Stated) -> list[tuple[int, int]]:
    """The pairs of claims that there are, counted from 0."""
    return [(a - 1, b - 1) for a, b in pairs if 0 < a <= len(first.claims) and 0 < b <= len(second.claims)]


def _one_to_one(pairs: Sequence[tuple[int, int]], kept: Pairs = ()) -> Pairs:
    """Return as many pairs as possible with each claim in one of them, beside those that are kept as they are."""
    firsts, seconds = {a for a, _ in kept}, {b for _, b in kept}
    partners: dict[int, list[int]] = {}
    for a, b in pairs:
        if a not in firsts and b not in seconds:
            partners.setdefault(a, []).append(b)
    taken: dict[int, int] = {}

    def finds(a: int, tried: set[int]) -> bool:
        for b in partners[a]:
            if b not in tried:
                tried.add(b)
                if b not in taken or finds(taken[b], tried):
                    taken[b] = a
                    return True
        return False

    for a in partners:
        finds(a, set())
    return tuple(sorted((*kept, *((a, b) for b, a in taken.items()))))
