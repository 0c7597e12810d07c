"""The rules by which step 0 reads a question: patterns over lists of words, in one reviewable file (ruling S6)."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

Reading = Literal["creation", "conflict", "self_reference"]

_NAME = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class StepRule:
    """A rule in words, what it matches, and what must stand beside the match if anything must."""

    rule: str
    patterns: tuple[re.Pattern[str], ...]
    beside: tuple[re.Pattern[str], ...] = ()

    def opening(self, sentence: str) -> str:
        """Return the words with which a sentence begins by this rule, or nothing."""
        matches = (pattern.match(sentence) for pattern in self.patterns)
        return next((match[0].strip() for match in matches if match), "")

    def spoken_of(self, text: str) -> tuple[str, ...]:
        """Return the words anywhere in a text that match, in what must stand beside them."""
        matches = [match[0] for pattern in self.patterns for match in pattern.finditer(text)]
        if not self.beside:
            return tuple(matches)
        company = {match[0] for pattern in self.beside for match in pattern.finditer(text)}
        return tuple(word for word in matches if company - {word})


@cache
def step_rules(reading: Reading) -> tuple[StepRule, ...]:
    """Return the shipped rules of a reading, in the order in which they are tried."""
    return rules_from(_shipped_text(), reading)


@cache
def leading_words() -> re.Pattern[str]:
    """Return what is set aside at the beginning of a sentence."""
    lead = _alternatives(tomllib.loads(_shipped_text())["lists"]["lead"])
    return re.compile(rf"^(?:{lead}[, ]+)+", re.IGNORECASE)


def rules_from(text: str, reading: Reading) -> tuple[StepRule, ...]:
    """Return the rules that a file writes for a reading."""
    data = tomllib.loads(text)
    parts = {name: _alternatives(words) for name, words in data["lists"].items()}
    for name, phrase in data["phrases"].items():
        parts[name] = f"(?:{_filled(phrase, parts)})"
    return tuple(_rule(block, parts, anywhere=reading == "self_reference") for block in data[reading])


def _rule(block: Mapping[str, Any], parts: Mapping[str, str], *, anywhere: bool) -> StepRule:
    flags = re.NOFLAG if block.get("cased") else re.IGNORECASE

    def compiled(pattern: str) -> re.Pattern[str]:
        filled = _filled(pattern, parts)
        return re.compile(rf"(?<!\w)(?:{filled})(?!\w)" if anywhere else filled, flags)

    patterns, beside = block["patterns"], block.get("beside", ())
    return StepRule(block["rule"], tuple(map(compiled, patterns)), tuple(map(compiled, beside)))


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    return _NAME.sub(lambda found: parts[found[1]], pattern)


def _alternatives(words: list[str]) -> str:
    return rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"


@cache
def _shipped_text() -> str:
    file = resources.files("moot.protocols.spiral.structure").joinpath("step0.toml")
    return file.read_text(encoding="utf-8")
