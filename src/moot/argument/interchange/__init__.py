"""Graphs in the formats of other tools that can be read back: Argdown text and AIF as JSON."""

from moot.argument.interchange.aif import is_aif, read_aif, to_aif
from moot.argument.interchange.argdown import to_argdown
from moot.argument.interchange.argdown_reading import read_argdown
from moot.argument.interchange.carried import Carried, FileProblem
from moot.argument.interchange.numbered import numbered

__all__ = ["Carried", "FileProblem", "is_aif", "numbered", "read_aif", "read_argdown", "to_aif", "to_argdown"]
