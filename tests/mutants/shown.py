"""Mutants of what members are shown by the setting `passages`, and of what a verdict then says (I20)."""

from tests.mutants.mutant import Mutant

VERDICTS = "methods/search/verdicts.py"
SINGLE, SPIRAL, COHERENCE, PRISM = (
    f"protocols/{name}/protocol.py" for name in ("single", "spiral", "coherence", "prism")
)
SECOND, SLOTS, ARMS = "protocols/coherence/second_member.py", "protocols/prism/slots.py", "evals/arms/protocols.py"
SAID, READ = ("methods/test_over_what_was_shown.py",), ("protocols/test_passages.py",)

MUTANTS = (
    Mutant("ruling:I20", VERDICTS, "caveats=(*verdict.caveats, *caveats)", "caveats=verdict.caveats", SAID),
    Mutant("ruling:I20", VERDICTS, "or not _abstains(verdict.answer or", "or _abstains(verdict.answer or", SAID),
    Mutant("ruling:I20", VERDICTS, "    if not caveats:\n", "    if False:\n", SAID),
    Mutant("ruling:I20", VERDICTS, "MOST_SENTENCES = 2", "MOST_SENTENCES = 1", SAID),
    Mutant("ruling:I20", VERDICTS, "MOST_SENTENCES = 2", "MOST_SENTENCES = 3", SAID),
    Mutant("ruling:I20", VERDICTS, "Status.COMPLETE, Status.FORCED, Status.PARTIAL)", "Status.COMPLETE,)", SAID),
    Mutant("ruling:I20", VERDICTS, "status=Status.PARTIAL, stop_reason", "stop_reason", SAID),
    Mutant("ruling:I20", VERDICTS, "await run(shown, deliberation", "await run(question, deliberation", READ),
    Mutant("ruling:I20", SINGLE, "@asked_over_what_is_shown\n", "", READ),
    Mutant("ruling:I20", SINGLE, "first_question(question, panel, settings.passages)", "question", READ),
    Mutant("ruling:I20", SPIRAL, "@asked_over_what_is_shown\n", "", READ),
    Mutant("ruling:I20", SPIRAL, "first_question(question, panel, settings.passages)", "question", READ),
    Mutant("ruling:I20", COHERENCE, "await _guided(question, shown, d", "await _guided(question, question, d", READ),
    Mutant("ruling:I20", COHERENCE, "await _guided(question, shown, d", "await _guided(shown, shown, d", READ),
    Mutant("ruling:I20", COHERENCE, "first_question(question, panel, settings.passages)", "question", READ),
    Mutant("ruling:I20", SECOND, "judge_messages(self.shown", "judge_messages(self.question", READ),
    Mutant("ruling:I20", PRISM, "Arc(question, shown, table_of", "Arc(question, question, table_of", READ),
    Mutant("ruling:I20", PRISM, "Arc(question, shown, table_of", "Arc(shown, shown, table_of", READ),
    Mutant("ruling:I20", PRISM, 'return "all" if settings.house == "none" else', "return", READ),
    Mutant("ruling:I20", PRISM, "first_question(question, panel, _passages(settings))", "question", READ),
    Mutant("ruling:I20", PRISM, "summary_messages(arc.shown", "summary_messages(arc.question", READ),
    Mutant("ruling:I20", SLOTS, "slot_messages(arc.shown", "slot_messages(arc.question", READ),
    Mutant("ruling:I20", "evals/schemas.py", "passages=self.passages,", "", READ),
    Mutant("ruling:I20", ARMS, "run=asked_over_what_is_shown(run)", "run=run", READ),
    Mutant("ruling:I20", ARMS, "first_question(question, panel, settings.passages)", "question", READ),
)
