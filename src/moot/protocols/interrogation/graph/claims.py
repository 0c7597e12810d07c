"""The claims of a `graph` reply, each by its id, before anything is looked up (rulings I10, I11).

Steps whose claims are equal are one claim with several ways to it. An item that is no claim is left out, and a repair
says so.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from moot.argument.graph import DEFAULT_CONFIDENCE, NODE_TYPES
from moot.argument.ingest import MAX_CLAIM_LENGTH
from moot.methods.sameness import strict_form
from moot.protocols.interrogation.graph.reasons import shown
from moot.protocols.interrogation.graph.schemas import Argument

MOST_ITEMS = 100
"""Items of one list that are read; a longer list is cut, and a repair says so."""

LONGEST_ID = 200
"""Characters of an id; it becomes part of the names of steps."""

CONCLUSION = "c"

Type = Literal["conclusion", "given", "inference", "assumption"]


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """One claim as it was written: a way is what it says it holds because of, not yet looked up."""

    id: str
    text: str
    type: Type
    confidence: Any = DEFAULT_CONFIDENCE
    ways: tuple[Any, ...] = ()
    is_objection: bool = False
    against: Any = None
    cited: Mapping[str, Any] = field(default_factory=dict)
    """What a given names: `document`, `quote`, `sentence`."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a reply, the conclusion first; an alias is the id of a claim that is one with another."""

    claims: tuple[WrittenClaim, ...]
    aliases: Mapping[str, str]
    repairs: tuple[str, ...]

    @property
    def conclusion(self) -> WrittenClaim:
        """Return the one conclusion."""
        return self.claims[0]


def read_claims(argument: Argument) -> Claims | str:
    """Return the claims of a reply, or why it is no argument."""
    conclusion = _conclusion(argument)
    if isinstance(conclusion, str):
        return conclusion
    read = list(_read(argument))
    held, aliases, taken = _by_id(conclusion, [item for item in read if isinstance(item, WrittenClaim)])
    repairs = [item for item in read if isinstance(item, str)]
    others = [claim.id for claim in held if claim.type == "conclusion" and claim is not held[0]]
    repairs += [f"a further conclusion was read as an inference: {shown(other)}" for other in others]
    repairs += [f"{shown(name)} is taken: a further claim under this id was left out" for name in taken]
    claims = (held[0], *(replace(claim, type="inference") if claim.id in others else claim for claim in held[1:]))
    return Claims(claims, aliases, tuple(repairs))


def _by_id(
    conclusion: WrittenClaim, read: Sequence[WrittenClaim]
) -> tuple[list[WrittenClaim], dict[str, str], list[str]]:
    """The claims, each id once; ids of claims that are one with an earlier one; and ids that were taken."""
    held = {conclusion.id: conclusion}
    first_to_say = {strict_form(conclusion.text): conclusion.id}
    aliases: dict[str, str] = {}
    taken: list[str] = []
    for claim in read:
        form = strict_form(claim.text) if _is_derived(claim) else ""
        first = first_to_say.get(form)
        owner = aliases.get(claim.id, claim.id)
        if owner in held and owner != first:
            taken.append(claim.id)
        elif first:
            held[first] = replace(held[first], ways=(*held[first].ways, *claim.ways))
            aliases |= {} if claim.id == first else {claim.id: first}
        else:
            held[claim.id] = claim
            first_to_say |= {form: claim.id} if form else {}
    return list(held.values()), aliases, taken


def _read(argument: Argument) -> Iterator[WrittenClaim | str]:
    """Each item as a claim, or why it is none."""
    lists = {
        "assumption": argument.assumptions,
        "step": argument.steps,
        "objection": argument.objections,
        "node": argument.nodes,
    }
    for what, items in lists.items():
        yield from (_claim(what, item) for item in items[:MOST_ITEMS])
        if len(items) > MOST_ITEMS:
            yield f"{len(items) - MOST_ITEMS} {what}s past the {MOST_ITEMS}th were left out"


