"""Mutants of prism and its board: at least one for every clause of the paper, and for P1 to P13."""

from tests.mutants.mutant import Mutant

_HERE = "protocols/prism"
CLAIM, RULES, LAYERS, SCHEMAS = (
    (f"{_HERE}/test_{name}.py",) for name in ("prism", "prism_rules", "prism_layers", "prism_schemas")
)
BOARD, WEB = ("service/test_service_board.py",), ("web/test_web_board.py",)


def _of(clause: str, file: str, old: str, new: str, *tests: str) -> Mutant:
    path = file if "/" in file else f"{_HERE}/{file}"
    return Mutant(clause, f"{path}.py", old, new, tests)


PAPER = (
    _of(
        "prism:table",
        "layers",
        '_row(4, "Critique", "critique", {"critic": 2, "questioner": 1}, 2, 0.7)',
        '_row(4, "Critique", "critique", {"critic": 2, "questioner": 1}, 2, 0.6)',
        *LAYERS,
    ),
    _of("prism:table", "layers", '{"supporter": 2, "counter": 1}, 2', '{"supporter": 1, "counter": 2}, 2', *LAYERS),
    _of(
        "prism:sequence",
        "protocol",
        "for layer in arc.table.layers:\n        attempt",
        "for layer in sorted(arc.table.layers, key=lambda row: row.shape):\n        attempt",
        *CLAIM,
    ),
    _of("prism:layer-1", "prompts", "the assumptions it depends on, and what ", "and what ", *CLAIM),
    _of("prism:layer-1", "prompts", "for it to hold and what for it to fail", "for it to hold", *CLAIM),
    _of("prism:layer-2", "rules", 'return re.sub(r"-{2,}", "-", dashed)', "return dashed", *RULES),
    _of("prism:layer-2", "protocol", "return replace(arc, domain=domain or arc.domain)", "return arc", *CLAIM),
    _of("prism:layer-3", "prompts", "that there is against the claim", "that there is for the claim", *CLAIM),
    _of("prism:layer-3", "schemas", 'strength: Literal["strong", "moderate", "weak"]', "strength: str", *SCHEMAS),
    _of("prism:layer-4", "prompts", "Raise the questions that matter most", "Raise questions", *CLAIM),
    _of("prism:layer-4", "schemas", "    weaknesses: Points\n", "    weaknesses: Points = ()\n", *SCHEMAS),
    _of("prism:layer-5", "slots", 'if layer.shape == "defense":', 'if layer.shape == "critique":', *CLAIM),
    _of("prism:layer-5", "slots", "enumerate(questions(arc), 1)]", "enumerate((), 1)]", *CLAIM),
    _of("prism:layer-6", "prompts", "so far, evidence, critique and defence, and", "so far, and", *CLAIM),
    _of("prism:layer-6", "schemas", "    caveats: Points\n", "    caveats: Points = ()\n", *SCHEMAS),
    _of("prism:layer-7", "protocol", "    if arc.syntheses:\n", "    if not arc.syntheses:\n", *CLAIM),
    _of("prism:layer-7", "schemas", "    summary: Abstract\n    recommendation", "    recommendation", *SCHEMAS),
    _of(
        "prism:phases",
        "protocol",
        "_phase(arc, passage, WORK, layer.roles, deliberation",
        "_phase(arc, passage, WORK, layer.roles[:1], deliberation",
        *CLAIM,
    ),
    _of("prism:gate", "rules", "average(confidences) >= exact", "average(confidences) > exact", *RULES),
    _of(
        "prism:gate",
        "protocol",
        "            if passage.flag is None:\n                break\n",
        "            break\n",
        *CLAIM,
    ),
    _of(
        "prism:slot-statuses",
        "board",
        "status=row.state,",
        'status="done" if row.reply else "open",',
        *BOARD,
    ),
    _of("prism:one-slot", "slots", "        group=name,\n", '        group=f"{name}/{type_}",\n', *BOARD),
    _of("prism:one-slot", "store/steps", "step=other.step)", 'step="")', *WEB),
    _of("prism:scale", "prompts", "0.7 uncertain, with significant caveats", "0.7 certain, with caveats", *CLAIM),
    _of("prism:scale", "schemas", "strict=True, ge=0, le=1, allow", "strict=True, ge=0, le=2, allow", *SCHEMAS),
    _of(
        "prism:effects",
        "protocol",
        "return flagged(arc.with_passage(passage))",
        "return flagged(await _effect(arc.with_passage(passage), deliberation, settings))",
        *CLAIM,
    ),
    _of(
        "prism:effects",
        "protocol",
        "arc = await _effect(arc.with_passage(passage), deliberation, settings)",
        "arc = arc.with_passage(passage)",
        *CLAIM,
    ),
    _of("prism:names", "board", '"claimPipelineState": plain', '"pipelineState": plain', *BOARD),
    _of("prism:states", "report", "Status.COMPLETE if whole", "Status.CLOSED if whole", *CLAIM),
    _of(
        "prism:states",
        "board",
        'PipelineState(last.layer, REVIEW, "flagged")',
        'PipelineState(last.layer, REVIEW, "active")',
        *CLAIM,
    ),
    _of("prism:seeding", "schemas", 'default="prism-v1", description', 'default="prism-v1-solo", description', *BOARD),
    _of(
        "prism:engine",
        "service/board",
        "            await self._service.resume_if_due(deliberation, on_progress=on_progress)\n",
        "            pass\n",
        *BOARD,
    ),
)

