"""Random claims and graphs, made from a seed so that a failure can be repeated."""

import random

WORDS = [
    "server",
    "survey",
    "rack",
    "linux",
    "cron",
    "job",
    "runs",
    "running",
    "marks",
    "lists",
    "covers",
    "nightly",
    "spare",
    "capacity",
    "survey",
    "trellium",
    "melts",
    "pressure",
    "valve",
    "open",
    "closed",
    "does",
    "can",
    "not",
    "never",
    "without",
    "3",
    "412",
    "350",
    "7",
    "7.0",
    "1,200",
    "5%",
    "x9",
    "the",
    "of",
    "every",
    "is",
    "no",
    "false",
    "<",
    ">",
    "$",
    "unsafe",
    "safe",
    "faster",
    "slower",
    "twenty",
    "ninety",
    "Porto",
    "Ajax",
    "beats",
    "only",
    "must",
    "may",
    "nicht",
    "der",
    "und",
]


def random_claims(seed, size=24):
    rng = random.Random(seed)
    claims = []
    for _ in range(size):
        if claims and rng.random() < 0.6:
            words = rng.choice(claims).split()
            for _ in range(rng.randint(0, 2)):
                act, place = rng.randrange(4), rng.randrange(len(words))
                if act == 0:
                    words[place] = rng.choice(WORDS)
                elif act == 1:
                    words.insert(place, rng.choice(WORDS))
                elif act == 2 and len(words) > 2:
                    del words[place]
                else:
                    words[place] = words[place] + rng.choice(["s", "ed", "", "."])
        else:
            words = rng.choices(WORDS, k=rng.randint(3, 8))
        claims.append(" ".join(words))
    return claims


def random_graph(seed, *, cyclic):
    """Nodes whose claims never merge, and edges among them; acyclic unless asked."""
    rng = random.Random(seed)
    size = rng.randint(2, 9)
    names = [f"n{number}" for number in range(size)]
    types = rng.choices(["given", "inference", "assumption", "conclusion"], [3, 5, 1, 1], k=size)
    nodes = [
        {"id": name, "claim": f"{name} {name * 3}", "type": kind, "confidence": rng.randint(0, 10) / 10}
        for name, kind in zip(names, types, strict=True)
    ]
    edges = []
    for _ in range(rng.randint(0, 3 * size)):
        src, dst = rng.randrange(size), rng.randrange(size)
        relation = rng.choice(["supports", "supports", "supports", "assumes", "attacks"])
        if relation != "attacks" and not cyclic:
            if src == dst:
                continue
            src, dst = min(src, dst), max(src, dst)
        edge = {"src": names[src], "dst": names[dst], "relation": relation, "confidence": rng.randint(0, 10) / 10}
        edges.append(edge)
    refuted = [name for name in names if rng.random() < 0.1]
    return nodes, edges, refuted
