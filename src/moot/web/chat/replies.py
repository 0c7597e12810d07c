"""A deliberation's end as the reply of a chat: whole, or in the chunks of a stream."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from moot.core.errors import NoAnswer
from moot.core.verdict import Status
from moot.service.results import Result
from moot.version import __version__
from moot.views.words import MEANING, confidence_words, counted, one_line
from moot.web.chat.shapes import AnswerShape

TOLD = ("status", "stop_reason", "confidence", "dissent", "caveats", "asked", "answered", "missing", "cost", "protocol")
"""What the `moot` object says of a result, as `moot ask --json` has it."""

LONGEST_LINE = 200
DONE = "data: [DONE]\n\n"


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """What every reply to a chat has in common, and how its answer is to be written."""

    deliberation: str
    model: str
    created: int
    address: str
    """Where the server is reached."""
    shape: AnswerShape | None = None
    footer: bool = False

    def whole(self, result: Result) -> dict[str, Any]:
        """Return the reply to a chat that is not streamed.

        Raises:
            NoAnswer: where the deliberation came to none.
        """
        content, refusal = self.said(result)
        message = {"role": "assistant", "content": content, "refusal": refusal}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return {
            **self._head("chat.completion"),
            "choices": [choice],
            "usage": usage_of(result),
            "moot": self.about(result),
        }

    def said(self, result: Result) -> tuple[str | None, str | None]:
        """Return the answer as it is sent, or why it does not have the form that was asked for.

        Raises:
            NoAnswer: where the deliberation came to none.
        """
        if result.answer is None:
            raise NoAnswer(deliberation=result.id, status=result.status.value, reason=result.stop_reason)
        if self.shape is None:
            return result.answer + (self._footer_text(result) if self.footer else ""), None
        try:
            return self.shape.filled(result.answer, _known(result)), None
        except ValueError as error:
            return None, f"the panel answers, but not in the form asked for: {error}"

    def about(self, result: Result) -> dict[str, Any]:
        """Return the `moot` object: with how much authority the answer may be shown, and where its record is."""
        told = result.json()
        return {
            "id": result.id,
            **{name: told[name] for name in TOLD},
            "answer": result.answer,
            "address": self._page,
            "api": f"{self.address}/api/v1/deliberations/{result.id}",
        }

    def chunk(self, delta: Mapping[str, Any], *, ended: bool = False, **beside: Any) -> str:
        """Return a part of a streamed reply, as an event."""
        choice = {"index": 0, "delta": dict(delta), "finish_reason": "stop" if ended else None, "logprobs": None}
        return event({**self._head("chat.completion.chunk"), "choices": [choice], **beside})

    def usage_chunk(self, result: Result) -> str:
        """Return the last part of a stream whose client wants to know the usage."""
        return event({**self._head("chat.completion.chunk"), "choices": [], "usage": usage_of(result)})

    @property
    def _page(self) -> str:
        return f"{self.address}/d/{self.deliberation}"

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-{self.deliberation}",
            "object": kind,
            "created": self.created,
            "model": self.model,
            "system_fingerprint": f"moot-{__version__}",
        }

    def _footer_text(self, result: Result) -> str:
        lines = [f"{MEANING[Status(result.status)]}; confidence {confidence_words(result.confidence)}"]
        if result.status is not Status.COMPLETE:
            lines.append(one_line(f"stopped because: {result.stop_reason}", LONGEST_LINE))
        if result.dissent:
            lines.append(counted(len(result.dissent), "other answer") + " beside this one")
        lines += [one_line(f"caveat: {caveat}", LONGEST_LINE) for caveat in result.caveats]
        return "\n\n---\n" + "\n".join([*lines, self._page])


def event(data: Any) -> str:
    """Return an object as an event of a stream."""
    # One line: JSON escapes every line break within a text.
    return f"data: {json.dumps(data)}\n\n"


def usage_of(result: Result) -> dict[str, int]:
    """Return the tokens of all calls together, as far as they are known; `moot.cost` says of how many they are not."""
    read, written = result.cost.tokens_in or 0, result.cost.tokens_out or 0
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _known(result: Result) -> dict[str, Any]:
    return {
        "confidence": result.confidence.value,
        "status": result.status.value,
        "caveats": list(result.caveats),
        "dissent": [other.answer for other in result.dissent],
    }
