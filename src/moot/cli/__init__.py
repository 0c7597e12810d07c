"""The command line. It translates words into use cases and results into words, and decides nothing.

Everything heavy is imported inside the commands: `moot --help` has to be there at once.
"""

import sys

from moot.core.errors import MootError


def main() -> None:
    """Run the command line; every failure that Moot can name becomes one line and an exit code."""
    from moot.cli.app import app

    try:
        app(prog_name="moot")
    except MootError as error:
        fail(error)
    except KeyboardInterrupt:
        sys.stderr.write("moot: interrupted.\n")
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read the output has gone; writing it out at exit would fail again.
        sys.stderr.close()
        sys.exit(1)


def fail(error: MootError) -> None:
    """End the process with an error's line and exit code."""
    sys.stderr.write(f"moot: {error}\n")
    sys.exit(error.exit_code)
