"""Mutants of sampling, programs and the vote: at least two for each ruling (I9, I13, I16 to I19; G8)."""

from tests.mutants.mutant import Mutant

SAMPLING, PROGRAMS, RECOMPUTING, VOTES = (
    f"methods/{name}.py" for name in ("sampling", "programs", "recomputing", "votes")
)
PROTOCOL, REPORT = (f"protocols/vote/{name}.py" for name in ("protocol", "report"))
FORMS, PROMPTS, READING, RUN, COUNTING, DRAWING, TELLING = (
    f"methods/runs/{name}.py" for name in ("forms", "prompts", "reading", "run", "counting", "drawing", "telling")
)
SEATING = "methods/runs/seating.py"
SHOWING = "methods/search/showing.py"

DRAWN, WORKED, CHECKED, READ = (
    (f"methods/test_{name}.py",) for name in ("sampling", "programs", "recomputing", "votes")
)
VOTED = ("protocols/test_vote.py",)
SHOWN = ("scenes/test_scenes.py",)
ARMS = ("evals/test_arms.py",)

MUTANTS = (
    # Which form, and why.
    Mutant("ruling:I9", VOTES, '"number" in question.form.casefold()', "True", READ),
    Mutant("ruling:I9", VOTES, "how (?:many|much|old)", "how (?:many|old)", READ),
    Mutant("ruling:I9", FORMS, 'if wanted == "both" or asked.is_number else None', "if False else None", VOTED),
    Mutant("ruling:I9", FORMS, 'return "numbered" if question.documents else None', "return None", VOTED),
    Mutant("ruling:I9", PROTOCOL, '"by": asked.by', '"by": ""', VOTED),
    # How it is asked.
    Mutant(
        "ruling:I13",
        PROMPTS,
        'FROM_DOCUMENTS.format(documents=documents)), Message("user", f"{ask}\\n\\n{how}"',
        'FROM_DOCUMENTS.format(documents=documents)), Message("user", f"{how}\\n\\n{ask}"',
        VOTED,
    ),
    Mutant("ruling:G12", VOTES, "-spellings[strict_form(answer)], len(answer)", "0,", READ),
    Mutant(
        "ruling:G12", VOTES, "-spellings[strict_form(answer)], len(answer)", "-spellings[strict_form(answer)],", READ
    ),
    Mutant("ruling:I13", PROMPTS, "if not question.documents:", "if False:", VOTED),
    Mutant("ruling:I13", PROMPTS, "{UNSETTLED if question.documents else ''}", "", VOTED),
    Mutant("ruling:I13", READING, "answer = abstention(answer, question) or answer", "pass", VOTED),
    Mutant("ruling:I13", READING, "if not program.steps and (abstained", "if False and (abstained", VOTED),
    Mutant("ruling:G4", PROMPTS, "fenced_documents(shown.over(", "str((", VOTED),
    # Ties.
    Mutant("ruling:I16", COUNTING, "if first and item.votes == first[0].votes)", ")[:1]", VOTED),
    Mutant("ruling:I16", REPORT, "if len(count.winners) != 1 or", "if not count.winners or", VOTED),
    Mutant("ruling:I16", "evals/arms/table.py", "if verdict and not tied else None", "if verdict else None", ARMS),
    # When to stop.
    Mutant("ruling:I17", SAMPLING, "Fraction(95, 100)", "Fraction(98, 100)", DRAWN),
    Mutant("ruling:I17", SAMPLING, "Fraction(95, 100)", "Fraction(93, 100)", DRAWN),
    Mutant("ruling:I17", SAMPLING, "drawn = leader + second + 1", "drawn = leader + second", DRAWN),
    Mutant("ruling:I17", SAMPLING, "WAVE = 4", "WAVE = 2", DRAWN),
    Mutant("ruling:I17", SAMPLING, "MOST = 8", "MOST = 12", DRAWN),
    Mutant("ruling:I17", SAMPLING, 'Sampling("all", n) if n else', "", DRAWN),
    Mutant("ruling:I17", SAMPLING, "min(size, calls_left)", "size", DRAWN),
    Mutant("ruling:I17", SAMPLING, "max(1, affordable)", "affordable", DRAWN),
    Mutant("ruling:I17", SAMPLING, "tally.firm > tally.answered", "tally.firm >= tally.answered", DRAWN),
    Mutant("ruling:I17", SAMPLING, "in IN_ONE_SPELLING for", "for", DRAWN),
    Mutant("ruling:I17", SAMPLING, "tally.answered - tally.firm + sampling.most", "sampling.most", DRAWN),
    Mutant("ruling:I17", SAMPLING, 'f"stopped {after}" if', 'f"ended {after}" if', DRAWN),
    Mutant("ruling:I17", REPORT, "return Status.EXHAUSTED", "return Status.COMPLETE", VOTED),
    Mutant(
        "ruling:I17",
        PROTOCOL,
        "sampling_of(settings.stop, settings.most, settings.n)",
        'sampling_of("all", settings.most, settings.n)',
        VOTED,
    ),
    # What is computed.
    Mutant("ruling:I18", PROGRAMS, "if statement := _STATEMENT.match(line):", "if statement := None:", WORKED),
    Mutant("ruling:I18", PROGRAMS, "    if not operand:\n", "    if False:\n", WORKED),
    Mutant("ruling:I18", PROGRAMS, "if not base and exponent < 0:", "if False:", WORKED),
    Mutant("ruling:I18", PROGRAMS, "or abs(exponent) > MOST_EXPONENT", "", WORKED),
    Mutant("ruling:I18", PROGRAMS, "or value.denominator >= _LIMIT", "", WORKED),
    Mutant("ruling:I18", PROGRAMS, "if self._depth > MOST_DEPTH:", "if False:", WORKED),
    Mutant("ruling:I18", PROGRAMS, "        if text not in self._values:\n", "        if False:\n", WORKED),
    Mutant("ruling:I18", PROGRAMS, "_power(base, self._nested(self._signed))", "_power(base, self._operand())", WORKED),
    Mutant("ruling:I18", PROGRAMS, "if step.name.lower() == RESULT]", "if False]", WORKED),
    Mutant("ruling:I18", RECOMPUTING, "or any(map(_NOT_CLAIMED.search, beside))", "", CHECKED),
    Mutant("ruling:I18", RECOMPUTING, "if _OTHER_COUNTING.search(text) or", "if", CHECKED),
    Mutant("ruling:I18", RUN, 'if item.verdict == "false")', 'if item.verdict == "true")', VOTED),
    Mutant("ruling:I18", READING, "if _value(number) not in given)", ")", VOTED),
    Mutant("ruling:I18", TELLING, 'yield f"{run.id} computes wrongly', 'yield f"It computes wrongly', VOTED),
    # How sure.
    Mutant("ruling:I19", SAMPLING, "Fraction(votes + 1, asked + 2)", "Fraction(votes, asked)", DRAWN),
    Mutant(
        "ruling:I19",
        TELLING,
        "winners[0].votes, len(count.runs)",
        "winners[0].votes, len(count.usable)",
        VOTED,
    ),
    Mutant("ruling:I19", TELLING, "Basis.VOTES", "Basis.AGREEMENT", VOTED),
    Mutant("ruling:I19", TELLING, "if models == 1 and", "if models > 1 and", VOTED),
    Mutant("ruling:I19", TELLING, 'if ways["agree"] is False:', "if False:", VOTED),
    # Who counts.
    Mutant("ruling:G8", COUNTING, "2 * item.votes > asked", "2 * item.votes >= asked", VOTED),
    Mutant("ruling:G8", COUNTING, "2 * item.votes > asked", "2 * item.votes > len(self.voting)", VOTED),
    Mutant("ruling:G8", REPORT, "!= 1 or count.barred or", "!= 1 or", VOTED),
    Mutant("ruling:I19", PROTOCOL, "if member.name in seats}", "}", VOTED),
    Mutant("ruling:G8", PROTOCOL, "quorum=Fraction(1, 2)", "quorum=Fraction(1, 9)", VOTED),
    Mutant("ruling:G8", DRAWING, "for run in runs if run.is_unusable)", "for run in ())", VOTED),
    Mutant(
        "ruling:G8",
        REPORT,
        "asked=len(count.runs),\n        answered",
        "asked=len(count.usable),\n        answered",
        VOTED,
    ),
    # What is shown.
    Mutant("ruling:I20", DRAWING, "if count.abstains else None", "if False else None", VOTED),
    Mutant("ruling:I20", DRAWING, "shown, sight = further, sight + 1", "sight = sight + 1", VOTED),
    Mutant("ruling:I20", DRAWING, "shown, sight = further, sight + 1", "shown = further", VOTED),
    Mutant("ruling:I20", DRAWING, "is_new=further is not None", "is_new=False", VOTED),
    Mutant("ruling:I20", COUNTING, "leader is not None and leader.abstains", "leader is None", VOTED),
    Mutant("ruling:I20", TELLING, "not votes.shown.is_all and any", "any", VOTED),
    Mutant("ruling:I20", REPORT, "or does_not_say_yet(votes, count.winners)", "", VOTED),
    Mutant("ruling:I20", TELLING, "    if votes.shown.caveat:\n", "    if False:\n", VOTED),
    Mutant("ruling:I20", SHOWING, 'if passages == "auto" else None\n', "\n", VOTED),
    Mutant(
        "ruling:I17",
        SEATING,
        "groups.setdefault((run.seat, run.form)",
        "groups.setdefault((run.seat, run.id)",
        VOTED,
    ),
    Mutant("ruling:G12", VOTES, "answer_groups(read, setting=setting_of(question))", "answer_groups(read)", VOTED),
    Mutant("ruling:G12", VOTES, "if (read := quantity(answer)) is not None:", "if (read := None) is not None:", READ),
)
