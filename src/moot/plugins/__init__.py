"""What other packages and files bring to Moot: protocols, providers, oracles and datasets (docs/extending.md).

An installed package says in its own metadata what it brings; a file or a module of one's own is named where it is used.
Nothing is imported before it is asked for.
"""

from moot.plugins.entries import GROUPS, Group, Plugin, find, installed, names
from moot.plugins.references import Brought, import_reference, is_reference, origin_of

__all__ = [
    "GROUPS",
    "Brought",
    "Group",
    "Plugin",
    "find",
    "import_reference",
    "installed",
    "is_reference",
    "names",
    "origin_of",
]
