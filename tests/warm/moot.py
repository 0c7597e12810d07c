"""The command line of Moot."""

from moot.cli import main

main()
