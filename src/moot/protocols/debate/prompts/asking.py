"""The words in which `debate` asks, beside its four layers: who receives what (debate 3.5), and the special rounds."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from moot.core.calls import Message
from moot.core.canonical import plain, rounded
from moot.core.question import Question
from moot.core.tokens import prompt_tokens
from moot.methods.fencing import FENCE_RULE, fenced
from moot.protocols.debate.modes import anchor_of
from moot.protocols.debate.prompts.layers import Brief, mode_prompt
from moot.protocols.debate.prompts.window import Ruler, clipped, compact, context_view
from moot.protocols.debate.schemas import AgentResponse
from moot.protocols.debate.state.context import SQUEEZED, Budgets, DebateContext
from moot.protocols.debate.state.speech import Agent, Speech
from moot.protocols.debate.state.state import DebateState, Vulnerability

FOCUS = 60
TOLD = 100
"""Tokens of the focus question and of what the program tells an agent, within the budget for instructions."""

METADATA = """Topic: {topic}
Mode: {mode}. Round {round} of at most {rounds}.{focus}"""

INSTRUCTIONS = """State your position clearly, support it by reasoning, say how sure you are, cite what you use.
{fence}"""

FIRST = "This is the first round: nobody has spoken before you."
FIRST_IN_TURN = "This is the first round; those before you have spoken."
BEGINS = "Round {round} begins. Take up what was said, and vote on {proposal}."
BEGINS_WITHOUT = "Round {round} begins. Take up what was said."

CRITICAL = """This is a critical objection round: the group agrees too easily ({why}). Whatever you believe, give the \
best argument against the proposal that is not on the table yet, a FACT or INFER that carries it, and an alternative."""

TELLING = "The program found in what you said before: {told}."

REVISION = """Your response fails these checks:
{failed}
{told}Revise it once. Send the whole response again as one JSON object on one line."""

LOOKING_UP = """You take part in a debate on the topic below and may look things up before you speak. The documents are:
{documents}
Tools: "search" finds passages by words; "read" gives a passage, as in "2, passage 3"; "calculate" computes numbers.
Reply with one JSON object on one line: {{"calls": […]}} with at most {most} calls, each with "tool" and "input"; an \
empty list if you need nothing."""

FINDINGS = "What your tools gave. Cite it by a reference whose title is its id:"

EVALUATOR = """You are the safety evaluator of a debate. You take no part in it and judge nothing but safety.
A contribution is blocked if it gives instructions for an attack or another harm, helps to get around safeguards, \
manipulates or harasses a person, or puts the people it is meant for at risk. Naming a danger, a weakness or a misuse \
in general terms is allowed and needed.
{fence}
Reason for the review: {why}.{audience}
Reply with one JSON object on one line: "reasoning" (one sentence), "blocks" (a list, each with "agent" and "reason"; \
empty if nothing is to be blocked), "clear" (true if the debate needs no further watching)."""

MENDING = """You are on the blue team of a debate on the topic below. These vulnerabilities have no mitigation yet. \
Give each of them one that could be carried out, by its id.
{fence}
Reply with one JSON object on one line: "mitigations", a list of objects with "vulnerability" (the id) and "text"."""


def round_messages(
    context: DebateContext,
    agent: Agent,
    shown: Callable[[Budgets], str],
    *,
    told: Sequence[str] = (),
    findings: Sequence[str] = (),
) -> tuple[Message, ...]:
    """Return what an agent receives in a round (debate 3.5), squeezed until it fits (debate 7.6)."""
    system = _system(context, agent)
    messages: tuple[Message, ...] = ()
    for budgets in SQUEEZED:
        parts = [text] if (text := shown(budgets)) else []
        parts += [_findings(findings, budgets)] if findings else []
        parts.append(_instructions(context, told, budgets))
        messages = (Message("system", system), Message("user", "\n\n".join(parts)))
        if prompt_tokens(messages, context.bytes_per_token) <= context.prompt_tokens:
            break
    return messages


def _system(context: DebateContext, agent: Agent) -> str:
    question, settings, focus = context.question, context.settings, context.focus_question
    brief = Brief(
        first_round=context.state.proposal is None,
        form=question.form,
        high_stakes=settings.high_stakes,
        focus=bool(focus),
    )
    metadata = METADATA.format(
        topic=question.text,
        mode=context.mode.name,
        round=context.number,
        rounds=settings.rounds,
        focus=_focused(focus),
    )
    layers = mode_prompt(agent, context.mode, anchor_of(agent.place), brief)
    return "\n\n".join((layers, metadata, INSTRUCTIONS.format(fence=FENCE_RULE)))


def _focused(focus: str) -> str:
    return f"\nFocus question: {clipped(focus, FOCUS)}" if focus else ""


def debate_so_far(context: DebateContext) -> Callable[[Budgets], str]:
    """Return what shows the debate within budgets: the same to all who speak at once, and made once."""
    state = context.state

    @cache
    def shown(budgets: Budgets) -> str:
        view = context_view(state, context.packets, context.current, budgets, Ruler(context.bytes_per_token))
        text = fenced("The debate so far:", compact(view)) if view else ""
        figures = context.mode.anonymous and state.agents
        return f"{text}\n\nGroup figures: {compact(group_figures(state))}" if figures else text

    return shown


def _instructions(context: DebateContext, told: Sequence[str], budgets: Budgets) -> str:
    proposal, number = context.state.proposal, context.number
    if proposal:
        begins = BEGINS.format(round=number, proposal=f"proposal {proposal.id}")
    elif number > 1:
        begins = BEGINS_WITHOUT.format(round=number)
    else:
        begins = FIRST_IN_TURN if context.current.heard else FIRST
    parts = [begins]
    if context.tested:
        parts.append(CRITICAL.format(why=clipped("; ".join(context.tested.why), 25)))
    if told:
        parts.append(clipped(TELLING.format(told="; ".join(told)), 50 if context.tested else TOLD))
    return clipped("\n".join(parts), budgets.instructions)


def _findings(findings: Sequence[str], budgets: Budgets) -> str:
    share = budgets.findings // max(1, len(findings))
    return fenced(FINDINGS, "\n".join(clipped(item, share) for item in findings))


def group_figures(state: DebateState) -> dict[str, Any]:
    """Return the statistics that a Delphi round gives back to the group (ruling D6)."""
    values = sorted(item.confidence for item in state.agents.values())
    middle = len(values) // 2
    median = values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2
    votes = [item.vote for item in state.agents.values() if item.vote]
    return {
        "experts": len(values),
        "confidence": {
            "mean": rounded(sum(values) / len(values)),
            "median": rounded(median),
            "lowest": values[0],
            "highest": values[-1],
        },
        "votes": {vote: votes.count(vote) for vote in sorted(set(votes))},
    }


def revision_messages(
    messages: Sequence[Message], said: AgentResponse, failed: Iterable[str], told: Sequence[str]
) -> tuple[Message, ...]:
    """Return the prompt of the one revision: the first prompt, the response, what it fails (decision 6, D8)."""
    listed = "\n".join(f"- {item}" for item in failed)
    also = f"The program also found: {clipped('; '.join(told), TOLD)}.\n" if told else ""
    shown = clipped(compact(plain(said)), 1_000)
    return (*messages, Message("assistant", shown), Message("user", REVISION.format(failed=listed, told=also)))


def lookup_messages(context: DebateContext, agent: Agent) -> tuple[Message, ...]:
    """Return the prompt by which an agent may use its tools before it speaks."""
    question = context.question
    listed = "\n".join(f"{place}. {item.name}" for place, item in enumerate(question.documents[:50], 1))
    system = LOOKING_UP.format(documents=clipped_lines(listed), most=context.settings.lookups)
    part = f"Your part: {agent.role.mission}"
    user = f"Topic: {question.text}\n{part}{_focused(context.focus_question)}"
    return (Message("system", system), Message("user", user))


def clipped_lines(text: str, lines: int = 50) -> str:
    """Return the first lines of a list, each of a bounded length."""
    return "\n".join(line[:120] for line in text.splitlines()[:lines])


def review_messages(speeches: Sequence[Speech], why: Sequence[str], audience: str) -> tuple[Message, ...]:
    """Return the prompt of the safety evaluator: what was said, and nothing else of the debate (decision 2)."""
    for_whom = f" The answer is meant for: {clipped(audience, 60)}." if audience else ""
    system = EVALUATOR.format(fence=FENCE_RULE, why="; ".join(why) or "watching goes on", audience=for_whom)
    said = [{"agent": item.agent, "said": clipped(compact(plain(item.said)), 700)} for item in speeches]
    return (Message("system", system), Message("user", fenced("Contributions:", compact(said))))


def mending_messages(question: Question, missing: Sequence[Vulnerability]) -> tuple[Message, ...]:
    """Return the prompt that asks the blue team for missing mitigations (ruling D5)."""
    listed = [{"id": item.id, "vulnerability": clipped(item.text, 60)} for item in missing]
    user = f"Topic: {question.text}\n\n{fenced('Vulnerabilities:', compact(listed))}"
    return (Message("system", MENDING.format(fence=FENCE_RULE)), Message("user", user))
