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
    for is_same, went, came in _changes(before, after):
        if is_same:
            yield safe_text(went)
            continue
        if went:
            yield f"<del>{safe_text(went)}</del>"
        if went and came:
            yield " "
        if came:
            yield f"<ins>{safe_text(came)}</ins>"


def _changes(before: list[str], after: list[str]) -> Iterator[tuple[bool, str, str]]:
    """Yield what is the same in both and what differs; words that only spaces hold apart differ as one."""
    went = came = ""
    for what, i, j, k, m in SequenceMatcher(None, before, after).get_opcodes():
        old, new = "".join(before[i:j]), "".join(after[k:m])
        if what != "equal" or ((went or came) and old.isspace() and "\n" not in old):
            went, came = went + old, came + new
            continue
        if went or came:
            yield False, went, came
            went = came = ""
        yield True, old, new
    if went or came:
        yield False, went, came
