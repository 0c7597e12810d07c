"""`single` in words."""

from collections.abc import Mapping
from typing import Any

from moot.core.telling import Telling, Told
from moot.methods.tellings import told_answer, words_of_notes


def _phase(step: str, settings: Mapping[str, Any]) -> str:
    return "one answer"


def _reply(step: str, reply: Mapping[str, Any]) -> Told:
    return told_answer(reply, "reasoning")


SINGLE_TELLING = Telling(_phase, _reply, words_of_notes({}))
