"""Every protocol over documents shows what its setting `passages` says, and its verdict tells (ruling I20)."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from moot.core.calls import Failure, Request
from moot.core.canonical import plain
from moot.core.events import Header
from moot.core.panel import seated
from moot.core.protocol import ProtocolSpec
from moot.core.question import Document, Question
from moot.core.verdict import Status
from moot.evals.arms.protocols import EVAL_PROTOCOLS
from moot.protocols import find_protocol
from tests.protocols.coherence_kit import FAIR, GRAPHS, unfolded
from tests.protocols.debate.kit import debated, everybody, response
from tests.protocols.ended import Ended
from tests.protocols.prism import kit as prism_kit
from tests.protocols.spiral.kit import VECTORS, panel_of, position
from tests.protocols.spiral.kit import Member as Spiralling
from tests.runtime.protocol import Course

SEEN, UNSEEN = "Server x9 runs Linux in rack 7.", "The harpsichord was tuned in May."
PAGES = (
    Document(name="servers", text=SEEN),
    *(Document(name=f"diary {day}", text=f"{UNSEEN} Day {day} was fair.") for day in range(1, 4)),
)
ASKED = Question(text="Which server runs Linux?", documents=PAGES)
CAVEAT = "1 of 4 paragraphs shown."
SILENT = "The documents do not say."

Said = str | Mapping[str, Any] | Failure
ARMS = [name for name in EVAL_PROTOCOLS if name != "self-consistency"]


def answering(protocol: str, answer: str) -> Callable[[Request], Said]:
    """Return what members of a protocol reply so that this becomes its answer."""
    spiral = panel_of(*[Spiralling(position(answer))] * 3)
    said = {"L7.*/summary": {"summary": answer}, "L7.*/consensus/1*": prism_kit.output(7, summary=f"{answer}, so far")}
    prism = prism_kit.by_step({**said, "L7.*": prism_kit.output(7, summary=answer)})

    def coherence(request: Request) -> Said:
        kind = request.step.partition("/")[0]
        return {"response": answer, "judge": FAIR}.get(kind, unfolded())

    known: Mapping[str, Callable[[Request], Said]] = {
        "single": lambda _: {"reasoning": "It is there.", "answer": answer, "confidence": 0.8},
        "spiral": spiral,
        "coherence": coherence,
        "prism": lambda request: prism(request.step),
    }
    return known.get(protocol, lambda _: f"It is there.\nAnswer: {answer}")


def row_of(protocol: str) -> ProtocolSpec:
    return EVAL_PROTOCOLS[protocol] if protocol in EVAL_PROTOCOLS else find_protocol(protocol)


def asked(protocol: str, reply: Callable[[Request], Said], question: Question = ASKED, **chosen: Any) -> Ended:
    row, seen = row_of(protocol), list[Request]()
    more = {"graphs": {"path": "mine", "texts": GRAPHS}} if protocol == "coherence" else {}
    settings = row.settings(**{**row.unattended, **more, **chosen})

    def react(request: Request, number: int) -> Any:
        seen.append(request)
        said = reply(request)
        return json.dumps(said) if isinstance(said, Mapping) else said

    header = Header(
        question=question,
        protocol=row.name,
        protocol_version=row.version,
        moot_version="0",
        settings=plain(settings),
        panel=seated([f"script:{number}" for number in range(row.seats)]),
        budget=row.budget,
        seed=11,
        data=row.made_from(settings),
    )
    reactions = {member.model: react for member in header.panel}
    made = Course(header=header, row=row, reactions=reactions, embedder=VECTORS, people={})
    return Ended(made.run(), made, seen)


def prompts(ended: Ended) -> str:
    return "\n".join(message.content for request in ended.requests for message in request.messages)


PROTOCOLS = ["single", "spiral", "coherence", "prism"]


@pytest.mark.clause("ruling:I20")
@pytest.mark.parametrize("protocol", [*PROTOCOLS, *ARMS])
def test_members_read_what_is_shown_and_the_verdict_and_the_record_tell(protocol: str) -> None:
    ended = asked(protocol, answering(protocol, "x9"), passages=1)

    assert SEEN in prompts(ended)
    assert UNSEEN not in prompts(ended)
    assert ended.verdict.caveats[-1] == CAVEAT
    assert ended.verdict.status is Status.COMPLETE
    assert ended.notes("shown") == [{"paragraphs": ["servers, passage 1"], "of": 4}]


@pytest.mark.clause("ruling:I20")
@pytest.mark.parametrize("protocol", [*PROTOCOLS, *ARMS])
@pytest.mark.parametrize("passages", ["all", "auto", 4])
def test_what_members_can_read_is_shown_whole_and_nothing_is_said_of_it(protocol: str, passages: str | int) -> None:
    ended = asked(protocol, answering(protocol, SILENT), passages=passages)

    assert UNSEEN in prompts(ended)
    assert CAVEAT not in ended.verdict.caveats
    assert ended.notes("shown") == []
    assert ended.verdict.status is Status.COMPLETE


@pytest.mark.clause("ruling:I20")
@pytest.mark.parametrize("protocol", [*PROTOCOLS, *ARMS])
def test_that_what_was_shown_does_not_say_is_no_complete_answer(protocol: str) -> None:
    ended = asked(protocol, answering(protocol, SILENT), passages=1)

    assert ended.verdict.status is Status.PARTIAL
    assert ended.verdict.stop_reason.startswith("what was shown does not say; ")


@pytest.mark.clause("ruling:I20")
@pytest.mark.parametrize("protocol", [*PROTOCOLS, *ARMS])
def test_an_end_without_an_answer_tells_what_was_shown_too(protocol: str) -> None:
    ended = asked(protocol, lambda _: Failure("unreachable", "nobody there"), passages=1)

    assert ended.verdict.answer is None
    assert ended.verdict.caveats[-1] == CAVEAT


@pytest.mark.clause("ruling:I20")
@pytest.mark.parametrize("protocol", [*PROTOCOLS, *ARMS])
def test_what_is_expected_is_what_a_small_member_will_be_shown(protocol: str) -> None:
    row, small = row_of(protocol), seated(["embedded"] * row_of(protocol).seats)
    long = Question(
        text=ASKED.text, documents=tuple(Document(name=f"page {n}", text="x9 hums. " * 400) for n in range(9))
    )

    auto, whole = (row.expected(long, small, row.settings.model_validate({"passages": how})) for how in ("auto", "all"))

    assert auto.tokens_in < whole.tokens_in / 2
    assert auto.longest < whole.longest - 4_000


@pytest.mark.clause("ruling:I20")
def test_self_consistency_votes_over_what_is_shown() -> None:
    ended = asked("self-consistency", answering("", "x9"), passages=1, samples=2)

    assert SEEN in prompts(ended) and UNSEEN not in prompts(ended)
    assert CAVEAT in ended.verdict.caveats


@pytest.mark.clause("ruling:I20")
def test_a_response_may_use_a_word_of_a_document_that_its_writer_was_not_shown() -> None:
    named = ASKED.model_copy(update={"documents": (*PAGES, Document(name="peaks", text="K2 is a mountain."))})

    whole = asked("coherence", answering("coherence", "Climb K2 and look at x9."), named, passages=1)
    absent = asked("coherence", answering("coherence", "Climb K3 and look at x9."), named, passages=1)

    assert "K2 is a mountain" not in prompts(whole)
    assert (whole.verdict.status, absent.verdict.status) == (Status.COMPLETE, Status.PARTIAL)


@pytest.mark.clause("ruling:I20")
def test_an_outside_agent_of_a_prism_is_told_of_every_document() -> None:
    documents = {page.name: page.text for page in PAGES}
    waits = prism_kit.run(house="work", documents=documents, claim="Server x9 runs Linux.", passages=1)

    assert waits.waiting
    assert all(step.context["documents"] == list(documents) for step in waits.waiting)
    assert waits.notes("shown")


@pytest.mark.clause("ruling:I20")
def test_where_the_house_fills_no_slot_of_a_prism_nothing_is_narrowed_for_it() -> None:
    documents = {page.name: page.text for page in PAGES}

    waits = prism_kit.run(house="none", documents=documents, claim="Server x9 runs Linux.", passages=1)

    assert waits.notes("shown") == []


@pytest.mark.clause("ruling:I20")
def test_no_document_stands_in_a_prompt_of_a_debate_unless_an_agent_looks_it_up() -> None:
    def looking(seat: str, number: int, kind: str) -> Said | None:
        if kind == "lookup":
            return {"calls": [{"tool": "search", "input": "harpsichord"}] if seat == "m2" else []}
        return response("x9") if not kind else None

    quiet = debated(everybody(response("x9")), documents=PAGES)
    curious = debated(looking, documents=PAGES)

    assert SEEN not in prompts(quiet) and UNSEEN not in prompts(quiet)
    assert UNSEEN in curious.prompt("round/1/m2")
    assert UNSEEN not in curious.prompt("round/1/m1")
