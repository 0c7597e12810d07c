"""A protocol in one file: every member answers once, and the answer that most of them give stands."""

from collections import Counter

from pydantic import Field

from moot.protocol import (
    FENCE_RULE,
    Ask,
    Basis,
    Budget,
    Confidence,
    Deliberation,
    Expectation,
    Message,
    Panel,
    ProtocolSpec,
    Question,
    Reply,
    Settings,
    Status,
    Verdict,
    fenced_documents,
    no_confidence,
    prompt_tokens,
)

TASK = "Answer the question in a few words, from the documents where there are any. Send a JSON object: answer, a text."


class Answer(Reply):
    answer: str = Field(min_length=1, max_length=500)


class MineSettings(Settings):
    temperature: float = Field(default=0.7, ge=0, le=2, description="how freely members answer")


def messages(question: Question) -> tuple[Message, ...]:
    user = f"{fenced_documents(question.documents)}\n\nQuestion: {question.text}"
    return (Message("system", f"{TASK} {FENCE_RULE}"), Message("user", user))


async def run(question: Question, deliberation: Deliberation, settings: MineSettings) -> Verdict:
    replies = await deliberation.ask_all(
        [
            Ask(f"answer/{member.name}", member.name, messages(question), Answer, settings.temperature, 200)
            for member in deliberation.panel
        ]
    )
    votes = Counter(reply.answer for reply in replies if isinstance(reply, Answer))
    if not votes:
        return Verdict(None, Status.FAILED, "nobody answered", no_confidence("there is no answer"))
    answer, most = votes.most_common(1)[0]
    asked = len(deliberation.panel)
    share = Confidence(most / asked, Basis.VOTES, f"{most} of {asked} gave it")
    return Verdict(answer, Status.COMPLETE, f"{len(votes)} different answers", share, detail={"votes": dict(votes)})


def expected(question: Question, panel: Panel, settings: MineSettings) -> Expectation:
    prompt = prompt_tokens(messages(question))
    return Expectation(len(panel), len(panel) * prompt, len(panel) * 50, longest=prompt + 200)


MINE = ProtocolSpec(
    name="mine",
    version=1,
    summary="the answer that most members give",
    run=run,
    settings=MineSettings,
    seats=3,
    minimum=1,
    budget=Budget(calls=20),
    expected=expected,
)
