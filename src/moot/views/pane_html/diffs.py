"""Two versions of a text as one: words that went are struck out, words that came are underlined."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from moot.core.panes import TextDiff
from moot.views.svg import safe_text

MOST_WORDS = 6_000
"""Longer texts are shown one after the other."""

_PIECES = re.compile(r"\s+|[^\s]+")


def diff_html(diff: TextDiff, heading: int) -> str:
    """Return the difference in words."""
    title = f"<h{heading}>{safe_text(diff.title)}</h{heading}>" if diff.title else ""
    before, after = _PIECES.findall(diff.before), _PIECES.findall(diff.after)
    if max(len(before), len(after)) > MOST_WORDS:
        body = f"<del>{safe_text(diff.before)}</del>\n<ins>{safe_text(diff.after)}</ins>"
    else:
        body = "".join(_pieces(before, after))
    same = '<p class="soft">Both versions are the same.</p>' if diff.before == diff.after else ""
    return f'{title}{same}<div class="diff">{body}</div>'


def _pieces(before: list[str], after: list[str]) -> Iterator[str]:
    for what, i, j, k, m in SequenceMatcher(None, before, after).get_opcodes():
        if what == "equal":
            yield safe_text("".join(before[i:j]))
            continue
        if j > i:
            yield f"<del>{safe_text(''.join(before[i:j]))}</del>"
        if m > k:
            yield f"<ins>{safe_text(''.join(after[k:m]))}</ins>"
