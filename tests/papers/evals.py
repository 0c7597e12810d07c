"""The clauses of the interrogation paper on screen, evaluation and goals (2, 5, PRD 5), and their rulings."""

CLAUSES = {
    "evals:2": "the screen: 50 items, temperature 0, one call an item and member, graded by pattern, one decision",
    "evals:5.arms": "six arms on the same items with the same member",
    "evals:5.datasets": "GSM8K by exact match on the final number; a grounded multi-hop set by normalised exact match",
    "evals:5.metrics": "accuracy, cost, cost per correct answer, wall clock and tokens for each arm; by support width",
    "evals:5.output": "a folder with raw JSONL per arm and one summary in Markdown",
    "evals:G1": "the screen gives grounded, memorized and abstained percent per model, end to end for less than $1",
    "evals:G2": "accuracy against revisit and verbatim re-injection, at what cost",
    "evals:G3": "correct answers per dollar against one frontier call",
    "evals:G4": "accuracy by support width, monotone or not",
    "evals:G5": "every conclusion ships with its graph, surviving claims, width and disputed nodes",
    "ruling:V1": "50 items of Moot's own, of three kinds, with patterns for each kind of answer",
    "ruling:V2": "self-consistency, every protocol, and frontier beside the six; a table of G1 to G5",
    "ruling:V3": "a run resumes where it stopped and never pays twice",
}

GAPS: dict[str, str] = {}
