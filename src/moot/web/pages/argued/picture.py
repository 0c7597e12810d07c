"""Which claims of an argument are drawn, and how: all of them, or what leads to one."""

from collections.abc import Iterator
from dataclasses import dataclass

from moot.core.panes import Tone
from moot.methods.argued import ArgumentClaim, ArgumentReading, ClaimVerdict
from moot.views.drawn_graph import (
    DISPUTED,
    NOT_FOUND,
    QUOTED,
    DrawnEdge,
    DrawnGraph,
    DrawnMark,
    DrawnNode,
    Fate,
)
from moot.views.words import flat
from moot.web.pages.argued.state import ArgumentState

MOST_AT_ONCE = 400
"""Claims that are drawn as they are; of more than that only those in view are."""
MOST_DRAWN = 5_000
"""Claims of which all are drawn at all."""
SAID_BY = {"supported": ("say this", "yes"), "refuted": ("say the contrary", "no"), "not_determinable": ("do not say",)}
"""What members say by which a verdict comes about, beside its own word."""
VERDICTS: dict[tuple[str, str], tuple[str, Tone]] = {
    ("verified", "supported"): ("verified", "good"),
    ("verified", "refuted"): ("refuted", "bad"),
    ("followed", "supported"): ("follows", "good"),
    ("followed", "refuted"): ("does not follow", "bad"),
}
FATES: dict[str, Fate] = {"stands": "stands", "defeated": "falls", "undecided": "undecided"}


@dataclass(frozen=True, slots=True)
class ArgumentPicture:
    """What is drawn of an argument."""

    graph: DrawnGraph
    total: int
    """The claims that there are."""
    is_cone: bool
    root: str
    """The claim whose cone is drawn, if it is one."""
    hits: frozenset[str]
    """The claims that have the words looked for; the others are dimmed."""

    @property
    def drawn(self) -> int:
        """The claims that are drawn."""
        return len(self.graph.nodes)

    @property
    def is_culled(self) -> bool:
        """Whether only what is in view is drawn, by the browser."""
        return self.drawn > MOST_AT_ONCE

    @property
    def may_draw_all(self) -> bool:
        """Whether all claims can be drawn at all."""
        return self.total <= MOST_DRAWN


def picture_of(argument: ArgumentReading, whole: DrawnGraph, state: ArgumentState) -> ArgumentPicture:
    """Return what is drawn of an argument, drawn whole, for a reader who has chosen so."""
    total = len(whole.nodes)
    by_default = "cone" if total > MOST_AT_ONCE else "all"
    view = "cone" if total > MOST_DRAWN else state.view or by_default
    roots = [one for one in (state.focus, argument.conclusion) if one and one in whole.by_id]
    root = roots[0] if roots else next(iter(whole.by_id), "")
    is_cone = view == "cone" and bool(root)
    graph = whole.only(nearest(whole, root, is_focused=root == state.focus)) if is_cone else whole
    return ArgumentPicture(graph, total, is_cone, root if is_cone else "", claims_with(argument, state.q))


def nearest(graph: DrawnGraph, root: str, *, is_focused: bool, most: int = MOST_AT_ONCE) -> frozenset[str]:
    """Return a claim with what leads to it, the nearest first; for one that is focused on, also what it leads to."""
    cone = graph.cone([root])
    ahead = {edge.dst for edge in graph.edges if edge.src == root and edge.dst in graph.by_id} if is_focused else set()
    behind: dict[str, list[str]] = {}
    for edge in graph.edges:
        if edge.src in cone:
            behind.setdefault(edge.dst, []).append(edge.src)
    way = list(dict.fromkeys((root, *sorted(ahead))))[:most]
    reached = set(way)
    for node in way:
        for other in behind.get(node, ()) if node in cone else ():
            if other not in reached and len(way) < most:
                reached.add(other)
                way.append(other)
    return frozenset(way)


def claims_with(argument: ArgumentReading, words: str) -> frozenset[str]:
    """Return the claims that have these words, in whatever case, or that are called so."""
    wanted = flat(words).casefold()
    if not wanted:
        return frozenset()
    return frozenset(
        claim.id for claim in argument.claims if wanted in flat(claim.claim).casefold() or wanted == claim.id.casefold()
    )


def drawn_graph_of(argument: ArgumentReading) -> DrawnGraph:
    """Return an argument as it is drawn."""
    nodes = tuple(
        DrawnNode(
            claim.id,
            claim.claim,
            claim.type,
            tuple(dict.fromkeys(run.run for run in claim.runs)),
            claim.confidence,
            FATES[claim.fate],
            tuple(marks_of(claim)),
            claim.roads[0] if claim.roads and claim.id != argument.conclusion else 0,
            claim.is_cut,
        )
        for claim in argument.claims
    )
    edges = tuple(DrawnEdge(one.src, one.dst, one.relation, one.group or "") for one in argument.relations)
    return DrawnGraph(nodes, edges, argument.conclusion or "")


def marks_of(claim: ArgumentClaim) -> Iterator[DrawnMark]:
    """Yield what stands beside a claim, in words."""
    if claim.given:
        yield QUOTED if claim.given.holds else NOT_FOUND
    for one in claim.verdicts:
        yield _verdict_mark(one)
    if claim.refuted and not claim.verdicts:
        yield DrawnMark("supposed wrong" if claim.is_supposed else "refuted", "bad")
    if claim.is_contested:
        yield DrawnMark("contested", "bad")
    if claim.is_disputed:
        yield DISPUTED


def _verdict_mark(verdict: ClaimVerdict) -> DrawnMark:
    """What came of a check, and how many of those asked said so."""
    word, tone = VERDICTS.get((verdict.asked, verdict.verdict), (verdict.verdict.replace("_", " "), "warn"))
    meaning = (verdict.verdict, *SAID_BY.get(verdict.verdict, ()))
    agreeing = sum(vote.says in meaning for vote in verdict.votes)
    return DrawnMark(f"{word} {agreeing} of {len(verdict.votes)}" if verdict.votes else word, tone)