def _claim(what: str, item: Any) -> WrittenClaim | str:
    if not isinstance(item, Mapping):
        return f"a {what} that is no object was left out: {shown(item)}"
    name = name_of(item.get("id"))
    if not name:
        return f"a {what} without a usable id was left out: {shown(item.get('claim'))}"
    if problem := _unreadable(item.get("claim")):
        return f"the {what} {shown(name)} was left out: {problem}"
    confidence = DEFAULT_CONFIDENCE if item.get("confidence") is None else item["confidence"]
    if not _is_share(confidence):
        return f"the {what} {shown(name)} was left out: its confidence {shown(confidence)} is none from 0 to 1"
    text = str(item["claim"]).strip()
    match what:
        case "assumption":
            return WrittenClaim(name, text, "assumption", confidence)
        case "step":
            return WrittenClaim(name, text, "inference", confidence, ways=(item.get("because"),))
        case "objection":
            because, against = item.get("because"), item.get("against")
            return WrittenClaim(name, text, "inference", confidence, (because,), is_objection=True, against=against)
    kind = item.get("type")
    if kind not in NODE_TYPES:
        return f"the node {shown(name)} was left out: its type is none of {', '.join(NODE_TYPES)}"
    cited = {key: item.get(key) for key in ("document", "quote", "sentence")}
    because = (item["because"],) if item.get("because") else ()
    return WrittenClaim(name, text, kind, confidence, because, cited=cited if kind == "given" else {})


def name_of(value: Any) -> str:
    """Return an id as a text of a length that a graph takes; nothing where it is none or looks like a sentence's."""
    text = as_text(value).strip()
    return text if len(text) <= LONGEST_ID and not text.startswith("[") else ""


def as_text(value: Any) -> str:
    """Return a text, or a number of some size in digits; nothing for anything else."""
    return str(value) if isinstance(value, str) or _is_small(value) else ""


def _conclusion(argument: Argument) -> WrittenClaim | str:
    """The conclusion that stands by itself, else the node that is named or typed as it."""
    stated = argument.conclusion
    if isinstance(stated, Mapping):
        return _unreadable_conclusion(stated) or WrittenClaim(
            CONCLUSION,
            str(stated["claim"]).strip(),
            "conclusion",
            _share(stated.get("confidence")),
            ways=(stated.get("because"),),
        )
    if isinstance(stated, str) and stated.strip() and not argument.nodes:
        return _unreadable_conclusion({"claim": stated}) or WrittenClaim(
            CONCLUSION, stated.strip(), "conclusion", ways=(None,)
        )
    node = _concluding(argument, [item for item in argument.nodes[:MOST_ITEMS] if isinstance(item, Mapping)])
    if node is None:
        return "it has no conclusion"
    if problem := _unreadable_conclusion(node):
        return problem
    if not (name := name_of(node.get("id"))):
        return "its conclusion has no id"
    because = (node["because"],) if node.get("because") else ()
    return WrittenClaim(name, str(node["claim"]).strip(), "conclusion", _share(node.get("confidence")), because)


def _concluding(argument: Argument, nodes: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    typed = [node for node in nodes if node.get("type") == "conclusion"]
    wanted = name_of(argument.conclusion_node) or name_of(argument.conclusion)
    named = (node for node in typed or nodes if wanted and name_of(node.get("id")) == wanted)
    return next(named, next(iter(typed), None))


def _unreadable_conclusion(stated: Mapping[str, Any]) -> str:
    problem = _unreadable(stated.get("claim"))
    return f"its conclusion: {problem}" if problem else ""


def _unreadable(claim: Any) -> str:
    if not isinstance(claim, str) or not claim.strip():
        return "it says nothing"
    return f"it is longer than {MAX_CLAIM_LENGTH} characters" if len(claim) > MAX_CLAIM_LENGTH else ""


def _is_derived(claim: WrittenClaim) -> bool:
    return claim.type in ("inference", "conclusion") and not claim.is_objection


def _is_small(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _share(value: Any) -> float:
    """Without its conclusion a whole run would be lost: there a wrong confidence costs only itself."""
    return value if _is_share(value) else DEFAULT_CONFIDENCE
