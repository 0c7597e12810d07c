"""What goes around a round: tools before an agent speaks, mitigations after all have spoken (ruling D5)."""

from collections.abc import Sequence

from moot.core.calls import Ask, Missing
from moot.core.deliberation import Deliberation
from moot.protocols.debate.ballots import with_mitigation
from moot.protocols.debate.floor import Floor
from moot.protocols.debate.fold import with_tool_result
from moot.protocols.debate.prompts import lookup_messages, mending_messages
from moot.protocols.debate.safety import harm_in
from moot.protocols.debate.schemas import Mitigations, ToolCalls
from moot.protocols.debate.speech import Agent
from moot.protocols.debate.tools import used

LOOKUP_TOKENS = 160
MENDING_TOKENS = 500


async def look_up(
    floor: Floor, deliberation: Deliberation, batch: Sequence[Agent], number: int
) -> dict[str, list[str]]:
    """Let agents use their tools on the documents before they speak; what a tool gives is evidence."""
    most = floor.settings.lookups
    if not most or not floor.question.documents:
        return {}
    replies = await deliberation.ask_all(
        [
            Ask(
                f"round/{number}/{agent.seat}/lookup",
                agent.seat,
                lookup_messages(floor.question, agent, most, floor.focus_question(number)),
                ToolCalls,
                floor.settings.temperature,
                LOOKUP_TOKENS,
            )
            for agent in batch
        ]
    )
    findings: dict[str, list[str]] = {}
    for agent, reply in zip(batch, replies, strict=True):
        for call in () if isinstance(reply, Missing) else reply.calls[:most]:
            found = used(call, floor.question.documents)
            given = [_recorded(floor, title, text, found.is_calculation) for title, text in found.results]
            shown = [f"{name} {title}: {text}" for name, (title, text) in zip(given, found.results, strict=True)]
            findings.setdefault(agent.name, []).extend(shown or [f"{call.tool} {call.input!r}: {found.problem}"])
            told = {"tool": call.tool, "input": call.input, "evidence": given, "problem": found.problem}
            floor.tool_calls.append({"round": number, "agent": agent.name, **told})
            await deliberation.note("tool", floor.tool_calls[-1])
    return findings


def _recorded(floor: Floor, title: str, text: str, calculation: bool) -> str:
    floor.state = with_tool_result(floor.state, title, text, floor.round + 1, calculation=calculation)
    wanted = " ".join(title.casefold().split()), " ".join(text.casefold().split())
    return next(item.id for item in floor.state.evidence if item.key[1:] == wanted)


async def mend(floor: Floor, deliberation: Deliberation, number: int) -> None:
    """Ask the blue team for what every open vulnerability still lacks, by id (ruling D5)."""
    blue = [agent for agent in floor.agents if "mitigations" in agent.role.fields]
    missing = [item for item in floor.state.vulnerabilities if not item.mitigations]
    if not blue or not missing:
        return
    parts = {agent.seat: missing[place :: len(blue)] for place, agent in enumerate(blue)}
    replies = await deliberation.ask_all(
        [
            Ask(
                f"round/{number}/{seat}/mitigations",
                seat,
                mending_messages(floor.question, part),
                Mitigations,
                floor.settings.temperature,
                MENDING_TOKENS,
            )
            for seat, part in parts.items()
            if part
        ]
    )
    for reply in replies:
        answers = () if isinstance(reply, Missing) else reply.mitigations
        for item in (answer for answer in answers if not harm_in(answer.text)):
            floor.state = with_mitigation(floor.state, item.vulnerability.upper(), item.text)
