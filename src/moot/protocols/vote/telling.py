"""`vote` in words."""

from collections.abc import Mapping
from typing import Any

from moot.core.telling import Telling, Told
from moot.methods.runs.run_words import RUN_NOTES, prose_told, run_place, runs_phase
from moot.methods.tellings import words_of_notes


def _phase(step: str, settings: Mapping[str, Any]) -> str:
    most = settings["most"]
    return runs_phase(step, most=most, fixed=settings["n"] or (most if settings["stop"] == "all" else None))


def _reply(step: str, reply: Mapping[str, Any]) -> Told:
    return prose_told(reply["text"])


VOTE_TELLING = Telling(_phase, _reply, words_of_notes(RUN_NOTES), run_place)
