"""Contesting a verdict: acts that refute claims of its stored graph, and what then stands (ruling I4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from moot.core.errors import NotFound, UsageError
from moot.service.results import Result
from moot.store.acts import Act
from moot.store.store import Store

# Whoever contests nothing does not wait until graphs and oracles are imported.
if TYPE_CHECKING:
    from moot.methods.contest import GraphStanding

CONTEST, UNDO = "contest", "undo"


@dataclass(frozen=True, slots=True)
class Contest:
    """A claim that somebody contests, or no longer does, and what stands before and after."""

    id: str
    node: str
    claim: str
    before: "GraphStanding"
    after: "GraphStanding"


async def contest(store: Store, shown: Result, claim: str, *, author: str, reason: str) -> Contest:
    """Write the act that refutes a claim, and return what it changes."""
    from moot.methods.contest import contested_node, standing

    detail = _detail(shown)
    node = contested_node(detail, claim)
    standing_acts = await active_contests(store, shown.id)
    before = standing(detail, _refutations(standing_acts))
    after = standing(detail, [*_refutations(standing_acts), (node.id, reason)])
    data = {"node": node.id, "claim": node.claim, "reason": reason}
    await store.acts.add(shown.id, kind=CONTEST, author=author, data=data, at=len(shown.record.events) - 1)
    return Contest(shown.id, node.id, node.claim, before, after)


async def uncontest(store: Store, shown: Result, claim: str, *, author: str) -> Contest:
    """Write the act that takes the latest contest of a claim back, and return what it changes.

    Raises:
        NotFound: where nobody contests the claim.
    """
    from moot.methods.contest import contested_node, standing

    detail = _detail(shown)
    node = contested_node(detail, claim)
    acts = await active_contests(store, shown.id)
    latest = next((act for act in reversed(acts) if act.data["node"] == node.id), None)
    if latest is None:
        raise NotFound(what="contest of", name=node.claim, see=f"`moot show {shown.id}` lists those there are")
    before = standing(detail, _refutations(acts))
    after = standing(detail, _refutations([act for act in acts if act is not latest]))
    await store.acts.add(shown.id, kind=UNDO, author=author, data={}, at=None, undoes=latest.seq)
    return Contest(shown.id, node.id, node.claim, before, after)


async def suppositions(store: Store, shown: Result) -> list[Contest]:
    """Return, for each sentence that the answer's lines start from, what would stand if it were wrong; nothing is kept.

    Where lines start from claims alone, as in graphs without sources, it is done for those.
    """
    from moot.methods.contest import line_starts, standing

    detail = _detail(shown)
    refuted = _refutations(await active_contests(store, shown.id))
    before = standing(detail, refuted)
    return [
        Contest(shown.id, node.id, node.claim, before, standing(detail, [*refuted, (node.id, "supposed to be wrong")]))
        for node in line_starts(detail, refuted)
    ]


async def active_contests(store: Store, deliberation: str) -> list[Act]:
    """Return the contests that nobody has taken back, in order."""
    acts = await store.acts.read(deliberation)
    undone = {act.undoes for act in acts}
    return [act for act in acts if act.kind == CONTEST and act.seq not in undone]


async def contest_lines(store: Store, shown: Result) -> list[str]:
    """Return who contests what, and what then stands; nothing where nobody contests anything."""
    acts = await active_contests(store, shown.id)
    if not acts:
        return []
    from moot.methods.contest import standing

    told = [f"{act.author}: {act.data['claim']} ({act.data['reason']})" for act in acts]
    return [*told, f"with that, {standing_words(standing(_detail(shown), _refutations(acts)))}"]


def standing_words(stands: "GraphStanding") -> str:
    """Return what stands, in words."""
    if stands.answer is None:
        return "no answer stands"
    named = f": {'; '.join(stands.must_be_wrong)}" if stands.must_be_wrong else ""
    return f"{len(stands.surviving)} claims survive, and the answer is {stands.answer!r} with {stands.support}{named}"


def _refutations(acts: Sequence[Act]) -> list[tuple[str, str]]:
    return [(act.data["node"], act.data["reason"]) for act in acts]


def _detail(shown: Result) -> Mapping[str, Any]:
    if shown.record.verdict is None:
        raise UsageError(f"deliberation {shown.id} has not ended; `moot resume {shown.id}` goes on with it.")
    return shown.record.verdict.detail
