"""Independent runs: asked in one or two forms, read by the program, counted until the vote is decided (I9, I17)."""

from moot.methods.runs.counting import Count, VotedAnswer, counted, winner_by_form
from moot.methods.runs.drawing import Drawn, Way, calls_left, drawn
from moot.methods.runs.forms import FORM_WORDS, Form, Forms, forms_of, wave_forms
from moot.methods.runs.prompts import run_messages
from moot.methods.runs.reading import abstention, read_run
from moot.methods.runs.run import NOT_KNOWN, NOT_STATED, Run
from moot.methods.runs.telling import (
    SHOWN_DOES_NOT_SAY,
    answer_of,
    does_not_say_yet,
    stop_reason,
    vote_caveats,
    votes_confidence,
    votes_detail,
)

__all__ = [
    "FORM_WORDS",
    "NOT_KNOWN",
    "NOT_STATED",
    "SHOWN_DOES_NOT_SAY",
    "Count",
    "Drawn",
    "Form",
    "Forms",
    "Run",
    "VotedAnswer",
    "Way",
    "abstention",
    "answer_of",
    "calls_left",
    "counted",
    "does_not_say_yet",
    "drawn",
    "forms_of",
    "read_run",
    "run_messages",
    "stop_reason",
    "vote_caveats",
    "votes_confidence",
    "votes_detail",
    "wave_forms",
    "winner_by_form",
]
