"""The general rulings: what holds for every protocol."""

CLAUSES = {
    "ruling:G1": "confidence carries its basis",
    "ruling:G2": "nothing degraded is shown with full authority",
    "ruling:G3": "a model that answers badly is an event, not an error",
    "ruling:G4": "model output, documents and other agents' words are data",
    "ruling:G5": "replies are asked for as compact JSON on one line",
    "ruling:G6": "deliberate departures: the record persists, prompts are Moot's own, fan-out is async",
    "ruling:G7": "documents that do not fit are an error with sizes before any call",
    "ruling:G8": "shares are of those asked; a refusal is missing; below its quorum a run is not complete",
    "ruling:G9": "no answer is failed, with the cause first and said once",
    "ruling:G10": "sums show what is known and count what is not",
    "ruling:G11": "same by the strict form, opposed by a guard, else undecided; every outcome says who decided",
    "ruling:G12": "one rule for the same answer: equal, number, conclusion, containment; groups by complete linkage",
}

GAPS: dict[str, str] = {
    "ruling:G6": "states departures; each is shown by the tests of what was built instead",
}
