"""Numbers written in words, read whole or not at all (ruling S12).

"Twenty-four", "one hundred and five" and "two thousand" are numbers. "Nineteen eighty-four", "one two three" and "five
and twenty" are words for something else, and a sentence that holds them has no reading.
"""

import re

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# A billion is a thousand or a million millions, by the country.
_SCALES = {"thousand": 10**3, "million": 10**6}
_SMALL = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: 10 * tens for tens, word in enumerate(_TENS, start=2)},
}
_WORD = rf"(?:{'|'.join(sorted([*_SMALL, 'hundred', *_SCALES], key=len, reverse=True))})"
_RUN = re.compile(rf"\b(?:an? (?=(?:hundred|{'|'.join(_SCALES)})\b))?{_WORD}(?:(?: and |[ -]){_WORD})*\b")
_BELOW_HUNDRED = re.compile(
    rf"(?:({'|'.join(_TENS)})(?:[ -]({'|'.join(_UNITS[1:10])}))?|({'|'.join(sorted(_UNITS, key=len, reverse=True))}))"
)
# "The sum of one hundred and five" adds two numbers or is short of one; between two claims "and" ends the first.
_IS = r"(?:\b(?:is|are|equals|makes|gives)\b|=)"
_JOINS = re.compile(
    r"\b(?:sum|product|difference|quotient|mean|average|gcd|lcm|divisor|multiple|between|both)\b"
    rf"|{_IS}[^=]* and [^=]*{_IS}"
)


def with_digits(sentence: str) -> str | None:
    """Return a lower-case sentence with its numbers in digits; nothing where a run of number words is not one."""
    runs = list(_RUN.finditer(sentence))
    if not runs:
        return sentence
    values = [_value(run[0]) for run in runs]
    joined = _JOINS.search(sentence) is not None and any(" and " in run[0] for run in runs)
    if joined or any(value is None for value in values):
        return _separately(sentence) if joined else None
    parts: list[str] = []
    place = 0
    for run, value in zip(runs, values, strict=True):
        parts += [sentence[place : run.start()], str(value)]
        place = run.end()
    return "".join([*parts, sentence[place:]])


def _separately(sentence: str) -> str | None:
    """The sentence where "and" joins two numbers below a hundred: "the sum of three and four"."""
    halves = sentence.split(" and ")
    if any(re.search(r"\b(?:hundred|thousand|million)\b", half) for half in halves):
        return None
    read = [with_digits(half) for half in halves]
    return " and ".join(half for half in read if half is not None) if None not in read else None


def _value(run: str) -> int | None:
    """The number that a run of words writes: groups of a thousand, each smaller than the one before."""
    total, last = 0, None
    rest = run.removeprefix("an ").removeprefix("a ")
    rest = f"one {rest}" if rest != run else rest
    while rest:
        found = _group(rest)
        if found is None:
            return None
        amount, scale, rest = found
        if last is not None and scale >= last:
            return None
        total, last = total + amount * scale, scale
    return total


def _group(text: str) -> tuple[int, int, str] | None:
    """The next group of a number with its scale and what is left: `two hundred and five thousand`."""
    hundreds = re.match(rf"({'|'.join(_UNITS[1:10])}) hundred(?: and (?=\w)|[ -](?=\w)|$)", text)
    rest = text[hundreds.end() :] if hundreds else text.removeprefix("and ")
    amount = 100 * _SMALL[hundreds[1]] if hundreds else 0
    below = _BELOW_HUNDRED.match(rest)
    if below:
        amount += sum(_SMALL[word] for word in below.groups() if word)
        rest = rest[below.end() :].lstrip(" -")
    elif not hundreds or hundreds[0].endswith("and "):
        return None
    for word, scale in _SCALES.items():
        if rest == word or rest.startswith(f"{word} "):
            return amount, scale, rest[len(word) :].strip()
    return (amount, 1, "") if not rest else None
