"""Clauses of the debate paper, with its final decisions, which override what stands before them; and the rulings."""

from dataclasses import dataclass

CLAUSES = {
    "debate:1": "the seven modes with their roles, constraints, structures and checks",
    "debate:1.L1": "layer 1: identity, mission, persistence, what being helpful means",
    "debate:1.L2": "layer 2: must, must not, numbered priorities, failure mode",
    "debate:1.L3": "layer 3: the parts of the output, in the first round and in later ones",
    "debate:1.L4": "layer 4: checks before sending, revise where one fails, focus question",
    "debate:2.P0": "labels FACT, INFER, ASSUME, one a claim; citations mandatory, encouraged, forbidden",
    "debate:2.P1": "exit criteria: consensus threshold, plateau, round cap; the vote rubric",
    "debate:2.P2": "anti-conformity: a new concern and an alternative, steelman first, dissent tied to evidence",
    "debate:2.P3": "safety constraints for adversarial and red-team modes; a mitigation for each vulnerability",
    "debate:2.P4": "seven universal questions and those of the mode",
    "debate:3.3": "the fields of a response",
    "debate:3.3.timestamp": "when a response was given",
    "debate:3.5": "what each agent receives, in which order",
    "debate:3.6": "parallel and sequential rounds: who sees whom",
    "debate:4.2": "passed on: labels, round boundaries, votes, changes of confidence, disagreements, tool use",
    "debate:4.3": "context does not grow, labels are not lost, old rounds are summarised",
    "debate:5.1": "the enhanced response: round, claims by label, vote, change of confidence, key points, anchor",
    "debate:5.2": "the summary block of a round",
    "debate:5.3": "final: executive summary, key evidence, final positions",
    "debate:7.1": "two layers: the state always, round packets within a window",
    "debate:7.2": "the state: claims, evidence, decisions, agent status, with their small limits",
    "debate:7.3": "the summary of a past round, with its small limits",
    "debate:7.4": "the previous round in full: text, claims touched, citations, replies",
    "debate:7.5": "token budgets part by part and in total",
    "debate:7.6": "which round is treated how; compression of the oldest where the context is too long",
    "debate:7.7": "ids of claims and evidence stay; labels and statuses",
    "debate:9.2.1": "stance in devils-advocate alone; debateAlignment optional",
    "debate:9.2.2": "safety in three tiers: always, triggered, evaluator that leaves when the risk clears",
    "debate:9.2.3": "groupthink: two triggers, an objection round, a person only where that fails",
    "debate:9.2.4": "strict numeric citations with numbered references",
    "debate:9.2.5": "four permanent anchors, assessed by outcome",
    "debate:9.2.6": "seven questions, two of the mode, one more on request, never more than ten",
    "debate:9.2.6.review": "a review of opt-in patterns after twelve months",
    "ruling:D1": "the final decisions win; votes and labels; OPEN for an unresolved claim",
    "ruling:D2": "stance and alignment as numbers; a condition that nobody gives figures for is skipped, and said",
    "ruling:D3": "change between rounds, plateau, premise overlap, clusters, belief change, cap of five",
    "ruling:D4": "groupthink before consensus; one objection round a trigger, within the cap; failing means flagged",
    "ruling:D5": "red and blue alternate and speak at once; every vulnerability gets a mitigation by its id",
    "ruling:D6": "YES, NO, then evaluators, three seats at least; Delphi: stable pseudonyms, group figures, no names",
    "ruling:D7": "anchors by seat; citations checked and renumbered; breaches told once and counted; unverified marked",
    "ruling:D8": "the program checks what it can, the agent the rest; one revision",
    "ruling:D9": "tier 1 on everything, tier 2 by mode, topic, intent, audience; tier 3 removes what it blocks",
    "ruling:D10": "the context keeps its budgets; sequential replies share one; the state is pruned in order",
    "ruling:D11": "votes refer to a numbered proposal; a BLOCKER's objection is resolved by its author alone",
    "ruling:D12": "consensus is of all seats that debate; who was not heard has not accepted; below 4/5 no complete",
    "ruling:D13": "a FACT is verified only where its source covers it; a sum says nothing of what is counted",
    "ruling:D14": "ties by votes and seats, and said; accepters are no dissenters; nobody's own answer is partial",
    "ruling:D15": "questions are a list of their own; the products of the modes are in every report",
    "ruling:D16": "nobody evaluates its own words; a debater's block needs a second seat or tier 1; always said",
    "ruling:D17": "empty lists are not met and counted; a revision only with a graver fault; drafts counted apart",
    "ruling:D18": "labels as given; citations as evidence ids wherever a speech goes; the paper's fields",
}

GAPS: dict[str, str] = {
    "debate:3.3.timestamp": "a protocol has no clock; a final position names its step, whose time the record has",
    "debate:9.2.6.review": "a review by people after a year of use; the counts it needs are in every record",
}


@dataclass(frozen=True)
class ModeRow:
    """One row of the paper's table of modes: its role, what comes before what, its structure, in our words for it."""

    role: str
    first: str
    """What the key constraint of layer 2 puts above `second`."""
    second: str
    structure: tuple[str, str, str]


MODE_ROWS = {
    # collaborative: Synthesizer; find agreement > highlight differences; Points of Agreement, Building, Synthesis
    "collaborative": ModeRow(
        "synthesizer", "common ground", "differences that remain", ("agreement", "Building", "Synthesis")
    ),
    # adversarial: Challenger; find flaws > find agreement; Steel-man, Weaknesses, Counter-arguments
    "adversarial": ModeRow("challenger", "flaws", "agreement", ("Steel-man", "Weaknesses", "Counter-arguments")),
    # socratic: Questioner; ask questions > provide answers; Questioning, Examining, Exploring
    "socratic": ModeRow("questioner", "questions", "answers", ("Questions", "Examining", "Exploring")),
    # expert-panel: Domain Expert; accuracy > agreeableness; Assessment, Evidence, Consensus/Divergence
    "expert-panel": ModeRow("expert", "accuracy", "agreement", ("Assessment", "Evidence", "Consensus and divergence")),
    # devils-advocate: role-assigned; maintain assigned stance; role-specific structure
    "devils-advocate": ModeRow("stance YES", "your stance", "fairness", ("Case for YES", "Answers", "shown")),
    # delphi: Anonymous Expert; honest assessment > social conformity; Position, Confidence, Response to Group
    "delphi": ModeRow("anonymous experts", "honest assessment", "agreement", ("Position", "Confidence", "Response to")),
    # red-team-blue-team: RED attacker; team-specific constraints and structure
    "red-team-blue-team": ModeRow("red team", "coverage of threats", "mitigations", ("defence", "vulnerab", "Mitig")),
}
"""The paper's table in section 1, to the letter in the comments."""
