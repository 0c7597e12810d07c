"""How two positions stand to each other: by the argument guards where these decide, else by a member's judgement.

Cosine does not tell a contradiction from a paraphrase, so nothing here looks at vectors. What the guards decide costs
no call; the rest is one question to one member, who sees both positions without the names of those who hold them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, WithJsonSchema

from moot.argument.dedup import contradicts
from moot.core.calls import Message, Reply
from moot.methods.claims import form_of, same_claim
from moot.methods.fencing import FENCE_RULE, fenced

Direction = Literal["entails", "neutral", "contradicts"]
Pairs = tuple[tuple[int, int], ...]

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
class Standing:
    """How two positions stand to each other; `claims` by their places, counted from 0. None: nobody could tell."""

    forward: Direction | None
    backward: Direction | None
    same: Pairs
    contradicting: Pairs

    @property
    def equivalent(self) -> bool:
        """Whether each entails the other."""
        return self.forward == self.backward == "entails"

    @property
    def opposed(self) -> bool:
        """Whether the answers contradict each other."""
        return "contradicts" in (self.forward, self.backward)


def equal_answers(first: str, second: str) -> bool:
    """Return whether two short answers have the same normal form."""
    a, b = form_of(first).text, form_of(second).text
    return a == b if a or b else first.strip().casefold() == second.strip().casefold()


def by_guards(first: Stated, second: Stated) -> Standing:
    """Return what the guards decide of two positions; a direction that they leave open is None."""
    direction: Direction | None = None
    if equal_answers(first.answer, second.answer):
        direction = "entails"
    elif contradicts(form_of(first.answer), form_of(second.answer)):
        direction = "contradicts"
    forms = [(form_of(one), form_of(other)) for one in first.claims for other in second.claims]
    places = [(a, b) for a in range(len(first.claims)) for b in range(len(second.claims))]
    against = tuple(place for place, pair in zip(places, forms, strict=True) if contradicts(*pair))
    alike = _one_to_one([place for place, pair in zip(places, forms, strict=True) if same_claim(*pair)])
    return Standing(direction, direction, alike, against)


def is_settled(standing: Standing, first: Stated, second: Stated) -> bool:
    """Return whether a judge could add nothing: answers are decided, and one side's claims are all accounted for."""
    seen = (*standing.same, *standing.contradicting)
    spoken_for = len({a for a, _ in seen}) == len(first.claims) or len({b for _, b in seen}) == len(second.claims)
    return standing.forward is not None and spoken_for


def with_judgement(standing: Standing, judged: Comparison, first: Stated, second: Stated) -> Standing:
    """Return the standing with what a judge adds; a guard's decision is never overruled."""
    known = [(a - 1, b - 1) for a, b in judged.contradicting if a <= len(first.claims) and b <= len(second.claims)]
    against = tuple(dict.fromkeys((*standing.contradicting, *(pair for pair in known if min(pair) >= 0))))
    said = [(a - 1, b - 1) for a, b in judged.same if 0 < a <= len(first.claims) and 0 < b <= len(second.claims)]
    same = _one_to_one([*standing.same, *(pair for pair in said if pair not in against)])
    return Standing(
        standing.forward or judged.a_to_b,
        standing.backward or judged.b_to_a,
        same,
        tuple(pair for pair in against if pair not in same),
    )


def judging_messages(question: str, first: Stated, second: Stated) -> tuple[Message, ...]:
    """Return the prompt of the judge: the question and the two positions, and nobody's name."""
    shown = "\n\n".join(fenced(f"Position {name}", _shown(stated)) for name, stated in (("A", first), ("B", second)))
    return (Message("system", JUDGING), Message("user", f"Question: {question}\n\n{shown}"))


def _shown(stated: Stated) -> str:
    claims = [f"claim {number}: {claim}" for number, claim in enumerate(stated.claims, 1)]
    return "\n".join([f"answer: {stated.answer}", *(claims or ["no claims"])])


def _one_to_one(pairs: Sequence[tuple[int, int]]) -> Pairs:
    """Return as many pairs as possible with each claim in one of them: a claim is shared once, whoever comes first."""
    partners: dict[int, list[int]] = {}
    for a, b in pairs:
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
    return tuple(sorted((a, b) for b, a in taken.items()))
