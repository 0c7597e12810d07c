"""Mutants of citing, equations and covering: at least two for each rule (I10, I12, I18)."""

from tests.mutants.mutant import Mutant

COVERING, EQUATIONS, RECOMPUTING = "methods/sameness/covering.py", "methods/equations.py", "methods/recomputing.py"
CLAUSES, CONCLUDING, ORIGINS, PLANS, PROGRAMMING, REASONING, REPLIES, SEARCHING, SUMS = (
    f"methods/citing/{name}.py"
    for name in (
        "clauses",
        "concluding",
        "origins",
        "plans",
        "programming",
        "reasoning",
        "replies",
        "searching",
        "sums",
    )
)

WRITTEN = ("methods/test_citing.py", "methods/test_citing_corpus.py")
PLANNED = ("methods/test_plans.py",)
BOUNDED = ("methods/test_citing_bounds.py",)
CUT_OUT = ("methods/test_equations.py",)
CHECKED = ("methods/test_recomputing.py",)

MUTANTS = (
    # What covers a sentence.
    Mutant("ruling:I12", COVERING, "return index.going_on[after] and (", "return True and (", WRITTEN),
    Mutant("ruling:I12", COVERING, "(not named or bool(index.names[place] & named))", "True", WRITTEN),
    Mutant("ruling:I12", COVERING, "title if goes_on else", "title if title else", WRITTEN),
    Mutant("ruling:I12", COVERING, 'plain = _CLOCK.sub(r" \\1 ", text)', "plain = text", WRITTEN),
    Mutant("ruling:I12", COVERING, "if _is_of_one_thing(claim, rarity) and", "if False and", WRITTEN),
    Mutant("ruling:I12", SEARCHING, "all(cover.holds for cover in covers)", "True", WRITTEN),
    Mutant("ruling:I12", SEARCHING, "if len(parts) > 1 and", "if False and", WRITTEN),
    Mutant("ruling:I12", CLAUSES, "parts.append(_with(subject, part))", "parts.append(part)", WRITTEN),
    Mutant("ruling:I12", CLAUSES, "before[-1] if _OF_THE_LAST.fullmatch(joint) else subject", "subject", WRITTEN),
    Mutant("ruling:I12", SEARCHING, "if cover.holds or not is_restated(part)", "", WRITTEN),
    Mutant("ruling:I12", SEARCHING, "if cover.holds or not is_restated(part)", "if not is_restated(part)", WRITTEN),
    Mutant("ruling:I12", REASONING, " or is_plan(said.bare)", "", PLANNED),
    Mutant("ruling:I12", PLANS, r"(?!\s+that\b)", "", PLANNED),
    Mutant("ruling:I12", PLANS, r"{_DOING}\s+{_OBJECT}\b|", "", PLANNED),
    Mutant("ruling:I12", REPLIES, "_CITED.match(bare, mark.end() if mark else 0)", "_CITED.match(bare)", PLANNED),
    Mutant("ruling:I12", ORIGINS, 'if item.kind != "item":', "if True:", WRITTEN),
    Mutant("ruling:I12", ORIGINS, 'yield None, ""', "pass", WRITTEN),
    Mutant("ruling:I12", "methods/sentences.py", "if taken[name] > 1 else name", "if False else name", WRITTEN),
    Mutant("ruling:I12", ORIGINS, "(_supposed(item.said),)", "(item.said,)", WRITTEN),
    Mutant("ruling:I12", REPLIES, '_POINTING.sub("", bare)', "bare", WRITTEN),
    Mutant("ruling:I12", REPLIES, "whole = before_answer(text)", "whole = text", WRITTEN),
    Mutant("ruling:I12", REPLIES, "distinct[:MOST_SENTENCES]", "distinct", BOUNDED),
    # What is no premise, and what is a line.
    Mutant("ruling:I12", REASONING, "if is_restated(said.bare, answer, origins.question):", "if False:", WRITTEN),
    Mutant("ruling:I12", CONCLUDING, "and own <= words and", "and", WRITTEN),
    Mutant("ruling:I12", CONCLUDING, "return words - content_words(question) or words", "return words", WRITTEN),
    Mutant("ruling:I12", REASONING, "is_judgement(answer)", "False", WRITTEN),
    Mutant(
        "ruling:I12",
        REASONING,
        "any_has_answer(results.draft.grounds, answer",
        "any_has_answer(['x8 x9'], answer",
        WRITTEN,
    ),
    Mutant("ruling:I12", "methods/citing/draft.py", "        if not no_line:\n", "        if True:\n", WRITTEN),
    Mutant("ruling:I12", "methods/citing/draft.py", 'group = f"{conclusion}/1"', "group = None", WRITTEN),
    # Numbers of sentences.
    Mutant("ruling:I10", REASONING, "if cites and grounds.origins:", "if False:", WRITTEN),
    Mutant(
        "ruling:I10",
        REASONING,
        "if cites and (grounds := grounds_within",
        "if False and (grounds := grounds_within",
        WRITTEN,
    ),
    Mutant(
        "ruling:I10", REASONING, "        if not 0 < number <= len(origins.searched):\n", "        if False:\n", WRITTEN
    ),
    Mutant("ruling:I10", REPLIES, "in_round = bool(texts) and all(", "in_round = bool(texts) and any(", WRITTEN),
    Mutant("ruling:I10", REPLIES, 'return f"{end[2]}{end[1]}"', "return end[0]", WRITTEN),
    # What is computed.
    Mutant(
        "ruling:I18",
        EQUATIONS,
        "_is_expression(side) and not _is_touched(side, sentence)",
        "_is_expression(side)",
        CUT_OUT,
    ),
    Mutant(
        "ruling:I18", EQUATIONS, "return bool(side) and not depth and not wants_operand", "return bool(side)", CUT_OUT
    ),
    Mutant("ruling:I18", EQUATIONS, "or all(len(sides[place]) == 1 for place in chosen)", "", CUT_OUT),
    Mutant("ruling:I18", EQUATIONS, "for side in reversed(self.sides)", "for side in self.sides", CUT_OUT),
    Mutant("ruling:I18", RECOMPUTING, "if _DENIED.search(clause) or", "if", CHECKED),
    Mutant("ruling:I18", RECOMPUTING, "_GOES_ON.match(after) or", "", CHECKED),
    Mutant("ruling:I18", RECOMPUTING, "or _LED_BY.search(before)", "", CHECKED),
    Mutant("ruling:I18", RECOMPUTING, "(_NOT_ASSERTED.search(sentence) or", "(", CHECKED),
    Mutant("ruling:I18", RECOMPUTING, "or _may_be_otherwise(sentence, equation)", "", CHECKED),
    Mutant("ruling:I18", RECOMPUTING, "    if _DASH.search(written):\n", "    if False:\n", CHECKED),
    Mutant("ruling:I18", RECOMPUTING, "    if _NOT_CLAIMED.search(sentence):\n", "    if False:\n", CHECKED),
    Mutant("ruling:I18", SUMS, 'if item.verdict == "false"]', 'if item.verdict != "true"]', WRITTEN),
    Mutant("ruling:I18", SUMS, "if foreign := self._foreign_name(claim):", 'if foreign := "":', WRITTEN),
    Mutant("ruling:I18", SUMS, "            if is_covered:\n", "            if True:\n", WRITTEN),
    Mutant("ruling:I18", SUMS, "            if number in self.steps:\n", "            if False:\n", WRITTEN),
    Mutant("ruling:I18", SUMS, "return len(own) == 1 and own <= self.from_covered", "return False", WRITTEN),
    Mutant("ruling:I18", ORIGINS, "for origin in (*asked, *told):", "for origin in told:", WRITTEN),
    Mutant("ruling:I18", ORIGINS, '"half": ("2", "0.5"),', "", WRITTEN),
    Mutant("ruling:I18", REASONING, "    if last:\n", "    if False:\n", WRITTEN),
    Mutant("ruling:I18", PROGRAMMING, "    if program.problem:\n", "    if False:\n", WRITTEN),
    Mutant("ruling:I18", PROGRAMMING, "(answers or program.steps)[-1]", "program.steps[-1]", WRITTEN),
)
