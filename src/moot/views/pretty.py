"""Values as JSON that a person reads."""

import json
from typing import Any

from moot.core.canonical import harmless_json
from moot.core.events import Event, event_text
from moot.core.moments import event_with_iso_moments


def pretty(value: Any) -> str:
    """Return a value as JSON, indented, that a terminal shows as it is."""
    return harmless_json(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True))


def pretty_event(event: Event) -> str:
    """Return an event as it is stored, with its moments as people read them."""
    return pretty(event_with_iso_moments(json.loads(event_text(event))))
