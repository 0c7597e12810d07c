"""Where an open step is read, taken or cleared over HTTP."""

from urllib.parse import quote

from moot.core.ports import OpenStep
from moot.service.open_steps import kind_of
from moot.web.slot_names import flag_id, slot_id


def address_of(step: OpenStep) -> str:
    """Return where an open step is read, or, of the board, taken or cleared."""
    match kind_of(step):
        case "slot":
            return f"/api/v1/claims/{step.deliberation}/stage-slots/{_part(step.step)}/take"
        case "flag":
            return f"/api/v1/flags/{quote(flag_id(step), safe='~')}/clear"
    return f"/api/v1/deliberations/{step.deliberation}/open-steps/{_part(step.step)}"


def _part(step: str) -> str:
    return quote(slot_id(step), safe="~:")
