"""Clauses of the interrogation paper, sections 4 and 7: the orchestrator; and the rulings on it."""

CLAUSES = {
    "interrogation:4": "the command-line words with the paper's defaults, and task.json",
    "interrogation:4.1.1": "fan out: N runs in flight together, fresh contexts, ids prefixed by their run",
    "interrogation:4.1.2": "merge: claims that say the same become one",
    "interrogation:4.1.3": "assess: several clusters of conclusions are candidates, ranked by support width",
    "interrogation:4.1.4": "re-interrogate: contradictions, then isolated claims, three a round, 3 fresh calls each",
    "interrogation:4.1.5": "stop: nothing disputed, stable and wide enough, or the budget used up",
    "interrogation:4.1.6": "report: conclusion, width, paths, survivors, killed, disputed, cost by call, wall clock",
    "interrogation:4.2.A": "the interrogation prompt with all its rules",
    "interrogation:4.2.B": "the verification prompt: one claim and the documents, three verdicts, a reason",
    "interrogation:4.3": "parsing policy: strip, parse, one retry with the error, salvage, drop, compliance rate",
    "interrogation:4.4": "client: three tries with backoff on 429 and 5xx, cost by usage, key from the environment",
    "interrogation:M4": "the mocked loop: a malformed run dropped, a contradiction re-interrogated, a report rendered",
    "ruling:I1": "candidates are ranked by width, surviving width, flow, runs; one that is refuted is never the answer",
    "ruling:I2": "what a majority of verifications does to a claim, and that it is asked once",
    "ruling:I3": "the budget counts every call; the fan-out leaves room for a verification",
    "ruling:I4": "a conclusion can be contested afterwards without a call, and that undone",
    "ruling:I5": "givens are checked against the documents by the program",
    "ruling:I6": "conclusions with different answers never merge",
    "ruling:I7": "stop reasons (a) to (d), what stable means, disputes over all candidates",
    "ruling:I8": "that the documents do not say is a verdict; the expected answer reaches no prompt",
    "ruling:I10": "documents are split into numbered sentences with their places; items, rows and headings are such",
    "ruling:I20": "long documents are narrowed by BM25 and a title hop; how much was shown is said; the rest is next",
}

GAPS: dict[str, str] = {}
