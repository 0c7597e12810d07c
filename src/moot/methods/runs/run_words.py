"""Runs in words: which of them are asked, what one answers, how the votes stand."""

from collections.abc import Mapping
from typing import Any

from moot.core.telling import Told
from moot.methods.programs import in_digits, worked_out
from moot.methods.runs.forms import FORM_WORDS
from moot.methods.sampling import WAVE
from moot.methods.tellings import NoteWords, first_line
from moot.methods.votes import answer_line


def runs_phase(step: str, *, most: int, fixed: int | None = None) -> str:
    """Return which runs a step is one of: all of a fixed number, or those of its wave."""
    if fixed:
        return f"{fixed} runs" if fixed > 1 else "one run"
    number = number_in(step)
    first = number - (number - 1) % WAVE
    if first > most:
        # What is shown anew is read by a whole wave, however many were asked before.
        return f"runs {first} to {first + WAVE - 1}, over further paragraphs"
    return f"runs {first} to {min(first + WAVE - 1, most)} of at most {most}"


def run_place(step: str, _settings: Mapping[str, Any]) -> str:
    """Return which run a step is, and which reply where its prompt was asked for several; nothing for other steps."""
    first, _, reply = step.partition("#")
    number = first.removeprefix("run/r")
    if not number.isdecimal():
        return ""
    return f"run {number}" + (f" (reply {reply})" if reply else "")


def number_in(step: str) -> int:
    """Return the number of the run whose prompt a step is a reply to."""
    return int(step.partition("#")[0].rpartition("/r")[2])


def prose_told(text: str) -> Told:
    """Return a text with the answer that it states or works out, or else its first line, as the gist."""
    value = worked_out(text).value
    computed = "" if value is None else in_digits(value)
    return Told(computed or answer_line(text) or first_line(text), (("", text),))


def _forms_words(data: Mapping[str, Any]) -> str:
    asked = " and ".join(FORM_WORDS.get(form, form) for form in data["forms"])
    number = "a number is asked for, by " if data["is_number"] else "it has "
    return f"the question is put for {asked}: {number}{data['by']}"


def _counted_words(data: Mapping[str, Any]) -> str:
    votes = [f"“{item['answer']}” has {len(item['runs'])} ({', '.join(item['runs'])})" for item in data["candidates"]]
    without = data["asked"] - sum(len(item["runs"]) for item in data["candidates"])
    lost = [f"{without} without a vote"] if without else []
    return f"votes after {data['asked']} runs: {'; '.join([*votes, *lost]) or 'none'}"


RUN_NOTES: NoteWords = {"forms": _forms_words, "counted": _counted_words}
