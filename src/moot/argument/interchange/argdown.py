"""A graph as Argdown: a statement for each claim, its relations below it, and an argument for each group of premises.

What Argdown has no mark for stands in its data: confidences, runs, sources, refutations. A claim or an id that cannot
stand as it is on one line is there too, letter by letter.
"""

from collections.abc import Mapping, Sequence

from moot.argument.graph import DEFAULT_CONFIDENCE, Edge, Node
from moot.argument.interchange.argdown_text import data_text, escaped, shown, title_for
from moot.argument.interchange.carried import Item, edge_fields, node_fields

TOGETHER = "These hold only together."
_ARROWS = {"supports": "+>", "assumes": "+>", "attacks": "->"}


def to_argdown(nodes: Sequence[Node], edges: Sequence[Edge]) -> str:
    """Return the graph as Argdown text, from which `read_argdown` makes the same graph."""
    taken: set[str] = set()
    titles = {node.id: title_for(node.id, taken) for node in nodes}
    alone: dict[str, list[Edge]] = {}
    groups: dict[tuple[str, str], list[Edge]] = {}
    for edge in edges:
        if edge.group is None:
            alone.setdefault(edge.src, []).append(edge)
        else:
            groups.setdefault((edge.dst, edge.group), []).append(edge)
    runs = {node.id: node.run_ids for node in nodes}
    parts = [_statement(node, alone.get(node.id, ()), titles) for node in nodes]
    taken = set()
    parts += [_argument(group, together, titles, runs, taken) for (_, group), together in groups.items()]
    return "\n\n".join(parts) + "\n"


def _statement(node: Node, edges: Sequence[Edge], titles: Mapping[str, str]) -> str:
    data = {
        **({} if titles[node.id] == node.id else {"id": node.id}),
        **({} if shown(node.claim) == node.claim else {"claim": node.claim}),
        **node_fields(node),
    }
    if told := [{"to": edge.dst, **edge_fields(edge)} for edge in _not_plain(edges, node.run_ids)]:
        data["relations"] = told
    drawn = dict.fromkeys(f"  {_ARROWS[edge.relation]} [{titles[edge.dst]}]" for edge in edges)
    return "\n".join(
        [f"[{titles[node.id]}]: {escaped(shown(node.claim))} #{data.pop('type')} {data_text(data)}", *drawn]
    )


def _argument(
    group: str,
    edges: Sequence[Edge],
    titles: Mapping[str, str],
    runs: Mapping[str, frozenset[str]],
    taken: set[str],
) -> str:
    conclusion = edges[0].dst
    data: Item = {"group": group}
    by_premise = {src: [edge for edge in edges if edge.src == src] for src in dict.fromkeys(e.src for e in edges)}
    unplain = [edge for src, own in by_premise.items() for edge in _not_plain(own, runs[src])]
    if told := [{"from": edge.src, **edge_fields(edge)} for edge in unplain]:
        data["relations"] = told
    premises = list(dict.fromkeys(titles[edge.src] for edge in edges))
    # A sign in the first place would make of <+ a relation.
    title = title_for(f"by {group} to {titles[conclusion]}", taken)
    numbered = [f"({number}) [{premise}]" for number, premise in enumerate(premises, start=1)]
    last = f"({len(premises) + 1}) [{titles[conclusion]}]"
    return "\n".join([f"<{title}>: {TOGETHER} {data_text(data)}", "", *numbered, "----", last])


def _not_plain(edges: Sequence[Edge], runs: frozenset[str]) -> list[Edge]:
    """The relations of one claim that are not what one takes them for; with one, all that are drawn by its line."""
    drawn: dict[tuple[str, str], list[Edge]] = {}
    for edge in edges:
        drawn.setdefault((edge.dst, _ARROWS[edge.relation]), []).append(edge)
    return [
        edge for together in drawn.values() if not all(_is_plain(one, runs) for one in together) for edge in together
    ]


def _is_plain(edge: Edge, runs: frozenset[str]) -> bool:
    return edge.relation != "assumes" and edge.confidence == DEFAULT_CONFIDENCE and edge.run_ids == runs
