"""Which claims stand under attack: the grounded labelling, and what survives it (interrogation 3.5, ruling A14)."""

import numpy as np
from numpy.typing import NDArray

from moot.argument.graph import FEW, Adjacency, Columns

IN, OUT, UNDECIDED = 1, -1, 0


def grounded_labels(
    size: int, attack_src: NDArray[np.int64], attack_dst: NDArray[np.int64], refuted: NDArray[np.int64] | None = None
) -> NDArray[np.int8]:
    """Return the grounded labelling of an attack graph, with some nodes OUT from the start (interrogation 3.5).

    Each attack is looked at at most twice: once when its source is decided, once when its target is.
    """
    labels = np.zeros(size, np.int8)
    targets = Adjacency.of(size, attack_src, attack_dst)
    standing = np.bincount(attack_dst, minlength=size)
    struck = np.zeros(0, np.int64) if refuted is None else refuted
    labels[struck] = OUT
    accepted = np.flatnonzero((standing == 0) & (labels == UNDECIDED))
    accepted = np.concatenate((accepted, _lose_attackers(labels, standing, targets, struck)))
    while len(accepted):
        labels[accepted] = IN
        if len(accepted) < FEW:
            accepted = _one_by_one(labels, standing, targets, accepted.tolist())
            continue
        hit = targets.followers(accepted)
        struck = np.unique(hit[labels[hit] == UNDECIDED])
        labels[struck] = OUT
        accepted = _lose_attackers(labels, standing, targets, struck)
    return labels


def surviving_claims(columns: Columns) -> dict[str, list[int]]:
    """Return the labelling and the surviving nodes (interrogation 3.5, A14)."""
    refuted = np.flatnonzero(columns.refuted)
    labels = grounded_labels(len(columns), columns.attack_src, columns.attack_dst, refuted)
    reached = columns.forward.reachable(columns.givens, closed=labels == OUT)
    attacking = np.zeros(len(columns), bool)
    attacking[columns.attack_src] = True
    surviving = (labels != OUT) & (reached | ((labels == IN) & attacking))
    named = {"in": labels == IN, "out": labels == OUT, "undecided": labels == UNDECIDED, "surviving": surviving}
    return {name: np.flatnonzero(chosen).tolist() for name, chosen in named.items()}


def _lose_attackers(
    labels: NDArray[np.int8], standing: NDArray[np.int64], targets: Adjacency, struck: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count the attacks of nodes now OUT as gone; return the nodes that thereby have no attacker left."""
    hit = targets.followers(struck)
    np.subtract.at(standing, hit, 1)
    hit = np.unique(hit)
    return hit[(standing[hit] == 0) & (labels[hit] == UNDECIDED)]


def _one_by_one(
    labels: NDArray[np.int8], standing: NDArray[np.int64], targets: Adjacency, accepted: list[int]
) -> NDArray[np.int64]:
    """Go on from a few accepted nodes until nothing changes, or until there are many again."""
    starts, flat = targets.starts, targets.ends_of_edges
    while accepted and len(accepted) < FEW:
        node = accepted.pop()
        for struck in flat[starts[node] : starts[node + 1]].tolist():
            if labels[struck] != UNDECIDED:
                continue
            labels[struck] = OUT
            for other in flat[starts[struck] : starts[struck + 1]].tolist():
                standing[other] -= 1
                if standing[other] == 0 and labels[other] == UNDECIDED:
                    labels[other] = IN
                    accepted.append(other)
    return np.array(accepted, np.int64)
