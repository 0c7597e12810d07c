"""llm-consortium: every member answers, an arbiter joins the answers and may ask for another round."""

import json
import os
from pathlib import Path

from measuring import KEY, MEMBERS, URL, measured

# It writes its log there when it is imported, and does not make the folder.
FOLDER = Path.home() / ".config" / "io.datasette.llm"
FOLDER.mkdir(parents=True, exist_ok=True)
models = [{"model_id": name, "model_name": name, "api_base": URL} for name in MEMBERS]
(FOLDER / "extra-openai-models.yaml").write_text(json.dumps(models), encoding="utf-8")
os.environ |= {"LLM_USER_PATH": str(FOLDER), "OPENAI_API_KEY": KEY}

from llm_consortium import create_consortium  # noqa: E402


def job(question: str) -> object:
    return create_consortium(models=MEMBERS, arbiter=MEMBERS[0]).orchestrate(question)["synthesis"]["synthesis"]


measured(job)
