"""How the time of reading a text grows with it: `python -m benchmarks.growth` tries every function that takes one text.

Each is given hostile texts of 40 kB and of 400 kB: a few letters again and again, which is what patterns take badly.
What grows more than linear times logarithm, and takes long enough to tell, is printed, and the exit code is 1.
"""

import importlib
import inspect
import pkgutil
import signal
import sys
from collections.abc import Callable, Iterator
from time import process_time
from types import ModuleType
from typing import Any

import moot.argument.wording
import moot.methods
import moot.runtime.parsing
import moot.views

SMALL, LARGE = 40_000, 400_000
GROWTH = 10 * 2.5
"""Ten times the text, and more for the logarithm, larger caches and a machine that does other things too."""
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


def modules() -> Iterator[ModuleType]:
    """Give the modules whose functions read what members and people wrote."""
    yield moot.runtime.parsing
    for package in (moot.methods, moot.argument.wording, moot.views):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            yield importlib.import_module(found.name)


def readers() -> dict[str, Callable[[str], Any]]:
    """Return every function of these modules that takes one text and needs nothing else."""
    found = {}
    for module in modules():
        for name, function in inspect.getmembers(module, inspect.isfunction):
            needed = [each for each in inspect.signature(function).parameters.values() if each.default is each.empty]
            if function.__module__ == module.__name__ and [each.annotation for each in needed] == [str]:
                found[f"{module.__name__}.{name}"] = function
    return found


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


def main() -> int:
    """Print what grows too fast; return 1 where anything does."""
    signal.signal(signal.SIGVTALRM, _stop)
    fast, worst = [], (0.0, "")
    tried = readers()
    for name, function in tried.items():
        for unit in UNITS:
            text = unit * (LARGE // len(unit))
            large = cpu(function, text)
            worst = max(worst, (large, f"{name} {unit!r}"))
            if large > TELLING and (growth := large / max(1e-6, cpu(function, text[:SMALL]))) > GROWTH:
                fast.append(name)
                print(f"{name} on {unit!r}: {large:.2f} s for {LARGE:,} characters, {growth:.0f} times {SMALL:,}")
    print(f"{len(tried)} functions, {len(UNITS)} texts: {len(fast)} grow too fast")
    print(f"the slowest: {worst[1]}, {worst[0]:.2f} s")
    return int(bool(fast))


if __name__ == "__main__":
    sys.exit(main())
