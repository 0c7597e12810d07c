"""What must be wrong before a conclusion falls, as a reader counts it (ruling A21)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from moot.argument import GraphStore
from moot.argument.words import support_words


@dataclass(frozen=True, slots=True)
class Wrongs:
    """Claims and sentences that take a conclusion away: each alone, or all together."""

    ids: tuple[str, ...]
    claims: tuple[str, ...]
    together: bool
    words: str
    """How many lines hold it up and what must be wrong, as one clause."""


def wrongs_of(store: GraphStore, graph: str, conclusion: str, resilience: Mapping[str, Any]) -> Wrongs:
    """Return what takes a conclusion away; a given that repeats its sentence and that sentence count once."""
    sentences = {sentence.id: sentence.claim for sentence in store.sentences(graph)}
    claims = {node.id: node.claim for node in store.nodes(graph)} | sentences
    alone = resilience["any_one_of"]
    # A document that states the conclusion itself: no other claim has to be wrong, but that statement.
    wrong = [conclusion] if resilience["uncuttable"] else alone or resilience["must_be_wrong"]
    named = {claims[node]: node for node in sorted(wrong, key=lambda node: node in sentences)}
    ids = tuple(node for node in wrong if named[claims[node]] == node)
    told = {**resilience, "any_one_of" if alone else "must_be_wrong": list(ids)}
    return Wrongs(ids, tuple(claims[node] for node in ids), not alone, support_words(told, "the answer"))
