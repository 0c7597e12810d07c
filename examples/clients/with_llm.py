"""Ask a Moot server with `llm`: it reads the models from a file of its own, which this program writes first.

    MOOT_SERVER=http://127.0.0.1:8017 MOOT_SERVER_KEY=moot_… python examples/clients/with_llm.py "Is 97 prime?"

The file goes into the folder that LLM_USER_PATH names, or into a new one; what is there of your own is left alone.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MODELS = ("moot/single", "moot/vote", "moot/spiral", "moot/debate:delphi")

server, key = os.environ["MOOT_SERVER"].rstrip("/"), os.environ["MOOT_SERVER_KEY"]
folder = Path(os.environ.get("LLM_USER_PATH") or tempfile.mkdtemp())
question = " ".join(sys.argv[1:]) or "Is 97 a prime number?"

rows = [{"model_id": name, "model_name": name, "api_base": f"{server}/v1", "api_key_name": "moot"} for name in MODELS]
# JSON is YAML too.
(folder / "extra-openai-models.yaml").write_text(json.dumps(rows, indent=1), encoding="utf-8")

model = os.environ.get("MOOT_MODEL", "moot/spiral")
command = [sys.executable, "-m", "llm", "--model", model, "--key", key, question]
sys.exit(subprocess.run(command, env={**os.environ, "LLM_USER_PATH": str(folder)}, check=False).returncode)
