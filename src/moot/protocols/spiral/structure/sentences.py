"""The sentences of a question as step 0 reads them: bounded, and without what is only quoted."""

import re

LONGEST_READ = 4_000
"""Characters that are read: half of them from the beginning, half from the end, where a long text mostly asks."""

WORDS = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")

_CODE = re.compile(r"```.{0,4000}?```|`[^`\n]{0,200}`", re.DOTALL)
# A quotation is at most so long, else a text full of opening marks takes time with the square of its length.
_QUOTED = re.compile(r""""[^"\n]{0,200}"|“[^”\n]{0,200}”|«[^»\n]{0,200}»|(?<!\w)['\u2018](?=\w)[^\n']{0,200}'(?!\w)""")
_QUOTE = "…"
_SENTENCE = re.compile(r"[^.!?:;\n]+(?:\.(?=\S)[^.!?:;\n]+)*[.!?:;]?")
_SPACES = re.compile(r"\s+")
_ABBREVIATION = re.compile(r"\b(vs|dr|mr|mrs|st|no)\.", re.IGNORECASE)
_LIST_MARK = re.compile(r"^(?:[-*•#>]+|\(?\d{1,2}[.)])\s+")


def excerpt(text: str) -> str:
    """Return the text, or of a long one the beginning and the end."""
    if len(text) <= LONGEST_READ:
        return text
    return f"{text[: LONGEST_READ // 2]}\n{text[-LONGEST_READ // 2 :]}"


def unquoted(text: str) -> str:
    """Return what is read of a text, without quotations and code: they are spoken of and not said."""
    return _QUOTED.sub(_QUOTE, _CODE.sub(_QUOTE, excerpt(text).replace("\u2019", "'")))


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences and what colons part, each on one line."""
    lines = (_LIST_MARK.sub("", line.strip()) for line in unquoted(text).splitlines())
    found = (_SENTENCE.findall(_ABBREVIATION.sub(r"\1", line)) for line in lines)
    return tuple(_SPACES.sub(" ", sentence).strip() for line in found for sentence in line if sentence.strip())
