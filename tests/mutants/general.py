"""Mutants of the general rulings: who was asked, what was answered, what is known of its cost."""

from tests.mutants.mutant import Mutant

AUTHORITY, DOOR, STEPS = "runtime/authority.py", "runtime/door.py", "runtime/steps.py"
REFUSALS, BUDGET, RECORD, WORDS = "runtime/refusals.py", "core/budget.py", "core/record.py", "views/words.py"
COUNTING, REPORT = "methods/runs/counting.py", "protocols/interrogation/report.py"
CLI = "cli/session.py"

SHOWN = ("scenes/test_scenes.py", "runtime/test_authority.py")
SUMS = ("core/test_record.py", "views/test_words.py")

MUTANTS = (
    Mutant("ruling:G8", AUTHORITY, "< quorum * (verdict.asked or 0)", "<= quorum * (verdict.asked or 0)", SHOWN),
    Mutant("ruling:G8", AUTHORITY, "answered=sum(heard.values())", "answered=len(heard)", SHOWN),
    Mutant("ruling:G8", AUTHORITY, "asked=len(heard)", "asked=sum(heard.values())", SHOWN),
    Mutant("ruling:G8", AUTHORITY, 'f"{verdict.answered} of {verdict.asked} {verdict.counted} answered; ', 'f"', SHOWN),
    Mutant("ruling:G8", AUTHORITY, "is Status.COMPLETE and", "is not Status.FAILED and", SHOWN),
    Mutant(
        "ruling:G8",
        DOOR,
        "= any(step.reply is not None for step in replies)",
        "= True",
        SHOWN,
    ),
    Mutant("ruling:G8", STEPS, "if text := refusal_in(reply):", 'if text := "":', SHOWN),
    Mutant("ruling:G8", STEPS, "if more and is_refusal(more[-1].text):", "if False:", SHOWN),
    Mutant("ruling:G8", REFUSALS, "(?! but\\b)", "", ("runtime/test_refusals.py",)),
    Mutant("ruling:G8", REFUSALS, "LONGEST = 60", "LONGEST = 600", ("runtime/test_refusals.py",)),
    Mutant("ruling:G8", REFUSALS, "_REFUSAL.match(", "_REFUSAL.search(", ("runtime/test_refusals.py",)),
    Mutant("ruling:G8", COUNTING, "2 * item.votes > asked", "2 * item.votes >= asked", SHOWN),
    Mutant("ruling:G8", REPORT, "answered=len(votes.count.usable)", "answered=len(votes.count.runs)", SHOWN),
    Mutant("ruling:G9", AUTHORITY, "and verdict.status in CLAIMS_AN_ANSWER", "and False", SHOWN),
    Mutant("ruling:G9", AUTHORITY, '(verdict.answer or "").strip()', "(verdict.answer is not None)", SHOWN),
    Mutant("ruling:G9", AUTHORITY, "Status.FAILED)", "Status.FAILED, Status.FLAGGED)", SHOWN),
    Mutant(
        "ruling:G9",
        AUTHORITY,
        'return f"{causes[0].cause}; {verdict.stop_reason}"',
        "return verdict.stop_reason",
        SHOWN,
    ),
    Mutant("ruling:G9", AUTHORITY, " or causes[0].cause in verdict.stop_reason", "", SHOWN),
    Mutant("ruling:G9", "core/absence.py", "-absence.count", "absence.count", SHOWN),
    Mutant("ruling:G9", CLI, "FAILURE if has_none else DEGRADED", "DEGRADED", SHOWN),
    Mutant("ruling:G10", BUDGET, "usd=None if 0 < calls == unknown.usd", "usd=None if unknown.usd", SUMS),
    Mutant("ruling:G10", BUDGET, "usd=None if 0 < calls == unknown.usd", "usd=None if False", SUMS),
    Mutant(
        "ruling:G10",
        BUDGET,
        "        calls, unknown = self.calls + other.calls, self.unknown + other.unknown",
        "        calls, unknown = self.calls + other.calls, self.unknown",
        SUMS,
    ),
    Mutant("ruling:G10", RECORD, "(tries if part is None else 0", "(1 if part is None else 0", SUMS),
    Mutant("ruling:G10", WORDS, """(f" and {counted(unknown, 'call')} unknown" if unknown else "")""", '""', SUMS),
)
