"""Clauses of the spiral paper, and the rulings on it."""

CLAUSES = {
    "spiral:5.1.0": "initialization: task type, structure, self-reference, without a model",
    "spiral:5.1.1": "exposition in conclave; vectors, initial divergence and harmony",
    "spiral:5.1.2": "the consensus check before the spiral",
    "spiral:5.1.3": "the loop: axioms by level, oracles at level 4, positions updated, the schedule of divergence",
    "spiral:5.1.3.self": "at levels 5 to 7 self-reference is checked",
    "spiral:5.1.4": "stretto from loop 5: all evidence, compromise, only what is still disputed",
    "spiral:5.1.5": "the limit check after seven loops",
    "spiral:5.1.6": "coda: common part, nuances, caveats, the final harmony",
    "spiral:5.2": "consensus: H > 0.90, every C > 0.70, D < 0.05",
    "spiral:5.2.forced": "forced consensus: the best agreement, what remains, the harmony, all axiom evidence",
    "ruling:S1": "agreement of a pair by its three parts and their weights",
    "ruling:S2": "harmony, the measured divergence, and the schedule beside it",
    "ruling:S3": "measured again after stretto and checked after loop 7",
    "ruling:S4": "stretto in loops 5, 6 and 7",
    "ruling:S5": "the registry: levels, retrieval above a floor, nothing invented, no call without a disagreement",
    "ruling:S6": "step 0 by rules; fugue, sonata and concert",
    "ruling:S7": "oracles: deterministic, bounded by structure; checks put to them by program and members",
    "ruling:S8": "typed positions, disagreements, and a coda computed from merged claims",
    "ruling:S12": "oracles judge whole claims; rounding, two readings and contexts; every finding says its reading",
}

GAPS: dict[str, str] = {}
