"""The command line. It translates words into use cases and results into words, and decides nothing.

Everything heavy is imported inside the commands: `moot --help` has to be there at once.
"""

import gc
import os
import sys
from typing import NoReturn

from moot.cli.old_names import renamed_words
from moot.core.errors import Interrupted, MootError, UsageError


def main() -> None:
    """Run the command line; every failure that Moot can name becomes one line, or one JSON object, and an exit code."""
    _open_closed_streams()
    words, told = renamed_words(sys.argv[1:])
    for line in told:
        sys.stderr.write(f"moot: {line}\n")
    # Whoever repeats the command, a run of an evaluation say, repeats it by today's names.
    sys.argv[1:] = words
    as_json = "--json" in (words[: words.index("--")] if "--" in words else words)
    try:
        from typer import TyperException

        from moot.cli.app import app

        try:
            # Wrong words are told by Typer with the command's usage, but a machine gets them as any other error.
            sys.exit(app(prog_name="moot", standalone_mode=not as_json))
        except TyperException as error:
            raise UsageError(error.format_message()) from None
    except MootError as error:
        fail(error, as_json=as_json)
    except KeyboardInterrupt:
        fail(Interrupted(), as_json=as_json)
    except OSError as error:
        if error.filename is not None:
            raise
        sys.stderr.write(f"moot: the output cannot be written ({error.strerror}); what was deliberated is kept.\n")
        # Python would try, and fail, once more at exit.
        sys.stdout = None
        sys.exit(1)
    finally:
        # All that was to be closed is closed. To look through the rest at exit takes a server 0.8 s of CPU, and where
        # many end at once on a busy machine, more than the ten seconds that it has.
        gc.freeze()


def _open_closed_streams() -> None:
    """Let a stream that the shell has closed lead nowhere: Python has nothing in its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115


def fail(error: MootError, *, as_json: bool) -> NoReturn:
    """End the process with an error's message and exit code."""
    if as_json:
        from moot.cli.session import print_json

        print_json({"error": {"code": error.code, "message": str(error)}})
    else:
        # A terminal has echoed ^C on the line.
        start = "\n" if isinstance(error, Interrupted) else ""
        sys.stderr.write(f"{start}moot: {error}\n")
    sys.exit(error.exit_code)
