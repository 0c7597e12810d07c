"""Clauses of the interrogation paper, sections 4 and 7: the orchestrator; and the rulings on it.

I9, I13 and I16 to I20 are for every protocol that votes over samples.
"""

CLAUSES = {
    "interrogation:4": "the command-line words with the paper's defaults, and task.json",
    "interrogation:4.1.1": "fan out: N runs in flight together, fresh contexts, ids prefixed by their run",
    "interrogation:4.1.2": "merge: claims that say the same become one",
    "interrogation:4.1.3": "assess: check_structure, width, disputes; clusters of conclusions are candidates, ranked",
    "interrogation:4.1.4": "re-interrogate: contradictions, then isolated claims, three a round, 3 fresh calls each",
    "interrogation:4.1.5": "stop: nothing disputed, stable and wide enough, or the budget used up",
    "interrogation:4.1.6": "report: conclusion, width, paths, survivors, killed, disputed, cost by call, wall clock",
    "interrogation:4.2.A": "the interrogation prompt with all its rules; the paper's nodes and edges are read",
    "interrogation:4.2.B": "the verification prompt: one claim and the documents, three verdicts, a reason",
    "interrogation:4.3": "parsing policy: strip, parse, one retry with the error, salvage, drop, compliance rate",
    "interrogation:4.4": "client: three tries with backoff on 429 and 5xx, cost by usage, key from the environment",
    "interrogation:M4": "the mocked loop: a malformed run dropped, a contradiction re-interrogated, a report rendered",
    "ruling:I1": "by width, surviving width, flow, runs where the paper's letter is asked for; refuted never wins",
    "ruling:I2": "what a majority of verifications does to a claim, and that it is asked once",
    "ruling:I3": "the budget counts every call; the fan-out leaves room for a verification",
    "ruling:I4": "a conclusion can be contested afterwards without a call, and that undone",
    "ruling:I5": "what is given is checked against the documents by the program; what fails is disputed first",
    "ruling:I6": "conclusions with different answers never merge; those with one answer are one",
    "ruling:I7": "stop reasons (a) to (d), what stable means, disputes over all candidates",
    "ruling:I8": "that the documents do not say is a verdict; the expected answer reaches no prompt",
    "ruling:I9": "the forms: free text, numbered sentences, programs, graphs; which by default, and by what, is noted",
    "ruling:I10": "documents are split into numbered sentences with their places; items, rows and headings are such",
    "ruling:I11": "a step is a claim and what it holds because of: one group; edges are read where they come",
    "ruling:I12": "sentences alone must cover what rests on them; a line has the answer's own words; else no line",
    "ruling:I13": "evidence before answer; how to reply behind the documents; abstaining is one answer among others",
    "ruling:I14": "a verification names its sentence; the leader first; a step is put with its sentences alone",
    "ruling:I15": "check_structure at every assessment: orphans, circles and unsupported inferences are reported",
    "ruling:I16": "most runs win, then resilience, width, flow; a tie is partial with both, nobody wins by seat order",
    "ruling:I17": "waves of 4 until the vote is decided: lead, sure, all; at most 8 or the budget",
    "ruling:I18": "equations are recomputed by the oracles; programs are worked out exactly and bounded, and never run",
    "ruling:I19": "confidence is (v + 1) / (n + 2) over the runs asked, basis votes; models, ways, width beside it",
    "ruling:I20": "long documents are narrowed by BM25 and a title hop; how much was shown is said; the rest is next",
}

GAPS: dict[str, str] = {}
