"""Ask a Moot server with `llm`: it reads the model from a file in a folder of its own, which this program makes.

    MOOT_SERVER=http://127.0.0.1:8017 MOOT_SERVER_KEY=moot_… python examples/clients/with_llm.py "Is 97 prime?"

The folder is a new one, and is gone afterwards: models and logs of your own `llm` are left alone.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    server, key = os.environ.get("MOOT_SERVER"), os.environ.get("MOOT_SERVER_KEY")
    if not server or not key:
        sys.exit("set MOOT_SERVER to the address of a Moot server, and MOOT_SERVER_KEY to a key of it")
    model = os.environ.get("MOOT_MODEL", "moot/spiral")
    question = " ".join(sys.argv[1:]) or "Is 97 a prime number?"
    row = {"model_id": model, "model_name": model, "api_base": f"{server.rstrip('/')}/v1", "api_key_name": "moot"}
    with tempfile.TemporaryDirectory() as folder:
        # JSON is YAML too.
        Path(folder, "extra-openai-models.yaml").write_text(json.dumps([row], indent=1), encoding="utf-8")
        command = [sys.executable, "-m", "llm", "--model", model, "--key", key, question]
        return subprocess.run(command, env={**os.environ, "LLM_USER_PATH": folder}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
