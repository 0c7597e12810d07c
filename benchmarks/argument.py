"""The argument graph measured against its literal definition: ratios of CPU time in one run, results compared.

    python benchmarks/argument.py                    all sections
    python benchmarks/argument.py merge pairs        some of the SECTIONS below

One thread does the arithmetic on both sides. The claim pairs are read from the folder that MOOT_DATA names.
"""

import gc
import json
import os
import random
import resource
import sys
import time
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from tests.argument.literal import LiteralGraph, literal_clusters

from moot.argument import GraphStore
from moot.argument.semantics import IN, grounded_labels
from moot.argument.wording.normal_form import NEGATIONS, STOPWORDS

CONSONANTS, VOWELS, ENDS = "bcdfghklmnprstvw", "aeiou", ["", "", "n", "r", "s", "l", "t", "nd", "st"]


def timed(act):
    """What an act gives, and its CPU time; as in timeit, what lies about in memory is not searched meanwhile."""
    gc.collect()
    gc.disable()
    begin = time.process_time()
    try:
        value = act()
        return value, time.process_time() - begin
    finally:
        gc.enable()


def figure(name, value, target, *, at_least=True):
    met = value >= target if at_least else value <= target
    bound = "at least" if at_least else "at most"
    print(f"  {name:<58} {value:>12,.4g}   {bound} {target:<8g} {'met' if met else 'NOT MET'}", flush=True)


# ---- inputs


def vocabulary(rng, size):
    words = set()
    while len(words) < size:
        syllables = rng.choice([1, 2, 2, 3])
        words.add("".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) + rng.choice(ENDS) for _ in range(syllables)))
    return sorted(words)


def claims(size, seed=1):
    """Claims of four to eight words after a natural frequency law; a quarter repeat, reword, negate or renumber one."""
    rng = random.Random(seed)
    words = vocabulary(rng, 20_000)
    weights = np.cumsum([1 / (rank + 10) ** 0.8 for rank in range(len(words))]).tolist()
    made = []
    for _ in range(size):
        if made and rng.random() < 0.25:
            made.append(reworded(rng, rng.choice(made).split(), words))
        else:
            sentence = rng.choices(words, cum_weights=weights, k=rng.randint(4, 8))
            if rng.random() < 0.25:
                sentence.insert(rng.randrange(len(sentence)), str(rng.randrange(1000)))
            made.append("the " + " ".join(sentence))
    return made


def reworded(rng, sentence, words):
    act, place = rng.randrange(6), rng.randrange(len(sentence))
    if act == 0:
        sentence[place] = rng.choice(words)
    elif act == 1:
        sentence.insert(place, "not")
    elif act == 2:
        sentence = [str(rng.randrange(1000)) if word.isdigit() else word for word in sentence]
    elif act == 3:
        sentence[place] += "s"
    return " ".join(sentence).capitalize() + "."


def as_nodes(texts, start=0):
    return [{"id": f"r{start + at}:n", "claim": text, "type": "inference"} for at, text in enumerate(texts)]


