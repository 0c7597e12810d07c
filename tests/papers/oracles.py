"""The ruling on the oracles that the spiral's fourth level asks."""

CLAUSES = {
    "ruling:S7": "oracles are deterministic, bound their work by structure, and answer true, false or not computable",
}
