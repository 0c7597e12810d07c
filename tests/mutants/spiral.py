"""Mutants of the spiral: at least two for every clause that has code (5.1, 5.2; S1 to S15; step 0: `axioms`)."""

from tests.mutants.mutant import Mutant

_HERE = "protocols/spiral"
CODA, DRAFTING, JUDGING, MEASURES, SELF, SPIRAL, STRETTO, STRUCTURES, GRAPH = (
    (f"{_HERE}/test_{name}.py",)
    for name in (
        "coda",
        "drafting",
        "judging",
        "measures",
        "self_reference",
        "spiral",
        "stretto",
        "structures",
        "spiral_graph",
    )
)


def _of(clause: str, file: str, old: str, new: str, *tests: str) -> Mutant:
    return Mutant(clause, f"{_HERE}/{file}.py", old, new, tests)


MUTANTS = (
    # Step 0: the flag must have an effect, and the structure must follow from the task.
    _of("spiral:5.1.0", "gathering", "return run.start.self_reference or ", "return ", *SELF),
    _of("spiral:5.1.0", "structure/structures", '"creation": "concert"', '"creation": "fugue"', *STRUCTURES),
    # Step 1: conclave, and the measures at the start.
    _of(
        "spiral:5.1.1",
        "protocol",
        '"exposition", messages, PositionReply)',
        '"exposition", messages * int(member.name[1:]), PositionReply)',
        *SPIRAL,
    ),
    _of(
        "spiral:5.1.1",
        "agreement/measures",
        "divergence = rounded(1 - _mean([pair.similarity for pair in pairs]))",
        "divergence = 0.0",
        *MEASURES,
    ),
    # Step 2.
    _of(
        "spiral:5.1.2",
        "protocol",
        "if stand.measured.is_consensus or",
        "if (loop and stand.measured.is_consensus) or",
        *SPIRAL,
    ),
    _of("spiral:5.1.2", "protocol", "if stand.measured.is_consensus or", "if stand.measured.is_agreed or", *DRAFTING),
    # Step 3.
    _of(
        "spiral:5.1.3", "gathering", "known = at_level(run.axioms, level)", "known = at_level(run.axioms, 1)", *STRETTO
    ),
    _of("spiral:5.1.3", "evidence", "ORACLE_LEVEL = 4", "ORACLE_LEVEL = 3", *SPIRAL, *STRETTO),
    _of("spiral:5.1.3", "agreement/measures", "initial / PHI**loop", "initial / PHI", *MEASURES),
    _of("spiral:5.1.3", "revising", "        positions[seat] = moved\n", "        pass\n", *SPIRAL),
    _of("spiral:5.1.3", "gathering", "if one not in elsewhere]", "]", *STRETTO),
    _of("spiral:5.1.3.self", "gathering", "return run.start.self_reference or ", "return ", *SELF),
    _of(
        "spiral:5.1.3.self",
        "record/verdicts",
        "barred = refuted | {item.seat for item in denials}",
        "barred = refuted",
        *SELF,
    ),
    _of("spiral:5.1.3.self", "axioms/registry", "frozenset({5, 6, 7})", "frozenset({6, 7})", *SELF),
    _of("spiral:5.1.3.self", "gathering", "(seats.index(author) + 1) % len(seats)", "seats.index(author)", *SELF),
    _of(
        "spiral:5.1.3.self",
        "prompts",
        "*_brought([evidence], evidence.denials, own.seat)",
        "*_brought([evidence], (), own.seat)",
        *SELF,
    ),
    # Step 4.
    _of(
        "spiral:5.1.4", "revising", "                run.gathered,\n", "                run.gathered[-1:],\n", *STRETTO
    ),
    _of(
        "spiral:5.1.4",
        "prompts",
        "        _open_points(open_),\n        *_brought(gathered, denials, own.seat),",
        "        *_brought(gathered, denials, own.seat),",
        *STRETTO,
    ),
    _of("spiral:5.1.4", "agreement/measures", "STRETTO_FROM = 5", "STRETTO_FROM = 6", *SPIRAL, *STRETTO),
    _of("spiral:5.1.4", "revising", "for seat in parties(open_, positions)", "for seat in positions", *STRETTO),
    _of(
        "spiral:5.1.4",
        "prompts",
        "answer that you and the others could hold together",
        "answer that is yours",
        *STRETTO,
    ),
    # Step 5.
    _of("spiral:5.1.5", "agreement/measures", "LOOPS = 7", "LOOPS = 6", *SPIRAL, *STRETTO),
    _of("spiral:5.1.5", "protocol", "or loop == LOOPS:", "or loop == LOOPS - 1:", *SPIRAL, *STRETTO),
    # Step 6.
    _of("spiral:5.1.6", "record/coda", '"common" if set(held.held_by) == everybody else "nuances"', '"common"', *CODA),
    _of("spiral:5.1.6", "record/coda", 'part = "caveats" if is_caveat else', "part =", *CODA),
    _of(
        "spiral:5.1.6",
        "record/verdicts",
        "Confidence(stand.measured.harmony,",
        "Confidence(course.history[0].harmony,",
        *STRETTO,
    ),
    # 5.2.
    _of("spiral:5.2", "agreement/measures", "self.harmony > LEAST_HARMONY", "self.harmony >= LEAST_HARMONY", *MEASURES),
    _of(
        "spiral:5.2",
        "agreement/measures",
        "all(pair.agreement > LEAST_AGREEMENT",
        "all(pair.agreement >= LEAST_AGREEMENT",
        *MEASURES,
    ),
    _of(
        "spiral:5.2",
        "agreement/measures",
        "self.scheduled_divergence < MOST_DIVERGENCE",
        "self.scheduled_divergence <= MOST_DIVERGENCE",
        *MEASURES,
    ),
    _of(
        "spiral:5.2.forced",
        "record/verdicts",
        "max(self.history, key=lambda item: item.harmony)",
        "self.history[-1]",
        *STRETTO,
    ),
    _of(
        "spiral:5.2.forced",
        "record/verdicts",
        "            for item in course.gathered\n            for near in",
        "            for item in course.gathered[:0]\n            for near in",
        *STRETTO,
    ),
    _of("spiral:5.2.forced", "record/verdicts", "    yield from caveat_lines(found)\n", "", *STRETTO),
    # Rulings.
    _of("ruling:S1", "agreement/measures", "similarity: float = 0.30", "similarity: float = 0.40", *MEASURES),
    _of("ruling:S1", "agreement/measures", "(ENTAILS[forward] + ENTAILS[backward]) / 2", "ENTAILS[forward]", *MEASURES),
    _of(
        "ruling:S1",
        "agreement/judging",
        "[seat for seat in seats if seat not in pair] or list(pair)",
        "list(seats)",
        *JUDGING,
    ),
    _of("ruling:S1", "agreement/judging", 'ATTEMPTS = ("", "/again")', 'ATTEMPTS = ("",)', *JUDGING),
    _of(
        "ruling:S1",
        "record/verdicts",
        '    if stand.unjudged:\n        return f"though nobody',
        '    if False:\n        return f"though nobody',
        *JUDGING,
    ),
    _of("ruling:S1", "agreement/measures", "return is_judged and is_close", "return is_close", *JUDGING),
    _of(
        "ruling:S1", "record/verdicts", "    for pair in stand.judged_by_a_party:\n", "    for pair in ():\n", *JUDGING
    ),
    _of("ruling:S2", "agreement/measures", "return rounded(initial / PHI**loop)", "return initial", *MEASURES),
    _of(
        "ruling:S2",
        "record/verdicts",
        '"measured_divergence": last.measured_divergence',
        '"measured_divergence": last.scheduled_divergence',
        *SPIRAL,
    ),
    _of(
        "ruling:S3",
        "protocol",
        '        await run.deliberation.note("stretto", note)\n    return after',
        '        await run.deliberation.note("stretto", note)\n    return stand',
        *SPIRAL,
        *STRETTO,
    ),
    _of("ruling:S3", "protocol", "or loop == LOOPS:", "or loop == LOOPS - 1:", *SPIRAL),
    _of("ruling:S4", "agreement/measures", "STRETTO_FROM = 5", "STRETTO_FROM = 4", *SPIRAL, *STRETTO),
    _of("ruling:S4", "protocol", "if loop >= STRETTO_FROM and", "if loop == STRETTO_FROM and", *STRETTO),
    _of("ruling:S5", "protocol", "if not open_ or evidence.is_empty:", "if not open_:", *SPIRAL),
    _of("ruling:S5", "axioms/retrieval", "if found.similarity >= floor]", "]", *SPIRAL),
    _of("ruling:S6", "turn_orders", "Turn((seat,), tuple(parties[:place]))", "Turn((seat,), ())", *STRUCTURES),
    _of("ruling:S6", "turn_orders", "Turn(tuple(theirs), tuple(ours)), joined]", "joined]", *STRUCTURES),
    _of(
        "ruling:S7", "gathering", "return (*computed(stand.positions, run.further), *put)", "return tuple(put)", *SPIRAL
    ),
    _of(
        "ruling:S7",
        "gathering",
        "return (*computed(stand.positions, run.further), *put)",
        "return computed(stand.positions, run.further)",
        *SPIRAL,
    ),
    _of(
        "ruling:S7",
        "record/verdicts",
        '        return "on something that a computation refutes"\n',
        "        pass\n",
        *DRAFTING,
    ),
    _of(
        "ruling:S8",
        "positions",
        "opposed += [(one.claims[a], other.claims[b]) for a, b in standing.contradicting]",
        "pass",
        *SPIRAL,
    ),
    _of("ruling:S8", "record/coda", "in self.apart for a in", "in () for a in", *CODA),
    _of("ruling:S8", "agreement/judging", '"by": judgement.standing.answers_by', '"by": judgement.judge', *JUDGING),
    _of(
        "ruling:S10", "protocol", "return not (run.has_played or", "return False and not (run.has_played or", *DRAFTING
    ),
    _of("ruling:S10", "protocol", "    run.has_played = True\n", "", *DRAFTING),
    _of(
        "ruling:S10",
        "record/verdicts",
        "if 3 * len(accepted) < 2 * len(panel):",
        "if 3 * len(accepted) < 2 * len(stand.positions):",
        *DRAFTING,
    ),
    _of("ruling:S10", "record/verdicts", "if set(accepted) <= set(draft.held_before):", "if False:", *DRAFTING),
    _of("ruling:S10", "revising", "        if reply.accepts:\n", "        if reply.why:\n", *DRAFTING),
    _of(
        "ruling:S10",
        "record/verdicts",
        "agreed = agreed_since(course.history) or 0",
        "agreed = course.loops",
        *DRAFTING,
    ),
    _of(
        "ruling:S11",
        "agreement/measures",
        "return rounded(shared / union) if union else None",
        "return rounded(shared / union) if union else 1.0",
        *MEASURES,
    ),
    _of("ruling:S11", "agreement/measures", "if value is not None]", "if value]", *MEASURES),
    _of(
        "ruling:S13",
        "record/graph",
        "if one != other and against.claim in item.contradicts",
        "if one != other and set(item.against) & set(against.held_by)",
        *GRAPH,
    ),
    _of("ruling:S13", "record/coda", "tuple(_words(positions, other) for other in others)", "()", *GRAPH),
    _of("ruling:S14", "gathering", "if run.examined.get(position.seat) == position.stated:", "if False:", *SELF),
    _of("ruling:S14", "gathering", "    if axiom is None:\n", "    if axiom is None and not shown:\n", *SELF),
    _of("ruling:S14", "gathering", "(seats.index(author) + 1) % len(seats)", "seats.index(author)", *SELF),
    _of("ruling:S14", "evidence", "if positions[item.seat].loop < evidence.loop", "if True", *SELF),
    _of("ruling:S15", "record/coda", 'yield f"refuted by a computation: ', 'yield f"disputed: ', *CODA),
    _of(
        "ruling:S15",
        "evidence",
        'return f"{came_to} (read as {finding.reading})" if finding.reading else came_to',
        "return came_to",
        *CODA,
    ),
    _of("ruling:S15", "record/verdicts", '\\n".join(coda_lines(found))', '\\n".join(caveat_lines(found))', *CODA),
    Mutant(
        "ruling:S15",
        "views/markdown.py",
        "    for name, text in coda_rows(verdict):\n",
        "    for name, text in ():\n",
        CODA,
    ),
    Mutant("ruling:S15", "views/page.py", "        rows += coda_rows(verdict)\n", "", CODA),
    Mutant(
        "ruling:S15",
        "cli/terminal/results.py",
        "for name, text in coda_rows(verdict) if verdict else ():",
        "for name, text in ():",
        ("cli/test_cli_spiral.py",),
    ),
)
