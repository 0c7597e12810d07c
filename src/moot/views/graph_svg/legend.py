"""What the looks of a drawing mean."""

from moot.views.drawn_graph import KINDS

_BOX = '<rect class="box" x="1.5" y="1.5" width="19" height="11" rx="3"/>'
_RING = '<rect class="ring" x="1.5" y="1.5" width="19" height="11" rx="4"/>'
_BARBS = '<path d="M22 7H5"/><path class="head" d="M8 2L1 7l7 5M13 2L6 7l7 5"/>'
_HEAD = '<path class="head" d="M1 7l7 -3.5v7z"/>'
_LINE = f'<path d="M22 7H7"/>{_HEAD}'
_JOINT = f'<path d="M22 2L12 7L22 12M12 7H7"/>{_HEAD}<circle class="dot" cx="12" cy="7" r="3"/>'

_ENTRIES = (
    *((f"node {kind} stands", _BOX, words) for kind, words in KINDS.items()),
    ("node inference falls", _BOX, "falls"),
    ("node inference undecided", _BOX, "undecided"),
    ("node", _RING, "◆ cut: would have to be wrong"),
    ("edge supports on-line line-1", _LINE, "line of support, by number"),
    ("edge supports joint", _JOINT, "needed together"),
    ("edge attacks", _BARBS, "attacks"),
)


def legend_html() -> str:
    """Return the legend as a list."""
    entries = "".join(
        f'<li><svg class="graph" viewBox="0 0 23 14" width="23" height="14" aria-hidden="true">'
        f'<g class="{look}">{drawn}</g></svg> {words}</li>'
        for look, drawn, words in _ENTRIES
    )
    return f'<ul class="drawing-key">{entries}</ul>'
