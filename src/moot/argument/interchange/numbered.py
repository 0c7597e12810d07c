"""What a terminal acts on, or what turns a line about, written as its number in a format's own way."""

import re

# A line break is left to the format.
_ACTED_ON = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def numbered(text: str, form: str) -> str:
    """Return a text in which each such character is its number in a form such as `&#{};`."""
    return _ACTED_ON.sub(lambda found: form.format(ord(found[0])), text)
