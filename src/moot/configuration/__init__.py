"""`moot.toml`: what holds where neither an option nor the environment says otherwise (docs/settings.md).

Finding and reading files is in `files`; all else is pure. A file may say who is asked, by which protocol, with which
settings and within which limits; it never holds a key.
"""

from moot.configuration.choices import (
    Choices,
    Said,
    said_limits,
    said_members,
    said_protocol,
    said_settings,
    values_of,
)
from moot.configuration.configuration import ConfigFile, Configuration
from moot.configuration.files import Place, find_configuration, places, states
from moot.configuration.problems import Problem

__all__ = [
    "Choices",
    "ConfigFile",
    "Configuration",
    "Place",
    "Problem",
    "Said",
    "find_configuration",
    "places",
    "said_limits",
    "said_members",
    "said_protocol",
    "said_settings",
    "states",
    "values_of",
]
