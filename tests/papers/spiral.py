"""Clauses of the spiral paper, and the rulings on it."""

CLAUSES = {
    "spiral:5.1.0": "initialization: task type, structure, self-reference, without a model",
    "spiral:5.1.1": "exposition in conclave; vectors, initial divergence and harmony",
    "spiral:5.1.2": "the consensus check before the spiral",
    "spiral:5.1.3": "the loop: axioms of its level for each disagreement, oracles at level 4, positions, the schedule",
    "spiral:5.1.3.vectors": "axioms are matched by vectors of 768 dimensions",
    "spiral:5.1.3.verify": "each position is verified against the axioms that were matched",
    "spiral:5.1.3.self": "at levels 5 to 7 self-reference is checked, and what denies itself is not the answer",
    "spiral:5.1.4": "stretto from loop 5: all evidence, compromise, only what is still disputed and its parties",
    "spiral:5.1.5": "the limit check after seven loops",
    "spiral:5.1.6": "coda: common part, nuances, caveats, the final harmony",
    "spiral:5.2": "consensus: H > 0.90, every C > 0.70, D < 0.05",
    "spiral:5.2.forced": "forced consensus: the best agreement, what remains, the harmony, all axiom evidence",
    "ruling:S1": "agreement of a pair by its three parts and their weights; who judges it, and what if nobody does",
    "ruling:S2": "harmony, the measured divergence, and the schedule beside it",
    "ruling:S3": "measured again after stretto and checked after loop 7",
    "ruling:S4": "stretto in loops 5, 6 and 7",
    "ruling:S5": "the registry: levels, retrieval above a floor, nothing invented, no call without an open point",
    "ruling:S6": "step 0 by rules; fugue, sonata and concert",
    "ruling:S7": "oracles: deterministic, bounded by structure; checks put to them by program and members",
    "ruling:S8": "typed positions, disagreements, and a coda computed from claims that are one",
    "ruling:S9": "the search for axioms: what it asks with, a floor per backend, measured on disputes",
    "ruling:S10": "open points without a contradiction: the structure plays once, a draft is accepted or not",
    "ruling:S11": "without claims on either side the weight of facts is spread",
    "ruling:S12": "oracles judge whole claims; rounding, two readings and contexts; every finding says its reading",
    "ruling:S13": "in the graph a claim attacks what it contradicts and nothing else",
    "ruling:S14": "self-reference: another member says whether a position denies what it rests on, and names the axiom",
    "ruling:S15": "the answer shown has the coda's three parts, and says what a computation refutes",
}

GAPS: dict[str, str] = {
    "spiral:5.1.3.vectors": (
        "The default vectors are static ones of 256 dimensions, which work offline; an embeddings endpoint that is "
        "configured gives its own number. The backend is named, and the floor is stated for it (S9)."
    ),
    "spiral:5.1.3.verify": (
        "Members hold their own positions against the axioms they are shown. The program verifies only what can be "
        "computed (S7), and another member only self-reference (S14)."
    ),
}
