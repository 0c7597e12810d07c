"""Mutants of `interrogation`: the clauses of section 4 in the form they belong to, and the rulings on it."""

from tests.mutants.mutant import Mutant

PROTOCOL, CASE, RULES, REPORT, VERIFYING, VERIFICATION, GRAPH, SCHEMAS = (
    f"protocols/interrogation/{name}.py"
    for name in ("protocol", "case", "rules", "report", "verifying", "verification", "graph/form", "schemas")
)
CANDIDATES, DRAWING, SEATING, CONCLUDING = (
    f"methods/{name}.py" for name in ("candidates", "runs/drawing", "runs/seating", "citing/concluding")
)

LOOP, BUDGET, CHECKED, ANSWERS, LINES, FORMS, BAD, TOLD, PURE = (
    (f"protocols/interrogation/test_{name}.py",)
    for name in ("loop", "budget", "verifying", "answers", "lines", "forms", "bad_input", "report", "rules")
)

MUTANTS = (
    # 4 and 4.1.1: the defaults; fan out.
    Mutant("interrogation:4", SCHEMAS, "default=0.8, ge=0, le=2", "default=0.7, ge=0, le=2", LOOP),
    Mutant("interrogation:4", SCHEMAS, "default=2, ge=1, le=20", "default=3, ge=1, le=20", LOOP),
    Mutant("interrogation:4", PROTOCOL, "budget=Budget(calls=20)", "budget=Budget(calls=30)", LOOP),
    Mutant("interrogation:4.1.1", PROTOCOL, "temperature=settings.temperature", "temperature=0.0", LOOP),
    Mutant(
        "interrogation:4.1.1",
        DRAWING,
        "    replies = await deliberation.ask_all(asks)",
        "    replies = [reply for ask in asks for reply in await deliberation.ask_all([ask])]",
        LOOP,
    ),
    Mutant("interrogation:4.1.1", SEATING, "panel[(number - 1) % len(panel)]", "panel[0]", LOOP),
    Mutant("interrogation:4.1.1", GRAPH, 'else f"{self.run_id}:{end}"', "else end", LOOP),
    Mutant(
        "interrogation:4.1.1",
        VERIFYING,
        "    replies = iter(await deliberation.ask_all(asks))",
        "    replies = iter([one for ask in asks for one in await deliberation.ask_all([ask])])",
        LOOP,
    ),
    # 4.1.2: merge.
    Mutant(
        "interrogation:4.1.2",
        CASE,
        "apart = [(other, node) for other in others for node in _restated(written)]",
        'apart = [(f"{a}:{x}", f"{run.id}:{x}") for a in self.written for x in ("a", "b", "[1]", "[4]")]',
        LOOP,
    ),
    Mutant("interrogation:4.1.2", PROTOCOL, '"merges": case.merges()', '"merges": []', LOOP),
    # 4.1.3: assess.
    Mutant(
        "interrogation:4.1.3",
        CASE,
        "self.graph.check_structure(GRAPH, top.id) if top else {}",
        "{}",
        (*LOOP, *LINES),
    ),
    Mutant("ruling:I15", CASE, "self.graph.check_structure(GRAPH, top.id) if top else {}", "{}", (*LOOP, *LINES)),
    Mutant("ruling:I15", REPORT, 'yield from _list("Circular"', 'yield from _list("Round"', LINES),
    Mutant("ruling:I15", REPORT, 'if cycles := assessment.structure.get("cycles"):', "if cycles := ():", LINES),
    Mutant("interrogation:4.1.3", PROTOCOL, "case = Case(settings.rank_by)", "case = Case()", LOOP),
    Mutant("ruling:I1", CANDIDATES, "return (self.refuted, -self.width", "return (self.refuted, self.width", LOOP),
    Mutant("ruling:I1", CASE, "if not candidate.refuted)", ")", ANSWERS),
    Mutant(
        "ruling:I1",
        CANDIDATES,
        "node.refuted or node.id in survivors",
        "node.refuted and node.id in survivors",
        ANSWERS,
    ),
    Mutant(
        "interrogation:4.1.3",
        REPORT,
        '"runs": case.arguing_for(item)}',
        '"runs": item.runs}',
        LOOP,
    ),
    # 4.1.4: re-interrogate.
    Mutant("interrogation:4.1.4", RULES, "*(node for pair in pairs for node in pair), *isolated]", "*isolated]", LOOP),
    Mutant(
        "interrogation:4.1.4",
        RULES,
        "[*ungrounded, *(node for pair in pairs for node in pair), *isolated]",
        "[*ungrounded, *isolated, *(node for pair in pairs for node in pair)]",
        PURE,
    ),
    Mutant("interrogation:4.1.4", VERIFYING, "min(settings.claims_a_round, len(nodes))", "len(nodes)", LOOP),
    Mutant("interrogation:4.1.4", CASE, "self.graph.confirm_node(GRAPH, node, run_id)", "pass", LOOP),
    Mutant("ruling:I5", RULES, "[*ungrounded, *(", "[*(", LOOP),
    Mutant("ruling:I2", CASE, "self.graph.doubt_node(GRAPH, node)", "pass", CHECKED),
    Mutant("ruling:I2", CASE, 'reason or "refuted by verification"', '"refuted by verification"', CHECKED),
    Mutant("ruling:I2", CASE, "        self._settled.add(node)\n", "        pass\n", CHECKED),
    Mutant("ruling:I2", VERIFICATION, "if counts[verdict] > asked // 2:", "if counts[verdict] >= asked // 2:", CHECKED),
    Mutant(
        "ruling:I2",
        VERIFYING,
        "verification_messages(case.claim(node), sentences)",
        "verification_messages(case.claim(node) + verifying.question.text, sentences)",
        CHECKED,
    ),
    # 4.1.5: stop.
    Mutant("interrogation:4.1.5", PROTOCOL, "lines >= verifying.settings.k:", "lines > verifying.settings.k:", LOOP),
    Mutant("interrogation:4.1.5", PROTOCOL, "if assessment.is_stable_since(previous) and lines", "if lines", LOOP),
    Mutant("ruling:I7", CASE, "previous is not None and [item.id for", "previous is not None or [item.id for", LOOP),
    Mutant(
        "ruling:I7",
        CASE,
        "== [item.id for item in previous.standing]",
        "!= []",
        LOOP,
    ),
    Mutant(
        "ruling:I7", CASE, "        for candidate in candidates:\n", "        for candidate in candidates[:1]:\n", LOOP
    ),
    Mutant("ruling:I3", RULES, "min(wanted, calls_left // verifications)", "wanted", PURE),
    Mutant("ruling:I3", DRAWING, "(count.runs or left > way.reserve)", "left > way.reserve", BUDGET),
    Mutant(
        "ruling:I3",
        PROTOCOL,
        'settings.verifications if verify_of(settings.verify, forms) == "always" else 0',
        "0",
        BUDGET,
    ),
    Mutant(
        "ruling:I3",
        PROTOCOL,
        'settings.verifications if verify_of(settings.verify, forms) == "always" else 0',
        "settings.verifications",
        BUDGET,
    ),
    Mutant("ruling:G2", REPORT, "not winners[0].surviving_width or", "", (*BUDGET, *LINES)),
    Mutant(
        "ruling:G2",
        REPORT,
        "status=ended if is_decided(way.sampling, count.tally) else",
        "status=ended if ended else",
        BUDGET,
    ),
    # 4.1.6: report.
    Mutant("interrogation:4.1.6", REPORT, 'for node in survivors["surviving"]]', 'for node in survivors["out"]]', TOLD),
    Mutant(
        "interrogation:4.1.6",
        REPORT,
        "for node in nodes if node.refuted",
        "for node in nodes if not node.refuted",
        TOLD,
    ),
    Mutant(
        "interrogation:4.1.6",
        REPORT,
        "        for call in event.calls:\n",
        "        for call in event.calls[:1]:\n",
        TOLD,
    ),
    Mutant("interrogation:4.1.6", REPORT, "**What it took**: {cost_words(record.spent)}", "**What it took**", TOLD),
    Mutant("interrogation:4.3", REPORT, "in record.compliance.items()", "in ()", TOLD),
    # Answers (I6, I8, I16).
    Mutant("ruling:I6", CASE, "run_id=run.id, cannot_link=apart)", "run_id=run.id)", ANSWERS),
    Mutant("ruling:I6", CASE, '{**node, "claim": claim} if node["id"]', 'node if node["id"]', ANSWERS),
    Mutant("ruling:I16", CANDIDATES, "return (self.refuted, -self.votes, ", "return (self.refuted, ", ANSWERS),
    Mutant("ruling:I16", CANDIDATES, "-_strength(self.resilience), -self.width, -self.max_flow)", ")", ANSWERS),
    Mutant("ruling:I16", REPORT, "if len(winners) != 1 or not winners", "if not winners or not winners", ANSWERS),
    Mutant("ruling:I16", CASE, "if item.rank(self.by) == first[0].rank(self.by))", ")[:1]", ANSWERS),
    Mutant("ruling:G8", REPORT, "surviving_width or votes.count.barred:", "surviving_width:", ANSWERS),
    Mutant("ruling:I8", REPORT, "dissent += [Dissent(item.answer", 'dissent += [Dissent("Nobody says."', ANSWERS),
    Mutant("interrogation:4.1.3", REPORT, "    dissent += [Dissent(", "    dissent = [Dissent(", LOOP),
    Mutant("ruling:I20", REPORT, "or count.barred or does_not_say_yet(votes, winners)", "or count.barred", ANSWERS),
    # Lines (I12, I18).
    Mutant("ruling:I12", GRAPH, "if no_line and beneath else edges", "if not edges else edges", LINES),
    Mutant("ruling:I18", GRAPH, "if no_line and beneath else edges", "if not edges else edges", LINES),
    Mutant("ruling:I18", CASE, 'self.graph.mark_refuted(GRAPH, node, f"it comes out otherwise: {how}")', "pass", FORMS),
    Mutant("ruling:I12", CONCLUDING, "or _UNSPACED.search(answer)", "", BAD),
    Mutant("ruling:I5", PROTOCOL, "else sentences_of(sources(question))", "else ()", LINES),
    # Forms and who verifies (I9, I14).
    Mutant("ruling:I9", RULES, 'wanted = "both" if any(', 'wanted = "graph" if any(', PURE),
    Mutant("ruling:I9", RULES, "if any(model", "if all(model", PURE),
    Mutant("ruling:I9", PROTOCOL, '"is_number": asked.is_number', '"is_number": False', FORMS),
    Mutant(
        "ruling:I13", PROTOCOL, "if abstained := abstention(reply.answer, question):", 'if abstained := "":', ANSWERS
    ),
    Mutant("ruling:I14", RULES, 'return "always" if forms == ("graph",) else "other"', 'return "always"', PURE),
    Mutant("ruling:I14", RULES, 'if verify == "other" else set()', 'if verify == "always" else set()', PURE),
    Mutant("ruling:I14", RULES, "key=lambda node: not is_leading(node)", "key=lambda node: False", CHECKED),
    Mutant("ruling:I14", CASE, "            still_open += (top.id,)", "            pass", CHECKED),
    Mutant(
        "ruling:I14", CASE, "            self.graph.reinstate_given(GRAPH, name, source)", "            pass", CHECKED
    ),
    Mutant(
        "ruling:I14",
        CASE,
        "            return self._supported_by(wanted.id, source, sentence, run_id)",
        "            return False",
        CHECKED,
    ),
    Mutant(
        "ruling:I14",
        CASE,
        'if verdict == "refuted":\n            self.graph.mark_refuted(GRAPH, node, f"it does not',
        'if False:\n            self.graph.mark_refuted(GRAPH, node, f"it does not',
        CHECKED,
    ),
    Mutant("ruling:I14", CASE, "self._settled.add(self._follow_key(node))", "pass", CHECKED),
    Mutant(
        "ruling:I14",
        VERIFYING,
        "return tuple(numbered[number] for number in numbers if number in numbered)",
        "return tuple(numbered.values())",
        CHECKED,
    ),
    Mutant("ruling:I14", VERIFICATION, 'return reply.verdict != "refuted" or any(', "return True or any(", CHECKED),
    Mutant("ruling:I14", CASE, "or not standing[node].sources]", "]", CHECKED),
    Mutant(
        "ruling:I19",
        REPORT,
        "votes_confidence(votes.count, answers) if answers",
        "votes_confidence(votes.count, answers[1:]) if answers",
        ANSWERS,
    ),
    Mutant(
        "ruling:I17",
        PROTOCOL,
        "sampling_of(settings.stop, settings.most, settings.n)",
        'sampling_of("all", settings.most, settings.n)',
        FORMS,
    ),
    Mutant("ruling:I17", PROTOCOL, "calls=size + checks", "calls=size", FORMS),
)
