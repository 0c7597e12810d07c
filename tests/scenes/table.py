"""The scenes: who fails, how and when, and what the deliberation must be called then (rulings G2, G8, G9; D12)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from moot.core.budget import Budget
from tests.scenes.stage import Act

DOWN, LATE, TALKS = Act("is down"), Act("is late"), Act("talks")
REFUSES, REFUSES_IN_JSON = Act("refuses"), Act("refuses in JSON")

COMPLETE, PARTIAL, FORCED, FLAGGED = ("complete", 0), ("partial", 3), ("forced", 3), ("flagged", 3)
FAILED, EXHAUSTED, FLAGGED_WITHOUT, EXHAUSTED_WITHOUT = (
    ("failed", 1),
    ("exhausted", 3),
    ("flagged", 1),
    ("exhausted", 1),
)
PAUSED = ("paused", 3)


@dataclass(frozen=True)
class Scene:
    """One play: the protocol, the panel, and the status with its exit code that must come of it."""

    protocol: str
    what: str
    seats: int
    acts: Mapping[str, Act]
    ends: tuple[str, int]
    answered: str
    """How many of how many, as `2 of 3`."""
    stopped: str
    """Words of the stop reason."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """Who is missing, and why."""
    budget: Budget | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


def seats(first: int, last: int) -> list[str]:
    return [f"m{number}" for number in range(first, last + 1)]


def all_of(act: Act, first: int, last: int) -> dict[str, Act]:
    return dict.fromkeys(seats(first, last), act)


def lost(reason: str, first: int, last: int) -> dict[str, str]:
    return dict.fromkeys(seats(first, last), reason)


DECLINES = "refused: it declines: I'm sorry, but I cannot help with that."
NOTHING = Budget(calls=0)
AMPLE = Budget(calls=40)
NO_CONCLUSION = Act('{"reasoning": "", "steps": [], "conclusion": {"claim": " "}, "answer": "Kestrel"}', "run/*")
ABSTAINS = Act(
    '{"reasoning": "", "steps": [], "conclusion": {"claim": "It is not told."}, "answer": "the documents do not say"}',
    "run/*",
)
HOLDS_NOTHING_UP = Act('"It stands to reason.\\nAnswer: Kestrel"')
DIFFERS = Act('"Seven fives.\\nAnswer: 41\\nanswer = 41"')
UNSURE = Act('{"content": "Perhaps.", "summary": "Perhaps.", "recommendation": "accept", "confidence": 0.4}', "L7.*")


def everybody(protocol: str, number: int, *, none_left: str, asked: str, first_asked: int = 0) -> list[Scene]:
    """The scenes in which the whole panel fails in one way: the same for every protocol."""
    heard = first_asked or number
    return [
        Scene(
            protocol, f"all {number} {how}", number, all_of(act, 1, number), FAILED, asked, words, lost(why, 1, heard)
        )
        for act, how, why, words in (
            (DOWN, "are down", "unreachable", f"unreachable: nobody there; {none_left}"),
            (LATE, "are late", "timeout", f"timeout: too slow; {none_left}"),
            (REFUSES, "refuse in prose", "refused", f"{DECLINES}; {none_left}"),
            (REFUSES_IN_JSON, "refuse in JSON", "refused", f"{DECLINES}; {none_left}"),
        )
    ]


SINGLE = [
    Scene("single", "all is well", 1, {}, COMPLETE, "1 of 1", "answered"),
    *everybody("single", 1, none_left="the only member gave no answer", asked="0 of 1"),
    Scene("single", "it talks", 1, {"m1": TALKS}, FAILED, "0 of 1", "no JSON object", {"m1": "unusable"}),
    Scene("single", "nothing may be spent", 1, {}, EXHAUSTED_WITHOUT, "0 of 1", "0 calls", {"m1": "budget"}, NOTHING),
]

COHERENCE = [
    Scene("coherence", "all is well", 2, {}, COMPLETE, "2 of 2", "passed"),
    *everybody("coherence", 2, none_left="the first member gave no usable columns", asked="0 of 1", first_asked=1),
    Scene("coherence", "the writer refuses", 2, {"m2": REFUSES}, FAILED, "1 of 2", DECLINES, {"m2": "refused"}),
    Scene("coherence", "the judge is down", 3, {"m3": DOWN}, PARTIAL, "2 of 3", "no judge", {"m3": "unreachable"}),
    Scene(
        "coherence", "nothing may be spent", 2, {}, EXHAUSTED_WITHOUT, "0 of 1", "0 calls", {"m1": "budget"}, NOTHING
    ),
]

SPIRAL = [
    Scene("spiral", "all is well", 3, {}, COMPLETE, "3 of 3", "consensus at once"),
    *everybody("spiral", 3, none_left="0 of 3 seats answered, and agreement takes two", asked="0 of 3"),
    Scene("spiral", "one of three refuses", 3, {"m3": REFUSES}, COMPLETE, "2 of 3", "consensus", {"m3": "refused"}),
    Scene(
        "spiral",
        "two of five refuse",
        5,
        all_of(REFUSES_IN_JSON, 4, 5),
        PARTIAL,
        "3 of 5",
        "3 of 5 seats answered; consensus at once",
        lost("refused", 4, 5),
    ),
    Scene(
        "spiral",
        "two of three are down",
        3,
        all_of(DOWN, 2, 3),
        PARTIAL,
        "1 of 3",
        "1 of 3 seats answered, and agreement takes two",
        lost("unreachable", 2, 3),
    ),
    Scene(
        "spiral", "nothing may be spent", 3, {}, EXHAUSTED_WITHOUT, "0 of 3", "0 calls", lost("budget", 1, 3), NOTHING
    ),
]

IN_FREE_TEXT = {"form": "plain"}
INTERROGATION = [
    Scene("interrogation", "all is well", 6, {}, COMPLETE, "6 of 6", "all 6 asked: 6 to 0; nothing is disputed"),
    *everybody(
        "interrogation",
        6,
        none_left="all 6 asked: 0 to 0; none of 6 runs brought an answer that could be used",
        asked="0 of 6",
    ),
    Scene(
        "interrogation",
        "half of the runs refuse",
        6,
        all_of(REFUSES_IN_JSON, 4, 6),
        COMPLETE,
        "3 of 6",
        "nothing is disputed",
        lost("refused", 4, 6),
    ),
    Scene(
        "interrogation",
        "four of six runs are late",
        6,
        all_of(LATE, 3, 6),
        PARTIAL,
        "2 of 6",
        "2 of 6 runs answered; all 6 asked: 2 to 0; nothing is disputed",
        lost("timeout", 3, 6),
    ),
    Scene(
        "interrogation",
        "five of six runs have no conclusion",
        6,
        all_of(NO_CONCLUSION, 2, 6),
        PARTIAL,
        "1 of 6",
        "1 of 6 runs answered",
        lost("unusable", 2, 6),
    ),
    Scene(
        "interrogation",
        "one says that the documents do not say, five have no conclusion",
        6,
        {"m1": ABSTAINS, **all_of(NO_CONCLUSION, 2, 6)},
        FAILED,
        "1 of 6",
        "unusable: its conclusion: it says nothing; all 6 asked: 1 to 0; 1 of 6 runs say that there is no answer, "
        "which is not more than half",
        lost("unusable", 2, 6),
    ),
    Scene(
        "interrogation",
        "four of six say that the documents do not say",
        6,
        all_of(ABSTAINS, 1, 4),
        COMPLETE,
        "6 of 6",
        "all 6 asked: 4 to 2",
    ),
    Scene(
        "interrogation",
        "three of six say that the documents do not say",
        6,
        all_of(ABSTAINS, 1, 3),
        PARTIAL,
        "6 of 6",
        "3 of 6 runs say that there is no answer, which is not more than half",
    ),
    Scene(
        "interrogation",
        "four of six say that the documents do not say, two are down",
        6,
        {**all_of(ABSTAINS, 1, 4), **all_of(DOWN, 5, 6)},
        COMPLETE,
        "4 of 6",
        "all 6 asked: 4 to 0",
        lost("unreachable", 5, 6),
    ),
    Scene(
        "interrogation",
        "nothing may be spent",
        6,
        {},
        EXHAUSTED_WITHOUT,
        "0 of 1",
        "0 calls",
        {"m1": "budget"},
        NOTHING,
    ),
    Scene(
        "interrogation",
        "two calls may be spent",
        6,
        {},
        EXHAUSTED,
        "2 of 2",
        "the budget of calls ended it after 2 of at most 6: 2 to 0",
        budget=Budget(calls=2),
    ),
    Scene(
        "interrogation",
        "all is well in free text",
        6,
        {},
        COMPLETE,
        "6 of 6",
        "all 6 asked: 6 to 0; nothing is disputed",
        settings=IN_FREE_TEXT,
    ),
    Scene(
        "interrogation",
        "four of six talk and state no answer",
        6,
        all_of(TALKS, 3, 6),
        PARTIAL,
        "2 of 6",
        "2 of 6 runs answered",
        lost("unusable", 3, 6),
        settings=IN_FREE_TEXT,
    ),
    Scene(
        "interrogation",
        "all answer and nothing holds it up",
        6,
        all_of(HOLDS_NOTHING_UP, 1, 6),
        PARTIAL,
        "6 of 6",
        "all 6 asked: 6 to 0; nothing is left to ask",
        settings={"form": "plain", "verify": "never"},
    ),
]

VOTE = [
    Scene("vote", "all is well", 4, {}, COMPLETE, "4 of 4", "stopped after 4 of at most 8: 4 to 0"),
    *everybody(
        "vote", 8, none_left="all 8 asked: 0 to 0; none of 8 runs brought an answer that could be used", asked="0 of 8"
    ),
    Scene("vote", "all talk", 8, all_of(TALKS, 1, 8), FAILED, "0 of 8", "unusable: it ", lost("unusable", 1, 8)),
    Scene(
        "vote",
        "two of four refuse, and the second wave is of the others",
        4,
        all_of(REFUSES, 3, 4),
        COMPLETE,
        "4 of 8",
        "all 8 asked: 4 to 0",
        lost("refused", 3, 4),
    ),
    Scene(
        "vote",
        "three of four are late",
        4,
        all_of(LATE, 2, 4),
        PARTIAL,
        "2 of 8",
        "2 of 8 runs answered; all 8 asked: 2 to 0",
        lost("timeout", 2, 4),
    ),
    Scene("vote", "half differ", 2, {"m2": DIFFERS}, PARTIAL, "8 of 8", "all 8 asked: 4 to 4; a tie between 42 and 41"),
    Scene(
        "vote",
        "the budget ends before it is decided",
        2,
        {"m2": DIFFERS},
        EXHAUSTED,
        "5 of 5",
        "the budget of calls ended it after 5 of at most 8: 3 to 2",
        budget=Budget(calls=5),
    ),
    Scene("vote", "nothing may be spent", 4, {}, EXHAUSTED_WITHOUT, "0 of 1", "0 calls", {"m1": "budget"}, NOTHING),
    Scene("self-consistency", "all is well", 6, {}, COMPLETE, "6 of 6", "all 6 asked: 6 to 0", budget=AMPLE),
    Scene(
        "self-consistency",
        "half of the samples refuse",
        6,
        all_of(REFUSES, 4, 6),
        COMPLETE,
        "3 of 6",
        "all 6 asked: 3 to 0",
        lost("refused", 4, 6),
        AMPLE,
    ),
    Scene(
        "self-consistency",
        "four of six samples are down",
        6,
        all_of(DOWN, 3, 6),
        PARTIAL,
        "2 of 6",
        "2 of 6 runs answered; all 6 asked: 2 to 0",
        lost("unreachable", 3, 6),
        AMPLE,
    ),
    Scene(
        "self-consistency",
        "all refuse",
        6,
        all_of(REFUSES, 1, 6),
        FAILED,
        "0 of 6",
        DECLINES,
        lost("refused", 1, 6),
        AMPLE,
    ),
]

COUNCIL = [
    Scene("council", "all is well", 3, {}, COMPLETE, "3 of 3", "voted"),
    *everybody("council", 3, none_left="voted", asked="0 of 3"),
    Scene("council", "one of three refuses", 3, {"m1": REFUSES}, COMPLETE, "2 of 3", "voted", {"m1": "refused"}),
    Scene(
        "council",
        "two of three refuse",
        3,
        all_of(REFUSES, 1, 2),
        PARTIAL,
        "1 of 3",
        "1 of 3 seats answered; voted",
        lost("refused", 1, 2),
    ),
    Scene(
        "council", "nothing may be spent", 3, {}, EXHAUSTED_WITHOUT, "0 of 3", "0 calls", lost("budget", 1, 3), NOTHING
    ),
]

FROM_ROUND_2 = "round/[2-9]/*"


def later(act: Act) -> Act:
    return Act(act.how, FROM_ROUND_2)


BLOCKED = ", ".join(f'{{"agent": "{seat}", "reason": "harm"}}' for seat in seats(1, 4))
BLOCKS = Act(f'{{"reasoning": "", "clear": false, "blocks": [{BLOCKED}]}}', "*/safety*")

DEBATE = [
    Scene("debate", "all is well", 3, {}, COMPLETE, "3 of 3", "consensus: 3 of 3 agents accept P2"),
    *everybody("debate", 3, none_left="fewer than 2 agents were heard in round 1", asked="0 of 3"),
    Scene(
        "debate",
        "four of six refuse in JSON",
        6,
        all_of(REFUSES_IN_JSON, 3, 6),
        PARTIAL,
        "2 of 6",
        "2 of 6 agents accept",
        lost("refused", 3, 6),
    ),
    Scene(
        "debate",
        "four of six refuse in prose",
        6,
        all_of(REFUSES, 3, 6),
        PARTIAL,
        "2 of 6",
        "4 did not answer",
        lost("refused", 3, 6),
    ),
    Scene(
        "debate",
        "one of three refuses from round 2 on",
        3,
        {"m3": later(REFUSES_IN_JSON)},
        PARTIAL,
        "2 of 3",
        "2 of 3 agents accept",
        {"m3": "refused"},
    ),
    Scene(
        "debate",
        "one of five is late from round 2 on",
        5,
        {"m5": later(LATE)},
        COMPLETE,
        "4 of 5",
        "4 of 5 agents accept P2; 1 did not answer",
        {"m5": "timeout"},
    ),
    Scene(
        "debate",
        "two of five are down from round 2 on",
        5,
        all_of(later(DOWN), 4, 5),
        PARTIAL,
        "3 of 5",
        "3 of 5 agents accept",
        lost("unreachable", 4, 5),
    ),
    Scene(
        "debate",
        "all but one are down",
        3,
        all_of(DOWN, 2, 3),
        PARTIAL,
        "1 of 3",
        "fewer than 2 agents were heard in round 1",
        lost("unreachable", 2, 3),
    ),
    Scene(
        "debate",
        "an evaluator that debates blocks everybody, and no second seat does",
        4,
        {"m4": BLOCKS},
        COMPLETE,
        "4 of 4",
        "4 of 4 agents accept",
        settings={"mode": "adversarial"},
    ),
    Scene(
        "debate", "nothing may be spent", 3, {}, EXHAUSTED_WITHOUT, "0 of 3", "0 calls", lost("budget", 1, 3), NOTHING
    ),
]

PRISM = [
    Scene("prism", "all is well", 3, {}, COMPLETE, "13 of 13", "every layer was passed"),
    Scene(
        "prism",
        "one of three refuses, and others have its slots",
        3,
        {"m1": REFUSES_IN_JSON},
        COMPLETE,
        "13 of 13",
        "every layer was passed",
        {"m1": "refused"},
    ),
    *(
        Scene(
            "prism",
            f"all 3 {how}, and nobody attends",
            3,
            all_of(act, 1, 3),
            FLAGGED_WITHOUT,
            "0 of 1",
            "layer 1 Framing is flagged: nobody filled L1.1/work/1",
            {**lost(why, 1, 3), "house": "refused", "person": "unattended"},
        )
        for act, how, why in ((DOWN, "are down", "unreachable"), (REFUSES_IN_JSON, "refuse", "refused"))
    ),
    Scene(
        "prism",
        "all 3 are down, and a person is waited for",
        3,
        all_of(DOWN, 1, 3),
        PAUSED,
        "",
        "L1.1/review waits for reviewer",
        settings={"on_flag": "wait"},
    ),
    Scene(
        "prism",
        "nobody is sure of the synthesis, and nobody attends",
        3,
        all_of(UNSURE, 1, 3),
        FLAGGED_WITHOUT,
        "13 of 13",
        "layer 7 Synthesis is flagged: 40 % < 50 %",
        {"person": "unattended"},
    ),
    Scene(
        "prism",
        "nothing may be spent",
        3,
        {},
        EXHAUSTED_WITHOUT,
        "0 of 1",
        "0 calls",
        {**lost("budget", 1, 3), "house": "budget"},
        NOTHING,
    ),
]

SCENES = [*SINGLE, *COHERENCE, *SPIRAL, *INTERROGATION, *DEBATE, *PRISM, *VOTE, *COUNCIL]
