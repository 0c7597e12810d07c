"""Digests and encodings of short texts, over their UTF-8 bytes (ruling S7).

A claimed digest may be its beginning and an ellipsis; then at least six digits are compared.
"""

import base64
import hashlib
import re
import zlib
from collections.abc import Callable
from typing import Literal
from urllib.parse import quote, quote_plus

from moot.oracles.finding import Check, Computed, Oracle, Passage, Uncomputable, bounded, shortened

MOST_CHARACTERS = 10_000
SHORTEST_BEGINNING = 6

Relation = Literal["md5", "sha1", "sha256", "sha512", "crc32", "base64", "hex", "url", "utf8_length", "length"]

_DIGESTS: dict[str, Callable[[bytes], str]] = {
    "md5": lambda data: hashlib.md5(data, usedforsecurity=False).hexdigest(),
    "sha1": lambda data: hashlib.sha1(data, usedforsecurity=False).hexdigest(),
    "sha256": lambda data: hashlib.sha256(data).hexdigest(),
    "sha512": lambda data: hashlib.sha512(data).hexdigest(),
    "crc32": lambda data: f"{zlib.crc32(data):08x}",
    "hex": bytes.hex,
}
_HEXADECIMAL = re.compile(r"[0-9a-f]*")
_ELLIPSIS = re.compile(r"(?:\.\.\.|…)$")
_BASE64 = re.compile(r"[0-9A-Za-z+/_-]*={0,2}")
_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")


class Digests(Check):
    """A claim that a digest or an encoding of `text` is `claimed`.

    md5, sha1, sha256, sha512, crc32, hex: in hexadecimal. base64: the standard alphabet. url: percent-encoded.
    utf8_length: in bytes. length: in Unicode characters.
    """

    kind: Literal["digests"] = "digests"
    relation: Relation
    text: Passage
    claimed: Passage


def decide(check: Digests) -> Computed:
    """Return whether the digest, encoding or length of the text is the claimed one."""
    text = bounded(check.text, MOST_CHARACTERS, "texts")
    claimed = bounded(check.claimed, 4 * MOST_CHARACTERS, "claimed encodings").strip()
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise Uncomputable("texts that UTF-8 can encode") from None
    explanation = f"{check.relation} of {len(data):,} bytes"
    if check.relation in ("utf8_length", "length"):
        size = len(data) if check.relation == "utf8_length" else len(text)
        return Computed(str(size) == claimed.replace(",", ""), str(size), explanation)
    if check.relation == "base64":
        value = base64.b64encode(data).decode("ascii")
        if value != claimed and value.rstrip("=") == claimed.rstrip("=").replace("-", "+").replace("_", "/"):
            raise Uncomputable("base64 of the usual alphabet, padded; this is another form of the same")
        return Computed(value == claimed, shortened(value), explanation)
    if check.relation == "url":
        return _percent_encoded(text, claimed)
    value = _DIGESTS[check.relation](data)
    return Computed(_is_hexadecimal(value, claimed), shortened(value, 130), explanation)


def _is_hexadecimal(value: str, claimed: str) -> bool:
    stated = _ELLIPSIS.sub("", claimed.lower().removeprefix("0x").replace(" ", ""))
    if not _HEXADECIMAL.fullmatch(stated):
        raise Uncomputable("digests in hexadecimal digits")
    if stated == claimed.lower().removeprefix("0x").replace(" ", ""):
        if len(stated) >= SHORTEST_BEGINNING and stated != value and value.startswith(stated):
            raise Uncomputable("whole digests, or a beginning that three dots follow")
        return stated == value
    if len(stated) < SHORTEST_BEGINNING:
        raise Uncomputable(f"beginnings of at least {SHORTEST_BEGINNING} digits")
    return value.startswith(stated)


def _percent_encoded(text: str, claimed: str) -> Computed:
    """Paths keep their slashes and forms write a space as `+`: any of the three usual forms is right."""
    forms = {quote(text, safe=""), quote(text), quote_plus(text)}
    stated = _ESCAPE.sub(lambda escape: escape[0].upper(), claimed)
    return Computed(stated in forms, shortened(quote(text, safe="")), "percent-encoded UTF-8")


_NAMES: dict[str, Relation] = {
    "md5": "md5",
    "sha1": "sha1",
    "sha-1": "sha1",
    "sha256": "sha256",
    "sha-256": "sha256",
    "sha512": "sha512",
    "sha-512": "sha512",
    "crc32": "crc32",
    "crc-32": "crc32",
    "base64": "base64",
    "url": "url",
    "hex": "hex",
}
_QUOTED = r"(?:'([^'\n]*)'|\"([^\"\n]*)\"|`([^`\n]*)`|“([^”\n]*)”|(the empty string))"
_CLAIMED = r"['\"`“]?([^\s'\"`“”]*)['\"`”]?"
_OF = re.compile(
    rf"the ({'|'.join(sorted(_NAMES, key=len, reverse=True))})(?: (?:hash|digest|checksum|encoding))? of "
    rf"(?:the (?:string|text|word) )?{_QUOTED} (?:is|equals|=) {_CLAIMED}",
    re.IGNORECASE,
)
_LONG = re.compile(
    rf"(?:the (?:string|text|word) )?{_QUOTED} (?:is|has) ([0-9]+) (bytes|characters)(?: long)?( in utf-8)?",
    re.IGNORECASE,
)


def read(sentence: str) -> Digests | None:
    """Return the claim about a quoted text that a sentence makes as a whole, or nothing."""
    said = sentence if sentence.lower().startswith("the ") else f"the {sentence}"
    if found := _OF.fullmatch(said):
        relation = _NAMES[found[1].lower()]
        if relation == "base64" and not _BASE64.fullmatch(found[7]):
            return None
        return Digests(relation=relation, text=_text(found.groups()[1:5]), claimed=found[7])
    if found := _LONG.fullmatch(sentence):
        text = _text(found.groups()[:4])
        in_bytes = found[7].lower() == "bytes"
        if in_bytes and not found[8] and not text.isascii():
            return None
        return Digests(relation="utf8_length" if in_bytes else "length", text=text, claimed=found[6])
    return None


def _text(alternatives: tuple[str | None, ...]) -> str:
    return next((text for text in alternatives if text is not None), "")


ORACLE = Oracle(
    kind="digests",
    takes=Digests,
    help="md5, sha1, sha256, sha512, crc32, base64, hexadecimal, percent-encoding, lengths",
    limit=f"texts of {MOST_CHARACTERS:,} characters",
    decide=decide,
    read=read,
)
