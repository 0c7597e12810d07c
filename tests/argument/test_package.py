"""The package stands alone."""

import os
import subprocess
import sys


def test_importing_the_graph_loads_nothing_else_of_moot_and_no_networkx():
    script = "import sys, moot.argument; print(*sorted(sys.modules))"
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    loaded = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)

    modules = loaded.stdout.split()
    others = [name for name in modules if name.startswith("moot.") and not name.startswith("moot.argument")]
    assert others == ["moot.version"]
    assert not {"networkx", "scipy"} & set(modules)
