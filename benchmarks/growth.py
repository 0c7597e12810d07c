"""How the time of reading a text grows with it: `python -m benchmarks.growth` tries every function that takes texts.

Each that needs one text, or two, is given hostile ones of 10 kB and of 400 kB: a few letters again and again, which is
what patterns take badly; of two texts one is short. A line says for each what its worst text took at both lengths, and
how many times as long. What grows more than linear times logarithm, and takes long enough to tell, is named at the end,
and the exit code is 1.
"""

import importlib
import inspect
import pkgutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from types import ModuleType
from typing import Any

import moot.argument
import moot.core
import moot.methods
import moot.oracles
import moot.protocols
import moot.runtime
import moot.views
from moot.core.calls import Reply
from moot.oracles.claims import MOST_CHARACTERS
from moot.runtime.parsing import parse, salvage

PACKAGES = (moot.core, moot.runtime, moot.methods, moot.argument, moot.oracles, moot.views, moot.protocols)
"""What reads what members and people wrote."""
SMALL, LARGE, SHORT = 10_000, 400_000, 40
BOUNDED = {"moot.oracles.": MOST_CHARACTERS}
"""What takes no longer texts: its callers have refused them. It is tried with what is left, and a fortieth of that."""
OWN_FILES = ("moot.protocols.prism.layers._parsed", "moot.protocols.spiral.axioms.registry._read")
"""What reads files that somebody wrote for their own Moot, by Python's own parser of TOML."""
GROWTH = 40 * 2.5
"""Forty times the text, and more for the logarithm, larger caches and a machine that does other things too."""
TELLING = 1.0
"""Seconds of CPU below which nothing is told of growth."""
MOST = 20.0
"""Seconds of CPU after which a function is not waited for."""
UNITS = (
    *("Aa: ", '\\"', "a ", "{", "<think>", "1,", "7", "- x\n", ". ", "Mr. A. ", "http://a.b/", " ", "\n", "`", "|a"),
    *("Answer: x\n", "1+1=2 ", "(", '"a" ', "A", "not a ", "[1] ", "if a then b, ", "a;b, and ", "12:34 ", "-1"),
    *("1% ", "it's ", "\u4e2d\u3002"),
)


class TooLong(BaseException):
    """A function has had its seconds."""


class Said(Reply):
    """A reply such as members are asked for."""

    answer: str
    reasons: tuple[str, ...] = ()


def modules() -> Iterator[ModuleType]:
    """Give the modules that read texts."""
    for package in PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            yield importlib.import_module(found.name)


def readers() -> dict[str, Callable[[str], Any]]:
    """Return every function of these modules that needs one text or two and nothing else, and those of replies."""
    found: dict[str, Callable[[str], Any]] = {
        "moot.runtime.parsing.parse": lambda text: parse(f'{{"answer": "{text}', Said),
        "moot.runtime.parsing.salvage": lambda text: salvage(f'{{"answer": "{text}', Said),
    }
    for module in modules():
        for name, function in inspect.getmembers(module, inspect.isfunction):
            needed = [each for each in inspect.signature(function).parameters.values() if each.default is each.empty]
            if function.__module__ != module.__name__ or {each.annotation for each in needed} != {str}:
                continue
            called = f"{module.__name__}.{name}"
            if called in OWN_FILES:
                continue
            if len(needed) == 1:
                found[called] = function
            elif len(needed) == 2:
                found[f"{called} (long, short)"] = partial(_first_long, function)
                found[f"{called} (short, long)"] = partial(_second_long, function)
    return found


def _first_long(function: Callable[[str, str], Any], text: str) -> Any:
    return function(text, text[:SHORT])


def _second_long(function: Callable[[str, str], Any], text: str) -> Any:
    return function(text[:SHORT], text)


def cpu(function: Callable[[str], Any], text: str) -> float:
    """Return the seconds of CPU that a function takes with a text, at most so many."""
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST)
    begin = process_time()
    try:
        for _ in _each(function(text)):
            pass
    except TooLong:
        return MOST
    except Exception:  # a text that is refused has been read as well
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return process_time() - begin


def _each(result: Any) -> Iterator[Any]:
    return result if isinstance(result, Iterator) else iter(())


def _stop(*_: object) -> None:
    raise TooLong


def measured(function: Callable[[str], Any], longest: int) -> tuple[float, float, str]:
    """Return the seconds that a function takes with its worst text, short and long, and what that is made of."""
    large, unit = max((cpu(function, unit * (longest // len(unit))), unit) for unit in UNITS)
    return cpu(function, (unit * longest)[: longest * SMALL // LARGE]), large, unit


def main() -> int:
    """Print how each function grows; return 1 where any grows too fast."""
    signal.signal(signal.SIGVTALRM, _stop)
    tried, fast = readers(), []
    for name, function in tried.items():
        longest = next((most for begin, most in BOUNDED.items() if name.startswith(begin)), LARGE)
        small, large, unit = measured(function, longest)
        growth = large / max(1e-6, small)
        print(f"{name:90} {small * 1000:9.2f} ms {large * 1000:9.1f} ms {growth:7.0f} x  {unit!r}", flush=True)
        if large > TELLING and growth > GROWTH:
            fast.append(name)
    print(f"{len(tried)} functions, {len(UNITS)} texts: {len(fast)} grow too fast {' '.join(fast)}")
    return int(bool(fast))


if __name__ == "__main__":
    sys.exit(main())
