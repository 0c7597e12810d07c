"""Clauses of the interrogation paper that the foundation implements; the protocol adds its own."""

CLAUSES = {
    "interrogation:4.3": "parsing policy: strip, parse, one retry with the error, salvage, drop, compliance rate",
    "interrogation:4.4": "client: three tries with backoff on 429 and 5xx, cost by usage, key from the environment",
}

GAPS: dict[str, str] = {}
