"""What each part of Moot may import: a row for every package and module at the top of src/moot, as tight as the code.

`moot` names what a part may import of Moot: `core` is the package's face (its `__init__`) or a module at the top,
`core.panel` one module, `core.*` the package with all that is in it. `outside` names what it may import of the standard
library and of other packages, and each name stands for all below it.
"""

from dataclasses import dataclass


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAIN = names("""
    collections contextlib dataclasses decimal enum fractions functools hashlib heapq itertools json math re statistics
    string textwrap types typing typing_extensions unicodedata
""")
"""What computes and touches nothing, for every part."""


@dataclass(frozen=True)
class Part:
    """One row: what a part may import of Moot and, beside what is plain, of everybody else."""

    moot: frozenset[str]
    outside: frozenset[str]


def part(moot: str = "", *, past_the_service: str = "", outside: str = "") -> Part:
    inside = names(moot) | names(past_the_service)
    return Part(frozenset(f"moot.{entry}" for entry in inside), names(outside))


PARTS = {
    # The base: values, the graph, what is checked by computing, what other packages bring.
    "version": part(),
    "settings": part(outside="pathlib platformdirs"),
    "core": part(outside="datetime difflib pydantic"),
    "argument": part(outside="difflib importlib.resources networkx numpy rapidfuzz xml.sax.saxutils"),
    "oracles": part(
        outside="ast base64 calendar datetime ipaddress mpmath pint pydantic pydantic_core sympy urllib.parse zlib"
    ),
    "plugins": part("core.*", outside="importlib pathlib sys"),
    # What moot.toml says: read, checked and merged.
    "configuration": part("core.* settings", outside="os pathlib platformdirs pydantic stat tomllib"),
    # What several protocols share, and how a record is shown.
    "methods": part("argument.* core.* oracles.* plugins.*", outside="bisect pydantic rapidfuzz"),
    "views": part("core.*", outside="bisect difflib html markdown_it urllib.parse"),
    # How to deliberate, how to reach a model, how to keep things. They never meet.
    "protocols": part(
        "argument argument.graph argument.ingest argument.wording.* core.* methods.* oracles plugins.* views.*",
        outside="importlib.resources pydantic rapidfuzz tomllib",
    ),
    "gateway": part(
        "core.* plugins.* settings version",
        outside="""
            aiohttp asyncio bs4 concurrent.futures docx email.utils errno filelock fnmatch genai_prices
            http.HTTPStatus http.client httpx2 importlib inspect io ipaddress logging numpy openai os pathlib psutil
            platform pypdf random secrets shutil signal subprocess sys time urllib.error urllib.parse urllib.request
            warnings wordllama zipfile zlib
        """,
    ),
    "store": part(
        "core.*",
        outside="""
            asyncio concurrent.futures datetime errno filelock logging pathlib procrastinate psycopg psycopg_pool queue
            random secrets sqlalchemy sqlite3 threading time weakref
        """,
    ),
    # The door's machinery. The clock and everything else of the world are handed to it.
    "runtime": part("core.*", outside="asyncio base64 json_repair numpy pydantic"),
    # What another package may import.
    "testing": part("gateway.scripted", outside="ipaddress socket"),
    "protocol": part("core.* methods.fencing methods.search"),
    "provider": part("core.* gateway.*"),
    "__init__": part("core.* service.* version", outside="importlib"),
    # The use cases. Prism's board has use cases of its own.
    "service": part(
        """
            argument configuration core.* gateway.* methods.argued methods.contest methods.offering methods.sameness
            plugins.* protocols protocols.prism.* runtime.* settings store.* version views.*
        """,
        outside="""
            asyncio builtins getpass hmac http.HTTPStatus httpx2 importlib.util logging opentelemetry os pathlib
            pydantic secrets shlex socket sys threading time traceback urllib.parse
        """,
    ),
    # Arms over the service; some are a protocol in another form.
    "evals": part(
        """
            configuration core.* gateway.embedded.progress gateway.gateway gateway.members methods.* plugins.* protocols
            protocols.interrogation.graph.* protocols.vote.* service.* version views.words
        """,
        outside="asyncio csv datetime filelock importlib.resources io matplotlib os pathlib platform pydantic",
    ),
    # The edges: the command line starts the other two. What they read without the service has no record to keep.
    "cli": part(
        "configuration.* core.* evals.* mcp_server service.* version views.* web.server",
        past_the_service="""
            argument argument.interchange argument.words methods.offering oracles
            gateway.data_files gateway.documents gateway.embedded.* gateway.gateway
            protocols protocols.coherence.* protocols.prism.* protocols.spiral.axioms.*
            store store.glance
        """,
        outside="""
            asyncio datetime faulthandler gc getpass os pathlib pydantic rich shlex shutil signal subprocess sys
            threading time typer webbrowser
        """,
    ),
    "web": part(
        "core.* evals.figures.* evals.items.items evals.report.* evals.runs.* service.* settings version views.*",
        past_the_service="""
            argument gateway.members methods.argued protocols
            store.callers store.deliberations store.keys store.lists store.locks store.requests store.served
            store.store
        """,
        outside="""
            asyncio base64 binascii csv datetime errno fastapi faulthandler http.HTTPStatus importlib.resources io
            ipaddress jinja2 logging markupsafe os pathlib prometheus_client pydantic resource secrets shlex signal
            socket starlette sys time urllib.parse uvicorn zipfile
        """,
    ),
    "mcp_server": part(
        "core.* service.* version views.*",
        past_the_service="argument.graph oracles protocols",
        outside="anyio asyncio logging mcp os pydantic",
    ),
}

EXCEPTIONS = {
    "core/installation.py": {
        "importlib.util",
        "pathlib",
        "shlex",
        "shutil",
        "sys",
    },  # what installed the Moot that runs
    "argument/ingest.py": {"sys"},  # the largest length there is
    "argument/store.py": {"threading"},  # one store serves the threads of a server, under one lock
    "oracles/syntax.py": {"sys", "warnings"},  # the Python whose syntax is checked, and what it says of the text
    "protocols/__init__.py": {"importlib", "sys"},  # a protocol is loaded when it is first asked for
}

PURE = frozenset({"core", "argument", "oracles", "methods", "views", "protocols"})
"""Same input, same output: no clock, no randomness, no file, no word on the terminal."""

WORLDLY_CALLS = frozenset({"__import__", "breakpoint", "eval", "exec", "input", "open", "print"})

WORLDLY_NAMES = frozenset({"now", "random", "today", "utcnow"})
"""What reads the clock or draws lots, of whatever it is asked: `datetime.now`, `numpy.random`."""
