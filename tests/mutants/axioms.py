"""Mutants of the spiral's axioms and of its step 0 (spiral 5.1; rulings S5, S6, S9)."""

from tests.mutants.mutant import Mutant

_HERE = "protocols/spiral"


def _of(clause: str, file: str, old: str, new: str, tests: str) -> Mutant:
    return Mutant(clause, f"{_HERE}/{file}", old, new, (f"{_HERE}/test_{tests}.py",))


MUTANTS = (
    _of("spiral:5.1.0", "structure/structures.py", '"conflict": "sonata"', '"conflict": "fugue"', "structures"),
    _of("spiral:5.1.0", "structure/structures.py", "else self_reference\n", "else bool(said)\n", "structures"),
    _of("spiral:5.1.0", "structure/step_rules.py", "pattern.match(sentence)", "pattern.search(sentence)", "structures"),
    _of("ruling:S6", "structure/structures.py", "if _language(text) != ENGLISH:", "if False:", "structures"),
    _of("ruling:S6", "structure/step_rules.py", "if company - {word})", "if company)", "structures"),
    _of("ruling:S6", "structure/step0.toml", "(?![^,]{1,80}, {head}\\b)", "", "structures"),
    _of("ruling:S5", "axioms/registry.py", "if bool(self.checks) == bool(self.review):", "if False:", "registry"),
    _of("ruling:S5", "axioms/registry.py", "axiom.level == level)", "axiom.level >= level)", "registry"),
    _of("ruling:S9", "axioms/retrieval.py", "*claims[:MOST_CLAIMS])", ")", "registry_retrieval"),
    _of("ruling:S9", "axioms/retrieval.py", "    if measured is not None:", "    if False:", "registry_retrieval"),
    _of("ruling:S9", "axioms/retrieval.py", "BACKGROUND_SHARE = 0.95", "BACKGROUND_SHARE = 0.2", "registry_retrieval"),
    _of("ruling:S9", "axioms/checking.py", "any(hits.values())", "False", "registry_retrieval"),
)
