"""The rulings by which samples are drawn, computed and counted; `vote` has no paper of its own."""

CLAUSES = {
    "ruling:I17": "waves of 4 until the vote is decided: lead, sure, all; at most 8 or the budget",
    "ruling:I18": "equations are recomputed by the oracles; programs are worked out exactly and bounded, and never run",
    "ruling:I19": "confidence is (v + 1) / (n + 2) over the runs asked, basis votes; models and ways beside it",
}
