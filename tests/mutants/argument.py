"""Mutants of the argument graph: the clauses of interrogation 3 and the rulings A21 and A22."""

from tests.mutants.mutant import Mutant

DEDUP, LITERAL, STORE, STRUCTURE, SEMANTICS, RESILIENCE, SOURCES, EXAMPLE = (
    f"argument/test_{name}.py"
    for name in (
        "dedup",
        "against_literal",
        "store",
        "structure",
        "semantics",
        "resilience",
        "sources",
        "worked_example",
    )
)


def _of(clause: str, file: str, old: str, new: str, *tests: str) -> Mutant:
    return Mutant(clause if ":" in clause else f"argument:{clause}", f"argument/{file}.py", old, new, tests)


def _joint(file: str, old: str, new: str) -> Mutant:
    return _of("ruling:A21", file, old, new, RESILIENCE, SOURCES)


def _sourced(file: str, old: str, new: str) -> Mutant:
    return _of("ruling:A22", file, old, new, SOURCES)


MUTANTS = (
    # 3.1: what may enter.
    _of("3.1.validation", "ingest", "if not 0 <= value <= 1:", "if not 0 <= value:", STORE),
    _of("3.1.validation", "ingest", "        if end not in known_ids:", "        if end is known_ids:", STORE),
    _of("3.1.validation", "ingest", "if node_id == SUPER_SOURCE:", "if node_id is None:", STORE),
    _of("3.1.validation", "assertions", "if self.asserted[known].claim != node.claim:", "if known < 0:", STORE),
    _of("3.1.idempotent", "assertions", "run_ids=node.run_ids | run_ids)", "run_ids=run_ids)", STORE),
    _of("3.1.idempotent", "assertions", "return self.add_runs(known, node.run_ids)", "return []", STORE),
    _of(
        "3.1.graphs",
        "store",
        "        return self._graphs[graph_id]",
        "        return next(iter(self._graphs.values()))",
        STORE,
    ),
    # 3.2: the reports.
    _of("3.2.1", "assertions", '"auto_merged": self._pairs(lost),', '"auto_merged": [],', LITERAL, STORE, DEDUP),
    _of("3.2.1", "assertions", '"accepted_edges": accepted_edges,', '"accepted_edges": len(edges),', STORE),
    _of(
        "3.2.2",
        "store",
        "lambda ledger: ledger.merge(thresholds)",
        "lambda ledger: ledger.merge(Thresholds())",
        LITERAL,
    ),
    _of("3.2.errors", "store", "except (GraphError, Rejection) as error:", "except Rejection as error:", STORE),
    _of("3.2.1", "store", "self._graphs[graph_id] = before.restored()", "pass", STORE),
    # 3.3: when two claims are one.
    _of(
        "3.3.norm",
        "wording/normal_form",
        'unicodedata.normalize("NFC", claim).lower()',
        'unicodedata.normalize("NFC", claim)',
        DEDUP,
    ),
    _of(
        "3.3.norm",
        "wording/normal_form",
        '_SPACED_PERCENT.sub("", _THOUSANDS.sub("", text))',
        '_SPACED_PERCENT.sub("", text)',
        DEDUP,
    ),
    _of("3.3.negation", "dedup", "((), ()))[1 - form.negations % 2]", "((), ()))[form.negations % 2]", DEDUP),
    _of("3.3.numeric", "guards", "a.words == b.words and a.numbers != b.numbers", "a.words != b.words", DEDUP),
    _of("3.3.similarity", "dedup", "    if overlap >= thresholds.jaccard:", "    if overlap > 1:", DEDUP, LITERAL),
    _of("3.3.similarity", "guards", "if _each_lacks(earlier.digits, later.digits):", "if earlier.denials < 0:", DEDUP),
    _of("3.3.policy", "assertions", "max(member.confidence for member in members),", "kept.confidence,", DEDUP),
    _of(
        "3.3.policy",
        "assertions",
        "any(member.refuted for member in members),",
        "all(member.refuted for member in members),",
        DEDUP,
    ),
    _of(
        "3.3.policy",
        "graph",
        'key.append((1, int(part), "") if is_number else (0, 0, part))',
        "key.append((0, 0, part))",
        DEDUP,
    ),
    _of("3.3.clusters", "dedup", "if a == b or self._forbidden(a, b):", "if a == b:", DEDUP, LITERAL),
    # 3.4: structure.
    _of(
        "3.4.structure",
        "structure",
        'exempt = ("given", "assumption")',
        'exempt = ("given",)',
        STRUCTURE,
        STORE,
        EXAMPLE,
        LITERAL,
    ),
    _of(
        "3.4.structure",
        "structure",
        "columns.ids(cycle) for cycle in cycles[:MAX_CYCLES]",
        "columns.ids(cycle) for cycle in cycles",
        STRUCTURE,
    ),
    _of("3.4.links", "structure", "        if furthest <= index:", "        if furthest < index:", STRUCTURE),
    _of("3.4.links", "structure", "-betweenness[edges], doubt))", "doubt))", STRUCTURE),
    _of("3.4.links", "structure", "-betweenness[edges], doubt))", "-betweenness[edges], -doubt))", STRUCTURE),
    _of(
        "3.4.oracle",
        "graph",
        "return ~(refuted[self.support_src] | refuted[self.support_dst])",
        "return ~(refuted[self.support_src] & refuted[self.support_dst])",
        LITERAL,
    ),
    # 3.5: width and what survives.
    _of(
        "3.5.width",
        "support",
        "    while (source := routes.search()) is not None:",
        "    if (source := routes.search()) is not None:",
        EXAMPLE,
        STRUCTURE,
        STORE,
    ),
    _of(
        "3.5.width",
        "support",
        "            if self.is_source[node]\n",
        "            if False\n",
        EXAMPLE,
        STRUCTURE,
        STORE,
    ),
    _of(
        "3.5.width",
        "support",
        "        return Support([[conclusion], *paths], [], uncuttable=True, cut_at_least=0)",
        "        return Support(paths, [], uncuttable=True, cut_at_least=0)",
        STORE,
    ),
    _of("3.5.surviving", "semantics", "(reached | ((labels == IN) & attacking))", "reached", SEMANTICS, EXAMPLE),
    _of("3.5.surviving", "semantics", "closed=labels == OUT", "closed=labels == IN", SEMANTICS, EXAMPLE),
    # 3.6: disputes.
    _of("3.6", "disputes", "bearing = sorted(on_path.nodes | attackers)", "bearing = sorted(on_path.nodes)", EXAMPLE),
    _of("3.6", "disputes", "exact=budget.left >= 0", "exact=True", STRUCTURE),
    # A21: groups.
    _joint(
        "assertions",
        '        elif relation != "attacks" and group is not None:',
        "        elif False and group is not None:",
    ),
    _joint("assertions", "groups[dst, group].add(number_of[src])", "groups[number_of[dst], group].add(number_of[src])"),
    _joint("assertions", "frozenset(edges - alone)", "frozenset()"),
    _joint("premises", "[*assumed, *(False for _ in columns.sentences)],", "[False for _ in struck],"),
    _joint("derivations", "        if not doubtful.issuperset(way):\n", "        if True:\n"),
    _joint(
        "derivations",
        "way for way in premises.ways[claim] if conclusion not in way",
        "way for way in premises.ways[claim]",
    ),
    _joint(
        "derivations",
        "        while self.goal not in taken and self._reach_more(taken, closed, steps):\n            pass\n",
        "",
    ),
    _joint("derivations", "                common &= used", "                common = used"),
    _joint(
        "derivations",
        "                together &= reached.get(member, 0)",
        "                together = reached.get(member, 0)",
    ),
    _joint("cuts", "        if len(tried) < AT_ONCE and not short:", "        if len(tried) < AT_ONCE:"),
    _joint("cuts", "DEEPEST = 4", "DEEPEST = 1"),
    _joint("cuts", "if len(served - {claim}) == 1 and", "if len(served - {claim}) <= 2 and"),
    _joint("cuts", "common[claim] & needed if claim in common else needed", "needed"),
    _joint(
        "packing",
        "        if more is None:\n            return lines, steps.left >= 0",
        "        if more is None:\n            return lines, True",
    ),
    _joint(
        "packing",
        "derivations.line_within(share, steps) for share in shares",
        "derivations.line_within(owner, steps) for share in shares",
    ),
    _joint("packing", "    while len(lines) < at_most:", "    while False:"),
    _joint("support", "at_least = max(cut.at_least, len(lines))", "at_least = cut.at_least"),
    _joint("support", "    if columns.is_flat and not defeated:", "    if not defeated:"),
    _joint("assertions", "defeated = self.defeated() if standing else ()", "defeated = ()"),
    _joint("assertions", "        labels[refuted] = IN\n", "        labels[labels == OUT] = IN\n"),
    _joint(
        "store",
        '"resilience": None if support.uncuttable else support.cut_at_least,',
        '"resilience": support.cut_at_least,',
    ),
    _joint("store", "if columns.is_flat:\n        return bridge_edges", "if True:\n        return bridge_edges"),
    _joint(
        "words",
        'return f"any one of these {len(alone)} claims is wrong"',
        'return f"these {len(alone)} claims are wrong"',
    ),
    _joint("snapshot", '**({} if group is None else {"group": group}),', ""),
    # A22: sources.
    _sourced("premises", "is_given(node) and not node.sources for node", "is_given(node) for node"),
    _sourced("premises", "in (*columns.joint, *_sources(columns)):", "in columns.joint:"),
    _sourced(
        "premises", "*(sentence.refuted for sentence in columns.sentences)]", "*(False for _ in columns.sentences)]"
    ),
    _sourced("graph", "any(self._struck.isdisjoint(source.ids) for source in node.sources)", "node.sources"),
    _sourced("structure", "if feeding[number]]) + struck,", "if feeding[number]]),"),
    _sourced("sources", "BROAD = 5", "BROAD = 6"),
    _sourced("sources", "BROAD = 5", "BROAD = 4"),
    _sourced("sources", 'return f"{self.document}#{self.number}"', 'return f"#{self.number}"'),
    _sourced("assertions", "text=one.text or named[name].text", "text=one.text"),
    _sourced(
        "assertions",
        "sources=distinct_sources(source for member in members for source in member.sources),",
        "sources=kept.sources,",
    ),
    _sourced("assertions", "if name in self._place or name == node.id", "if name == node.id"),
    _sourced("assertions", "        if node.id in self.sentences:", "        if node.id is None:"),
    _sourced("ingest", 'if sources and node_type != "given":', 'if sources and node_type == "":'),
    _sourced("ingest", "or not 0 <= number < MAX_NUMBER", "or not number < MAX_NUMBER"),
    _sourced("snapshot", '_refute_sentences(ledger, data.get("sentences"))', "pass"),
    _sourced("store", 'type="assumption", ungrounded=True, sources=()', 'type="assumption", ungrounded=True'),
)
