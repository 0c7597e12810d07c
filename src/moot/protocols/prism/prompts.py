"""What a slot is asked, in Moot's own words: by role and layer, blind to everybody at work beside it (prism, P8)."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.core.calls import Message
from moot.core.canonical import canonical
from moot.core.question import Question
from moot.methods.fencing import FENCE_RULE, fenced, fenced_documents
from moot.protocols.prism.layers import Layer, Shape

OUTPUTS_SHOWN, OUTPUT_SHOWN, LEAST_SHOWN, POINTS_SHOWN = 24_000, 1_200, 300, 4
"""Characters of all earlier outputs and of one that are put into a prompt of the house, and how many points of a list.
The more there are the shorter each is cut, so that a small member can read them; the slot's context has all of them."""

MARKED_SHOWN, MOST_MARKED = 240, 20
"""Characters of a weakness or a question to be answered, and how many of them are shown to the house."""

SYSTEM = f"""You are one of several agents who examine a claim together, layer by layer. Each works alone and blind: you
see what earlier layers came to, and nobody who works beside you now. Say what you think is right, not what others might
want to hear; name what is uncertain as uncertain. Where documents are given, they come before what you remember.

{FENCE_RULE}"""

GOALS: Mapping[Shape, str] = {
    "framing": "find out what the claim really says, as the frame in which every later layer works",
    "classification": "decide to which domain the claim belongs",
    "evidence": "judge what the claim rests on: whether there is credible evidence behind it",
    "critique": "bring out what is weak in the claim and what is still open: put it under stress",
    "defense": "answer the critique, to see whether it is fatal or can be lived with",
    "deliberation": "weigh the whole way so far, evidence, critique and defence, and form a considered position",
    "synthesis": "come to the final verdict",
}

WORK_TASKS: Mapping[tuple[Shape, str], str] = {
    ("framing", "contributor"): "State the core argument of the claim, the assumptions it depends on, and what "
    "evidence would have to exist for it to hold and what for it to fail.",
    ("classification", "critic"): "Decide which field of study or practice can judge this claim, and say why.",
    ("evidence", "supporter"): "Find the strongest evidence that there is for the claim.",
    ("evidence", "counter"): "Find the strongest evidence that there is against the claim.",
    ("critique", "critic"): "Find gaps in the logic, assumptions that nothing supports, and flaws of method.",
    ("critique", "questioner"): "Raise the questions that matter most and that nobody has settled.",
    ("defense", "defender"): "Say why the claim holds in spite of the weaknesses, or admit where it does not.",
    ("defense", "answerer"): "Answer the questions one by one, directly; say so where one cannot be answered.",
}

ROLE_TASKS: Mapping[str, str] = {
    "contributor": "Contribute what the others are likely to miss.",
    "critic": "Judge as a critic: what in this chain does not bear its load?",
    "questioner": "Judge as a questioner: what that matters has been left unanswered?",
    "supporter": "Judge as a supporter: what in favour of the claim stands after all this?",
    "counter": "Judge as an opponent: what against the claim stands after all this?",
    "defender": "Judge as a defender: which objections can be met, and how?",
    "answerer": "Answer what has been asked.",
}

CONSENSUS_TASK = """Judge the work of this layer as a whole, which is shown above, and say what it comes to. Give the
output of the layer as you would sign it. Your confidence is how sure you are that the layer has reached its goal: if
the work is thin, one-sided or wrong, say so with a low figure. Agents who agree for no reason help nobody."""

SYNTHESIS_TASK = """Draw the whole way of the claim together into a short summary and recommend what to do with the
claim. Your confidence is how sure you are of the recommendation."""

WANTED: Mapping[Shape, Mapping[str, str]] = {
    "framing": {"content": "your output in prose, at most five sentences"},
    "classification": {
        "content": "your reasons in prose, at most three sentences",
        "domain": "the domain as lower-case words joined by dashes, at most three words",
    },
    "evidence": {
        "content": "your assessment in prose, at most four sentences",
        "keyPoints": "a list of one to four points of evidence, each a sentence that stands alone",
        "strength": 'how strong this evidence is: "strong", "moderate" or "weak"',
    },
    "critique": {
        "content": "your assessment in prose, at most four sentences",
        "weaknesses": "a list of at most four weaknesses, each a sentence that stands alone",
        "questions": "a list of at most four open questions",
        "severity": 'how much these weigh against the claim: "high", "moderate" or "low"',
    },
    "defense": {
        "content": "your assessment in prose, at most four sentences",
        "responseToWeaknesses": "a list of responses, each begun with the mark of the weakness it answers and a colon",
        "answeredQuestions": "a list of answers, each begun with the mark of the question it answers and a colon",
    },
    "deliberation": {
        "content": "your position in prose, at most five sentences",
        "verdict": '"advance-to-synthesis" where the claim is ready for its verdict, "flag" where a person should look',
        "caveats": "a list of at most four caveats, empty where there are none",
    },
    "synthesis": {
        "content": "your reasons in prose, at most four sentences",
        "summary": "what the examination came to, at most four sentences that a newcomer understands",
        "recommendation": '"accept", "accept-with-caveats", "reject" or "needs-more-evidence"',
        "answer": "only where a form of answer is asked for, the answer in that form; else empty",
    },
}

