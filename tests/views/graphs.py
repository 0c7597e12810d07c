"""Graphs to draw, made by hand or by lot."""

from random import Random

from moot.views.drawn_graph import CUT, DISPUTED, QUOTED, DrawnEdge, DrawnGraph, DrawnNode

KINDS = ("given", "inference", "assumption")
HOSTILE = '</text><script>alert("x")</script> & \x1b[31m \u202edlrow \x00'


def claim(name: str, kind: str = "inference", words: str = "", **more: object) -> DrawnNode:
    return DrawnNode(name, words or f"Claim {name} is so", kind, **more)  # ty: ignore[invalid-argument-type]


def arguing(text: str, *, conclusion: str = "z", group: str = "") -> DrawnGraph:
    """Return a graph of lines such as `a-z b!z`: a supports z, b attacks z."""
    edges = [
        DrawnEdge(word[0], word[2], {"-": "supports", "!": "attacks", "?": "assumes"}[word[1]], group)
        for word in text.split()
    ]
    names = sorted({end for edge in edges for end in (edge.src, edge.dst)} | {conclusion})
    nodes = tuple(claim(name, "conclusion" if name == conclusion else "inference") for name in names)
    return DrawnGraph(nodes, tuple(edges), conclusion)


def random_graph(size: int, seed: int = 1, lines: float = 1.4) -> DrawnGraph:
    """Return a graph in which most claims lead to the first, some attack, some go in circles, some stand alone."""
    chance = Random(seed)
    words = [
        "server",
        "night",
        "handbook",
        "condition",
        "中文",
        "rack",
        "survey",
        "Linux",
        "WWWWWW",
        "machine",
        "capacity",
    ]
    nodes = tuple(
        DrawnNode(
            f"r{number}:x",
            " ".join(chance.choice(words) for _ in range(chance.randint(1, 16))),
            "conclusion" if number == 0 else chance.choice(KINDS),
            ("r1", "r2")[: chance.randint(0, 2)],
            chance.choice((None, 0.8)),
            chance.choice(("stands", "falls", "undecided")),
            tuple(mark for mark in (QUOTED, DISPUTED, CUT) if chance.random() < 0.3),
            chance.randint(0, 2),
        )
        for number in range(size)
    )
    edges = tuple(
        DrawnEdge(
            f"r{chance.randrange(size)}:x",
            f"r{chance.randrange(max(1, size // 3))}:x",
            chance.choice(("supports", "supports", "attacks", "assumes")),
            chance.choice(("", "", "g1", "g2")),
        )
        for _ in range(int(lines * size))
    )
    return DrawnGraph(nodes, edges, "r0:x" if size else "")
