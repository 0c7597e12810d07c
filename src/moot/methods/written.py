"""A run's argument as the program writes it down, ready for the graph (rulings I9 to I12).

Whatever the form in which a run was asked, it ends here: claims and steps with the sentences beneath them, in the
fields of `GraphStore.assert_graph`. Ids carry the run's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Written:
    """What one run argues. `nodes` has one conclusion; edges of one step share a `group` (A21)."""

    conclusion: str
    nodes: tuple[Mapping[str, Any], ...]
    edges: tuple[Mapping[str, Any], ...] = ()
    ungrounded: Mapping[str, str] = field(default_factory=dict)
    """Assumptions that the run put forward as fact and that no sentence covers, and why; disputed first."""
    refuted: Mapping[str, str] = field(default_factory=dict)
    """Steps that were recomputed and are false, and what they come to (I18)."""
    repairs: tuple[str, ...] = ()
    """What was read otherwise than it was written, such as a wrong number of a document."""
    no_line: str = ""
    """Why its reasons are no line of support to its conclusion; empty where they are (I12)."""