def argument(size, seed=7):
    """A layered argument: a fifth givens, each claim supporting one to three later ones, some attacks."""
    rng = random.Random(seed)
    texts = claims_that_differ(rng, size)
    givens = size // 5
    nodes = [
        {"id": f"n{at}", "claim": texts[at], "type": "given" if at < givens else "inference", "confidence": pick(rng)}
        for at in range(size)
    ]
    nodes[-1]["type"] = "conclusion"
    edges = []
    for at in range(size - 1):
        later = range(max(at + 1, givens), min(size, max(at + 1, givens) + size // 3))
        targets = rng.sample(later, min(len(later), rng.choice([1, 1, 2, 3])))
        edges += [{"src": f"n{at}", "dst": f"n{to}", "relation": "supports", "confidence": pick(rng)} for to in targets]
    for _ in range(size // 5):
        a, b = rng.sample(range(size), 2)
        edges.append({"src": f"n{a}", "dst": f"n{b}", "relation": "attacks", "confidence": pick(rng)})
    return nodes, edges, f"n{size - 1}"


def claims_that_differ(rng, size):
    letters = "bcdfghklmnprstvwaeiou"
    return ["".join(rng.choices(letters, k=12)) + " " + "".join(rng.choices(letters, k=12)) for _ in range(size)]


def pick(rng):
    return rng.randint(3, 10) / 10


def stored(size):
    nodes, edges, conclusion = argument(size)
    store = GraphStore()
    report = store.assert_graph("g", nodes, edges)
    assert report["rejected"] == report["auto_merged"] == []
    return store, conclusion


def cold(store, call):
    """The CPU time of one call on warm columns, with every earlier answer forgotten; the best of three to twenty."""
    payload, times = call(), []
    while len(times) < 3 or (len(times) < 20 and sum(times) < 0.5):
        store._graphs["g"]._support.clear()
        times.append(timed(call)[1])
    return payload, min(times)


# ---- sections


def merge():
    print("merge_duplicates against comparing every pair, 1,000 claims")
    texts = claims(1_000)
    (cluster, contradictions), slow = timed(lambda: literal_clusters(texts))
    # The first of a process also reads the word lists; that is told and not compared.
    first, *others = (asserted(texts) for _ in range(4))
    store, asserting = min(others, key=itemgetter(1))
    report, passing = timed(lambda: store.merge_duplicates("g"))
    names = [node["id"] for node in as_nodes(texts)]
    assert [store.resolve("g", name) for name in names] == [names[cluster.index(mark)] for mark in cluster]
    pairs = {frozenset((names[cluster.index(cluster[a])], names[cluster.index(cluster[b])])) for a, b in contradictions}
    assert {frozenset(pair) for pair in report["contradictions_created"]} == pairs
    print(f"  literal {slow:.1f} s, from nothing {asserting:.3f} s, second pass {passing:.3f} s; equal results")
    print(f"  the first of the process, which reads the word lists: {first[1]:.3f} s")
    figure("literal / asserting from nothing", slow / asserting, 500)
    figure("literal / merge_duplicates", slow / passing, 500)


def asserted(texts):
    """A store with these claims, and the CPU time that they took."""
    store = GraphStore()
    _, seconds = timed(lambda: store.assert_graph("g", as_nodes(texts)))
    return store, seconds


def scale():
    print("merging 10,000 and 100,000 claims")
    texts = claims(100_000)
    small, large = GraphStore(), GraphStore()
    _, small_assert = timed(lambda: small.assert_graph("g", as_nodes(texts[:10_000])))
    _, small_pass = timed(lambda: small.merge_duplicates("g"))
    more = as_nodes(claims(20, seed=99), start=10**6)
    _, adding = timed(lambda: small.assert_graph("g", more))
    print(f"  10,000 claims: from nothing {small_assert:.2f} s, second pass {small_pass:.2f} s")
    print(f"  20 more claims: {adding * 1000:.1f} ms")
    figure("asserting 20 nodes into 10,000 / asserting all", adding / small_assert, 1 / 100, at_least=False)
    _, large_assert = timed(lambda: large.assert_graph("g", as_nodes(texts)))
    _, large_pass = timed(lambda: large.merge_duplicates("g"))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  100,000 claims: from nothing {large_assert:.2f} s, second pass {large_pass:.2f} s")
    figure("100,000 / 10,000 claims, from nothing", large_assert / small_assert, 35, at_least=False)
    figure("memory of the whole process in MB", memory, 1_000, at_least=False)


def literal_support(literal, conclusion):
    return literal.width(conclusion), literal.max_flow(conclusion)


def literal_links(literal, conclusion):
    return literal.bridges(conclusion), literal.betweenness(conclusion), literal.cut_size(conclusion)


def width():
    print("support_width against networkx, warm columns, cold answer")
    for size, target in ((1_000, 30), (10_000, 300)):
        store, conclusion = stored(size)
        literal = LiteralGraph(store.nodes("g"), store.edges("g"))
        (paths, flow), slow = timed(partial(literal_support, literal, conclusion))
        payload, fast = cold(store, partial(store.support_width, "g", conclusion))
        assert payload["disjoint_paths"] == paths and abs(payload["max_flow"] - flow) < 1e-4
        figure(f"{size:,} nodes: {slow:.2f} s / {fast * 1000:.2f} ms, width {paths}", slow / fast, target)


def links():
    print("critical_links against networkx and removing edge after edge")
    for size, target in ((1_000, 100), (10_000, 1_000)):
        store, conclusion = stored(size)
        literal = LiteralGraph(store.nodes("g"), store.edges("g"))
        (bridges, shares, cut), slow = timed(partial(literal_links, literal, conclusion))
        payload, fast = cold(store, partial(store.critical_links, "g", conclusion))
        assert {tuple(edge) for edge in payload["bridge_edges"]} == bridges and len(payload["min_cut_nodes"]) == cut
        ranked = {tuple(link["edge"]): link["betweenness"] for link in payload["ranked"]}
        assert ranked.keys() == shares.keys() and all(abs(ranked[edge] - shares[edge]) < 1e-6 for edge in shares)
        figure(f"{size:,} nodes: {slow:.2f} s / {fast * 1000:.2f} ms", slow / fast, target)


def surviving():
    print("surviving_claims against rounds over all nodes and descendants of every given")
    for size, target in ((1_000, 50), (10_000, 500)):
        store, _ = stored(size)
        literal = LiteralGraph(store.nodes("g"), store.edges("g"))
        expected, slow = timed(literal.surviving)
        payload, fast = cold(store, partial(store.surviving_claims, "g"))
        assert payload["surviving"] == expected
        labels = literal.labels()
        assert payload["in"] == [name for name in literal.order if labels[name] == "in"]
        figure(f"{size:,} nodes: {slow:.2f} s / {fast * 1000:.2f} ms", slow / fast, target)


def linear():
    print("the same functions at 100,000 nodes over 10,000")
    times = {}
    for size in (10_000, 100_000):
        nodes, edges, conclusion = argument(size)
        store = bare(nodes, edges)
        for name in ("check_structure", "critical_links", "support_width", "disputed_nodes", "surviving_claims"):
            args = ("g",) if name == "surviving_claims" else ("g", conclusion)
            times[name, size] = cold(store, partial(getattr(store, name), *args))[1]
    for name in sorted({name for name, _ in times}):
        small, large = times[name, 10_000], times[name, 100_000]
        figure(f"{name}: {large * 1000:.0f} ms / {small * 1000:.1f} ms", large / small, 20, at_least=False)


def bare(nodes, edges):
    """A store whose claims say nothing to each other, so that only the graph is measured."""
    store = GraphStore()
    marks = ["...", "!?", "--", "()"]
    store.assert_graph("g", [{**node, "claim": marks[at % 4]} for at, node in enumerate(nodes)], edges)
    return store


def joint_argument(size, seed):
    """An argument of steps: every inference has one to three groups of one to four earlier claims, many of them shared.

    A third are givens, every second of them with one sentence, which other givens may have too.
    """
    rng = random.Random(seed)
    givens, reach = size // 3, rng.choice([size // 10, size // 3, size])
    nodes: list[dict[str, Any]] = [
        {"id": f"n{at}", "type": "given" if at < givens else "inference"} for at in range(size)
    ]
    for node in nodes[:givens:2]:
        node["source"] = {"document": "d", "sentences": [rng.randrange(givens)]}
    nodes[-1]["type"] = "conclusion"
    edges = []
    for at in range(givens, size):
        for group in range(rng.choice([1, 1, 2, 3]) if at < size - 1 else rng.randint(1, 4)):
            members = rng.sample(range(max(0, at - reach), at), rng.randint(1, 4))
            edges += [{"src": f"n{src}", "dst": f"n{at}", "relation": "supports", "group": group} for src in members]
    return nodes, edges, f"n{size - 1}"


def resilience(size=10_000, graphs=30):
    print(f"resilience of {graphs} arguments of {size:,} claims with groups of 1 to 4, shared premises and sentences")
    slowest, told = 0.0, []
    for seed in range(graphs):
        nodes, edges, conclusion = joint_argument(size, seed)
        store = bare(nodes, edges)
        payload, seconds = cold(store, partial(store.resilience, "g", conclusion))
        slowest = max(slowest, seconds)
        told.append(payload)
        for name in payload["must_be_wrong"]:
            store.mark_refuted("g", name, "named")
        assert store.support_width("g", conclusion)["disjoint_paths"] == 0
    counts = {}
    for payload in told:
        key = f"{payload['resilience']}{'' if payload['exact'] else ' or more'}"
        counts[key] = counts.get(key, 0) + 1
    print("  " + ", ".join(f"{count} of {key}" for key, count in sorted(counts.items())))
    print(f"  exact: {sum(payload['exact'] for payload in told)} of {graphs}")
    low = [payload for payload in told if payload["resilience"] <= 2]
    figure("share of exact ones where it is 2 or less", sum(one["exact"] for one in low) / len(low), 1)
    figure("slowest in seconds", slowest, 1, at_least=False)


def hostile(size=40, groups=240):
    print(f"a hostile argument: {groups} groups of six premises over {size} givens")
    nodes = [{"id": f"n{at}", "type": "given"} for at in range(size)] + [{"id": "z", "type": "conclusion"}]
    edges = [
        {"src": f"n{(at + jump * (1 + 2 * (at // size))) % size}", "dst": "z", "relation": "supports", "group": at}
        for at in range(groups)
        for jump in range(6)
    ]
    store = bare(nodes, edges)
    payload, seconds = cold(store, partial(store.resilience, "g", "z"))
    print(
        f"  {payload['lines']} lines, {payload['resilience']} or more must be wrong, {len(payload['must_be_wrong'])} do"
    )
    figure("seconds until its steps are spent", seconds, 1.5, at_least=False)


def grounded(size=1_000_000, attacks=1_300_000):
    print(f"grounded labelling of {size:,} arguments and {attacks:,} attacks against clingo")
    import clingo  # ty: ignore[import-not-found] -- brought by whoever compares with it

    rng = np.random.default_rng(5)
    src, dst = rng.integers(0, size, attacks), rng.integers(0, size, attacks)
    labels, fast = timed(lambda: grounded_labels(size, src, dst))
    control = clingo.Control(["--warn=none"])
    rules = "in(X) :- arg(X), out(Y) : att(Y,X). out(X) :- in(Y), att(Y,X)."

    def ask():
        with control.backend() as backend:
            add = backend.add_atom
            for at in range(size):
                backend.add_rule([add(clingo.Function("arg", [clingo.Number(at)]))])
            for a, b in zip(src.tolist(), dst.tolist(), strict=True):
                backend.add_rule([add(clingo.Function("att", [clingo.Number(a), clingo.Number(b)]))])

    _, loading = timed(ask)
    control.add("base", [], rules)
    _, grounding = timed(lambda: control.ground([("base", [])]))
    found = []

    def keep(model):
        found.append({symbol.arguments[0].number for symbol in model.symbols(atoms=True) if symbol.name == "in"})

    _, solving = timed(lambda: control.solve())
    control.solve(on_model=keep)
    assert found[0] == set(np.flatnonzero(labels == IN).tolist())
    print(
        f"  clingo: {loading:.2f} s to load facts (not counted), {grounding:.2f} s to ground, {solving:.2f} s to solve"
    )
    figure(f"clingo without loading / Moot ({fast:.2f} s)", (grounding + solving) / fast, 8)


def pairs():
    print("claim pairs: merged, attacking, neither; the paper's literal rule beside Moot's")
    folder = os.environ.get("MOOT_DATA")
    if not folder or not (Path(folder) / "claim_pairs.jsonl").exists():
        print("  MOOT_DATA names no folder with claim_pairs.jsonl: skipped")
        return
    lines = (Path(folder) / "claim_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    table, derived = {}, [0, 0]
    for row in map(json.loads, lines):
        kind = f"{row['label']} {row['subset']}"
        for rule, verdict in enumerate((literal_verdict(row), moot_verdict(row))):
            table.setdefault(kind, [[0, 0, 0], [0, 0, 0]])[rule][verdict] += 1
            derived[rule] += row["derived"] is not None and verdict == 0
    print(f"  {'kind':<52} {'literal: merge attack neither':>30} {'Moot: merge attack neither':>30}")
    for kind, (literal, moot) in sorted(table.items()):
        print(f"  {kind:<52} {literal[0]:>14} {literal[1]:>7} {literal[2]:>7} {moot[0]:>15} {moot[1]:>7} {moot[2]:>7}")
    print(f"  derived pairs merged by the literal rule: {derived[0]}")
    figure("derived pairs merged by Moot", derived[1], 0, at_least=False)
    totals = {label: [0, 0] for label in ("paraphrase", "unrelated", "contradiction")}
    for kind, (_, moot) in table.items():
        totals[kind.split()[0]][0] += moot[0]
        totals[kind.split()[0]][1] += sum(moot)
    figure("paraphrases found, share of all", totals["paraphrase"][0] / totals["paraphrase"][1], 0.83)
    figure("unrelated pairs merged (892 without A18 to A20)", totals["unrelated"][0], 0.78 * 892, at_least=False)
    figure("contradictions merged (93 without A18 to A20)", totals["contradiction"][0], 92, at_least=False)
    found = [sum(rules[rule][0] for kind, rules in table.items() if kind.startswith("paraphrase")) for rule in (0, 1)]
    figure(f"paraphrases found, literal rule {found[0]}; share kept", found[1] / max(found[0], 1), 0.95)


def moot_verdict(row):
    store = GraphStore()
    store.assert_graph("g", as_nodes([row["text_a"], row["text_b"]]))
    return 0 if len(store.nodes("g")) == 1 else 1 if store.edges("g") else 2


def literal_verdict(row):
    from difflib import SequenceMatcher

    a, b = literal_norm(row["text_a"]), literal_norm(row["text_b"])
    parity = sum(token in NEGATIONS for token in a) % 2 != sum(token in NEGATIONS for token in b) % 2
    if set(a) - NEGATIONS == set(b) - NEGATIONS and parity:
        return 1
    numbers = [{token for token in tokens if token.rstrip("%").replace(".", "", 1).isdigit()} for tokens in (a, b)]
    if set(a) - numbers[0] == set(b) - numbers[1] and numbers[0] != numbers[1]:
        return 1
    union = set(a) | set(b)
    if union and len(set(a) & set(b)) / len(union) >= 0.7:
        return 0
    return 0 if SequenceMatcher(None, " ".join(a), " ".join(b)).ratio() >= 0.85 else 2


def literal_norm(claim):
    import re
    import unicodedata

    text = re.sub(r"(?<=\d),(?=\d{3})", "", unicodedata.normalize("NFC", claim.lower()))
    text = re.sub(r"(?!(?<=\d)\.(?=\d))[^\w\s%]", "", text)
    return [token for token in text.split() if token not in STOPWORDS]


SECTIONS = (merge, scale, width, links, surviving, linear, resilience, hostile, grounded, pairs)


def main():
    wanted = sys.argv[1:]
    for section in SECTIONS:
        if not wanted or section.__name__ in wanted:
            section()


if __name__ == "__main__":
    main()
