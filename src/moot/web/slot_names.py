"""Steps, slots and flags as addresses have them: the same for the API and for pages."""

from moot.core.ports import OpenStep


def slot_id(step: str) -> str:
    """Return a step as addresses have it."""
    return step.replace("/", "~")


def step_of(slot: str) -> str:
    """Return the step that an address names."""
    return slot.replace("~", "/")


def flag_id(step: OpenStep) -> str:
    """Return a flag as addresses have it."""
    return f"{step.deliberation}~{slot_id(step.step)}"
