"""Who is asked which run in which form, and under which step. Pure: a record is read by it as runs are drawn by it."""

from collections.abc import Sequence
from dataclasses import replace

from moot.core.panel import Panel
from moot.methods.runs.forms import Form, wave_forms
from moot.methods.runs.run import Run


def seated_runs(forms: Sequence[Form], size: int, wave: int, before: int, sight: int, panel: Panel) -> list[Run]:
    """Return the runs of a wave, numbered on; they go round the panel, so that several models all have their say."""
    return [
        Run(f"r{number}", panel[(number - 1) % len(panel)].name, form, sight=sight)
        for number, form in enumerate(wave_forms(forms, size, wave), before + 1)
    ]


def alike_runs(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the runs that are several replies to one prompt, each under its step: those of one seat and form."""
    groups: dict[tuple[str, Form], list[Run]] = {}
    for run in runs:
        group = groups.setdefault((run.seat, run.form), [])
        first = group[0].step if group else f"run/{run.id}"
        group.append(replace(run, step=f"{first}#{len(group) + 1}" if group else first))
    return list(groups.values())
