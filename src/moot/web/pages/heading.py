"""What the pages of one deliberation have in common: who may see it, its head, its tabs."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Path, Request

from moot.core.verdict import Status
from moot.service.reading.heads import DeliberationHead, read_head
from moot.views.words import MEANING, one_line
from moot.web.access import ADMIN, AGENT, REVIEWER, Caller, caller_of
from moot.web.entitled import readable
from moot.web.pages.figures import status_word
from moot.web.pages.forms import fresh_once
from moot.web.serving import Here


@dataclass(frozen=True, slots=True)
class PageTab:
    """One of the pages of a deliberation."""

    name: str
    words: str
    path: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a deliberation with what its reader may do."""

    head: DeliberationHead
    caller: Caller
    tabs: tuple[PageTab, ...]

    @property
    def path(self) -> str:
        """The address of the deliberation."""
        return f"/d/{self.head.id}"

    @property
    def title(self) -> str:
        """What the tab of a browser is called."""
        head = self.head
        question, word = one_line(head.header.question.text, 80), status_word(head.status, stalled=head.stalled)
        mark = "\N{WHITE CIRCLE}" if head.stalled else "\N{BLACK CIRCLE}"
        return question if head.status.ended else f"{mark} {word} \N{EN DASH} {question}"

    @property
    def meaning(self) -> str:
        """What its status means, where the word alone does not say it."""
        status = self.head.status
        return "" if status is Status.RUNNING else MEANING[status].removeprefix(status.value).removeprefix(": ")

    @property
    def may_steer(self) -> bool:
        """Whether the reader may stop it and go on with it."""
        return self.caller.has(ADMIN) or self.head.owner == self.caller.prefix

    @property
    def may_ask(self) -> bool:
        """Whether the reader may start others, such as a fork of it."""
        return self.caller.has(AGENT, REVIEWER)

    @property
    def may_contest(self) -> bool:
        """Whether the reader may refute its claims."""
        return self.caller.has(REVIEWER)

    @property
    def may_see_record(self) -> bool:
        """Whether prompts and exports are the reader's to see: until it has ended they are for reviewers."""
        return self.head.status.ended or self.caller.has(REVIEWER)

    @property
    def can_stop(self) -> bool:
        """Whether there is something to stop."""
        return self.may_steer and self.head.status is Status.RUNNING and not self.head.stalled

    @property
    def can_resume(self) -> bool:
        """Whether it was left alone before its end."""
        return self.may_steer and self.head.stalled

    @property
    def can_delete(self) -> bool:
        """Whether the reader may remove it for good: nobody works on it."""
        return self.caller.has(ADMIN) and (self.head.status.ended or self.head.stalled)

    def live(self, tab: str, after: int, query: str = "") -> str:
        """Return the address of the stream that keeps a tab up; empty where all that will happen is shown."""
        further = f"&{query}" if query else ""
        is_whole = self.head.status.ended and after >= self.head.events - 1
        return "" if is_whole else f"{self.path}/live?tab={tab}{further}"

    def context(self, tab: str, **more: Any) -> dict[str, Any]:
        """Return what the template of a tab is given."""
        own = {"heading": self, "head": self.head, "tab": tab, "after": self.head.events - 1}
        return {**own, "once": fresh_once(), **more}


async def _heading(
    request: Request, serving: Here, id_: Annotated[str, Path(alias="id", min_length=1, max_length=100)]
) -> Heading:
    caller = caller_of(request)
    head = await read_head(serving.service, await readable(id_, serving, caller))
    return heading_of(head, caller)


def heading_of(head: DeliberationHead, caller: Caller) -> Heading:
    """Return the head of a deliberation for one reader."""
    return Heading(head, caller, tuple(_tabs(head)))


def _tabs(head: DeliberationHead) -> list[PageTab]:
    path = f"/d/{head.id}"
    there = [PageTab("answer", "Answer", path)]
    there += [PageTab("argument", "Argument", f"{path}/argument")] * head.argument
    there += [PageTab("rounds", head.rounds, f"{path}/rounds")] * bool(head.rounds)
    return [
        *there,
        PageTab("transcript", "Transcript", f"{path}/transcript", head.events),
        PageTab("calls", "Calls", f"{path}/calls", head.spent.calls),
        PageTab("record", "Record", f"{path}/record"),
    ]


DeliberationHeading = Annotated[Heading, Depends(_heading)]