CONFIDENCE_WANTED = "a number from 0 to 1"

SCALE = """Confidence: 0.9 to 1.0 very high, the evidence is clear; 0.7 to 0.9 good reasoning with minor caveats; 0.5 to
0.7 uncertain, with significant caveats; 0.0 to 0.5 low, with major gaps."""

SUMMARY_TASK = """Several agents have summed up the examination of this claim, each alone. Write one summary from
theirs, at most five sentences: what they share first, then where they differ. Add nothing that none of them says.

Reply with one JSON object on one line and nothing else. Its only field: "summary", a string."""


def task_of(layer: Layer, role: str, *, consensus: bool) -> str:
    """Return what this role does in this layer."""
    if layer.shape == "synthesis":
        return SYNTHESIS_TASK
    if consensus:
        return CONSENSUS_TASK
    return WORK_TASKS.get((layer.shape, role), ROLE_TASKS[role])


def wanted_of(layer: Layer) -> dict[str, str]:
    """Return the fields of the layer's output, each with what belongs in it."""
    return {**WANTED[layer.shape], "confidence": CONFIDENCE_WANTED}


def slot_messages(question: Question, context: Mapping[str, Any]) -> tuple[Message, ...]:
    """Return the blind prompt of one slot from what its context holds: the claim and what is past, then the task."""
    layer, earlier, work = context["layer"], context["earlier"], context.get("work", ())
    room = max(LEAST_SHOWN, min(OUTPUT_SHOWN, OUTPUTS_SHOWN // max(1, len(earlier) + len(work))))
    parts = [
        _claim(question),
        *_section("What earlier layers came to", earlier, room),
        *_section("The work of this layer", work, room),
        *_marked("Weaknesses to answer", context.get("weaknesses", ())),
        *_marked("Questions to answer", context.get("questions", ())),
    ]
    if context.get("review"):
        parts.append(fenced("A reviewer had this layer done again, with this note", context["review"]))
    fields = "\n".join(f'"{name}": {what};' for name, what in context["wanted"].items())
    parts.append(
        f"This is layer {layer['number']}, {layer['name']}. Its goal: {layer['goal']}.\n"
        f"Your role: {context['role']}. {context['task']}\n\n{SCALE}\n\n"
        f"Reply with one JSON object on one line and nothing else. Its fields, in this order:\n{fields}"
    )
    return (Message("system", SYSTEM), Message("user", "\n\n".join(parts)))


def summary_messages(question: Question, summaries: Sequence[str]) -> tuple[Message, ...]:
    """Return the prompt for one summary from several (ruling P6)."""
    listed = "\n".join(f"{number}. {text}" for number, text in enumerate(summaries, 1))
    parts = [_claim(question), fenced("The summaries", listed), SUMMARY_TASK]
    return (Message("system", SYSTEM), Message("user", "\n\n".join(parts)))


def _claim(question: Question) -> str:
    documents = f"{fenced_documents(question.documents)}\n\n" if question.documents else ""
    form = f"\n\nThe form of answer asked for: {question.form}" if question.form else ""
    return f"{documents}{fenced('The claim', question.text)}{form}"


def _section(title: str, outputs: Sequence[Mapping[str, Any]], room: int) -> list[str]:
    if not outputs:
        return []
    lines = [
        f"layer {item['layer']} {item['name']}, {item['phase']}, {item['role']}: {_cut(item['output'], room)}"
        for item in outputs
    ]
    return [fenced(title, "\n".join(lines))]


def _marked(title: str, points: Sequence[str]) -> list[str]:
    return [fenced(title, "\n".join(_start(point, MARKED_SHOWN) for point in points[:MOST_MARKED]))] if points else []


def _cut(output: Mapping[str, Any], room: int) -> str:
    """Return an output with half of the room for its prose, and the other half for its points."""
    return canonical({name: _cut_value(value, room) for name, value in output.items() if value not in ("", [])})


def _cut_value(value: Any, room: int) -> Any:
    if isinstance(value, list):
        return [_start(item, room // 2 // POINTS_SHOWN) for item in value[:POINTS_SHOWN]]
    return _start(value, room // 2) if isinstance(value, str) else value


def _start(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