RULINGS = (
    _of("ruling:P1", "slots", '(f".{seating}" if seating > 1 else "")', '""', *CLAIM),
    _of("ruling:P1", "report", "if len(agents) > len(models):", "if len(agents) < len(models):", *CLAIM),
    _of("ruling:P2", "service/board", "LEASE = 300.0\n", "LEASE = 3000.0\n", *BOARD),
    _of("ruling:P2", "store/steps", "        if not late:\n", "        if late:\n", *BOARD),
    _of(
        "ruling:P3",
        "rules",
        "return average(confidences) >= exact(threshold)",
        "return sum(confidences) / len(confidences) >= threshold",
        *RULES,
    ),
    _of("ruling:P3", "schemas", "Field(strict=True, ge=0, le=1, allow", "Field(ge=0, le=1, allow", *SCHEMAS),
    _of(
        "ruling:P3",
        "protocol",
        'reasons = passage.layer, [f"nobody filled {missing.step}" for missing in passage.unfilled]',
        'reasons = passage.layer, [f"{missing.step}" for missing in passage.unfilled]',
        *CLAIM,
    ),
    _of("ruling:P4", "rules", "return -len(votes), -summed,", "return -summed, -len(votes),", *RULES),
    _of("ruling:P4", "rules", 'if slug.strip("-"):', "if slug:", *RULES),
    _of(
        "ruling:P4",
        "protocol",
        "passage.outputs(ClassificationOutput)",
        "passage.outputs(ClassificationOutput, consensus_only=True)",
        *CLAIM,
    ),
    _of("ruling:P5", "claim_progress", 'passage.review.decision.decision == "redo"', "False", *CLAIM),
    _of("ruling:P5", "protocol", 'passage.review.decision.decision == "close"', "False", *CLAIM),
    _of(
        "ruling:P5",
        "web/api/board",
        "clearing: Clearing, serving: Here, caller: ReviewerCaller",
        "clearing: Clearing, serving: Here, caller: AnyCaller",
        *WEB,
    ),
    _of("ruling:P5", "board", 'cleared["decision"] == "advance"', 'cleared["decision"] == "redo"', *CLAIM),
    _of(
        "ruling:P6",
        "rules",
        '"needs-more-evidence", "reject", "accept-with',
        '"reject", "needs-more-evidence", "accept-with',
        *RULES,
    ),
    _of("ruling:P6", "report", "if chosen and output.recommendation != chosen", "if not chosen", *CLAIM),
    _of(
        "ruling:P7",
        "layers",
        '_row(3, "Evidence", "evidence", {"supporter": 1}, 1, 0.5)',
        '_row(3, "Evidence", "evidence", {"supporter": 1}, 1, 0.7)',
        *LAYERS,
    ),
    _of(
        "ruling:P8",
        "board",
        "if _phase(slot) in unfinished else slot",
        "if not unfinished else slot",
        *BOARD,
    ),
    _of("ruling:P8", "claim_progress", '            "role": label,\n', '            "role": slot.agent,\n', *CLAIM),
    _of("ruling:P9", "rules", '"context": context, "agent"', '"context": {}, "agent"', *RULES),
    _of(
        "ruling:P9",
        "report",
        "return [*slots, passage.review.slot] if passage.review else slots",
        "return slots",
        *CLAIM,
    ),
    _of(
        "ruling:P9",
        "board",
        '    return made != (consensus["recommendation"]',
        '    return False and made != (consensus["recommendation"]',
        *CLAIM,
    ),
    _of("ruling:P9", "web/api/board", "caller), seal))", "caller)))", *WEB),
    _of("ruling:P10", "rules", "2 * against >= len(verdicts)", "2 * against > len(verdicts)", *RULES),
    _of(
        "ruling:P10",
        "protocol",
        "passage.outputs(DeliberationOutput, consensus_only=True)",
        "passage.outputs(DeliberationOutput)",
        *CLAIM,
    ),
    _of(
        "ruling:P11",
        "web/boarding",
        "and not await serving.board.may_work_on(claim, caller.name):",
        "and False:",
        *WEB,
    ),
    _of(
        "ruling:P11",
        "service/board",
        "bool(await self.held(agent, claim) or await self.next_slot(agent, claim=claim))",
        "bool(await self.next_slot(agent, claim=claim))",
        *WEB,
    ),
    _of(
        "ruling:P11",
        "service/board",
        "bool(await self.held(agent, claim) or await self.next_slot(agent, claim=claim))",
        "bool(await self.held(agent, claim))",
        *WEB,
    ),
    _of("ruling:P11", "web/api/bodies/board", "text=document.text[start:end]", "text=document.text[:end]", *WEB),
    _of("ruling:P12", "service/board", "if reviewer in agents and others:", "if False:", *BOARD, *WEB),
    _of(
        "ruling:P12", "service/board", "for name in reviewers if name not in agents]", "for name in reviewers]", *BOARD
    ),
    _of("ruling:P12", "service/board", 'for name in ("layer", "attempt")}', 'for name in ("layer",)}', *WEB),
    _of("ruling:P12", "web/boarding", "if key.revoked is None and {REVIEWER, ADMIN}", "if {REVIEWER, ADMIN}", *WEB),
    _of("ruling:P12", "claim_progress", "self.review.reviewer in {slot.agent for slot in self.slots}", "False", *CLAIM),
    _of(
        "ruling:P13",
        "protocol",
        "return flagged(arc.with_passage(passage))",
        "return flagged(await _effect(arc.with_passage(passage), deliberation, settings))",
        *CLAIM,
    ),
    _of("ruling:P13", "protocol", "for output in agreeing if arc.question.form]", "for output in agreeing]", *CLAIM),
    _of("ruling:P13", "report", "    if arc.syntheses and not arc.consensus:\n", "    if False:\n", *CLAIM),
)

MUTANTS = (*PAPER, *RULINGS)
