"""The second member: a response, verified and revised before it is final (coherence 5, rulings K6 to K10)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from moot.core.calls import Ask, Missing, Prose
from moot.core.deliberation import Deliberation
from moot.core.question import Question
from moot.protocols.coherence.first_member import Unfolded
from moot.protocols.coherence.graph_files import Graph
from moot.protocols.coherence.prompts import judge_messages, response_messages, revision_messages, whole_prompt
from moot.protocols.coherence.schemas import CoherenceSettings, JudgeReply
from moot.protocols.coherence.verification import FailedCheck, judge_failures, program_failures

JUDGE_TOKENS = 200


@dataclass(frozen=True, slots=True)
class Traces:
    """What the first member and the engine leave to the second, and the words in which it is shown (coherence 5.3)."""

    unfolded: Unfolded
    paths: dict[str, Any]
    shown: str


@dataclass(frozen=True, slots=True)
class Version:
    """One version of the response, what is wrong with it, and whether a judge has seen it."""

    text: str
    failures: tuple[FailedCheck, ...]
    judged: bool


@dataclass(frozen=True, slots=True)
class SecondMember:
    """Who writes, who judges, and what they are given."""

    writer: str
    judge: str
    question: Question
    shown: Question
    """The question over what the members are shown of the documents (ruling I20)."""
    deliberation: Deliberation
    settings: CoherenceSettings
    graphs: Sequence[Graph]
    traces: Traces

    async def respond(self) -> list[Version]:
        """Return the versions of the response: revised until one passes or the revisions run out (ruling K6)."""
        messages = response_messages(self.shown, self.traces.shown)
        versions: list[Version] = []
        for number in range(1, self.settings.revisions + 2):
            temperature, most = self.settings.temperature, self.settings.max_tokens
            reply = await self.deliberation.ask(
                Ask(f"response/{number}", self.writer, messages, Prose, temperature, most)
            )
            if isinstance(reply, Missing):
                break
            version = await self._verified(reply.text, number)
            versions.append(version)
            said = {"version": number, "judged": version.judged, "failures": version.failures}
            await self.deliberation.note("verified", said)
            if not version.failures:
                break
            messages = revision_messages(self.shown, self.traces.shown, version.text, version.failures)
        return versions

    async def _verified(self, response: str, number: int) -> Version:
        """Return a version with every check that it fails: the program's first, then the judge's (coherence 5.3)."""
        columns, form = self.traces.unfolded.columns, self.traces.unfolded.form
        prompt = whole_prompt(self.question)
        failures = program_failures(response, prompt=prompt, form=form, columns=columns, graphs=self.graphs)
        messages = judge_messages(self.shown, self.traces.shown, form, response)
        judged = await self.deliberation.ask(
            Ask(f"judge/{number}", self.judge, messages, JudgeReply, 0.0, JUDGE_TOKENS)
        )
        if isinstance(judged, Missing):
            return Version(response, tuple(failures), judged=False)
        return Version(response, (*failures, *judge_failures(judged)), judged=True)
