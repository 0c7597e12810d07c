"""The arms in words: they answer in free text, step by step."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from moot.core.telling import Telling, Told
from moot.methods.runs.run_words import prose_told, runs_phase
from moot.methods.tellings import words_of_notes
from moot.protocols.interrogation.graph.argument_words import argument_told
from moot.protocols.vote.telling import VOTE_TELLING

PHASES = {
    "answer": "one answer",
    "revisit": "the member revisits its reasoning",
    "reinjected": "the member answers again over its whole trace",
    "chain": "the member shortens its trace to a chain",
    "verified": "a fresh context verifies the chain",
}


def _phase(step: str, settings: Mapping[str, Any]) -> str:
    return PHASES[step]


def _samples_phase(step: str, settings: Mapping[str, Any]) -> str:
    return runs_phase(step, most=settings["samples"], fixed=settings["samples"])


def _reply(step: str, reply: Mapping[str, Any]) -> Told:
    return prose_told(reply["text"]) if "text" in reply else argument_told(reply)


ARM_TELLING = Telling(_phase, _reply, words_of_notes({}))
SAMPLES_TELLING = replace(VOTE_TELLING, phase=_samples_phase)
