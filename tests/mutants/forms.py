"""Mutants of the forms that the screen measures, and of what it recommends (I9, interrogation 4.3)."""

from tests.mutants.mutant import Mutant

ASKED, FORMS, ADVICE, PUT = (
    f"evals/{name}.py" for name in ("arms/forms", "figures/forms", "figures/recommendation", "runs/forming")
)
TOLD = ("evals/test_forms.py",)

MUTANTS = (
    Mutant(
        "ruling:I9",
        ASKED,
        'if settings.form == "graph":\n        return graph_messages',
        "if False:\n        return graph_messages",
        TOLD,
    ),
    Mutant("ruling:I9", ASKED, "if claim not in written.ungrounded and", "if", TOLD),
    Mutant("ruling:I9", ASKED, " and claim not in written.refuted]", "]", TOLD),
    Mutant("ruling:I9", ASKED, "kept and record.verdict", "record.verdict", TOLD),
    Mutant("ruling:I9", ASKED, "and record.verdict.answer is not None", "", TOLD),
    Mutant("ruling:I9", ASKED, "    if not run.answer:\n", "    if False:\n", TOLD),
    Mutant("ruling:I9", FORMS, "second = second_way(number_asked(question), question)", "second = None", TOLD),
    Mutant("ruling:I9", FORMS, "AT_ONCE, RIGHT = 0.75, 0.5", "AT_ONCE, RIGHT = 0.7, 0.5", TOLD),
    Mutant("ruling:I9", FORMS, "AT_ONCE, RIGHT = 0.75, 0.5", "AT_ONCE, RIGHT = 0.9, 0.5", TOLD),
    Mutant("ruling:I9", FORMS, "AT_ONCE, RIGHT = 0.75, 0.5", "AT_ONCE, RIGHT = 0.75, 0.4", TOLD),
    Mutant("ruling:I9", FORMS, "AT_ONCE, RIGHT = 0.75, 0.5", "AT_ONCE, RIGHT = 0.75, 0.6", TOLD),
    Mutant(
        "ruling:I9",
        FORMS,
        "(_share(item.right), _share(item.at_once),",
        "(_share(item.at_once), _share(item.right),",
        TOLD,
    ),
    Mutant("ruling:I9", FORMS, ", _share(item.covered))", ")", TOLD),
    Mutant(
        "ruling:I9",
        FORMS,
        '>= {"plain", "second"}:\n        return "both"',
        '>= {"graph"}:\n        return "both"',
        TOLD,
    ),
    Mutant(
        "ruling:I9",
        FORMS,
        "    if not one or not other:\n        return False",
        "    if one == other:\n        return True",
        TOLD,
    ),
    Mutant("ruling:I9", FORMS, 'if item.kind == "number":', "if False:", TOLD),
    Mutant("interrogation:4.3", ADVICE, "-(forms.in_shape.value or 0.0) if forms else 0.0,", "0.0,", TOLD),
    Mutant("interrogation:4.3", ADVICE, "if forms and forms.recommended is None else", "if not one else", TOLD),
    Mutant("interrogation:4.3", ADVICE, "if not lacks[one.member]), None)", "if one), None)", TOLD),
    Mutant("evals:2", ADVICE, "right >= FLOOR * items", "right > FLOOR * items", TOLD),
    Mutant("evals:2", ADVICE, "FLOOR = 0.5", "FLOOR = 0.3", TOLD),
    Mutant("ruling:V3", PUT, "self._lines.add(told)", "pass", TOLD),
)
