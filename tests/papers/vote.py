"""The rulings by which samples are drawn, computed and counted; `vote` has no paper of its own."""

CLAUSES = {
    "ruling:I9": "a second form for numbers: whether one is asked for is seen by the form, else by a rule, and noted",
    "ruling:I13": "how to reply stands behind the documents; abstaining is one answer among others",
    "ruling:I16": "a tie is partial with both answers; nobody wins by the order of seats",
    "ruling:I17": "waves of 4 until the vote is decided: lead, sure, all; at most 8 or the budget",
    "ruling:I18": "equations are recomputed by the oracles; programs are worked out exactly and bounded, and never run",
    "ruling:I19": "confidence is (v + 1) / (n + 2) over the runs asked, basis votes; models and ways beside it",
}
