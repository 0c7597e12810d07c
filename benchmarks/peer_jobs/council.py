"""llm-council-core: every member answers, every member ranks the answers, a chairman writes the last one."""

import asyncio
import os
from pathlib import Path

from measuring import KEY, MEMBERS, URL, measured

SETTINGS = f"""council:
  gateways:
    default: openrouter
    providers:
      openrouter: {{enabled: true, base_url: "{URL}/chat/completions", api_key: {KEY}}}
"""
Path("llm_council.yaml").write_text(SETTINGS, encoding="utf-8")
os.environ |= {
    "LLM_COUNCIL_CONFIG": "llm_council.yaml",
    "OPENROUTER_API_KEY": KEY,
    "LLM_COUNCIL_CHAIRMAN": MEMBERS[0],
    "LLM_COUNCIL_MODELS": ",".join(MEMBERS),
    "LLM_COUNCIL_OFFLINE": "true",
}

from llm_council import run_full_council  # noqa: E402


def job(question: str) -> object:
    *_, last, _ = asyncio.run(run_full_council(question, models=MEMBERS))
    return last.get("response", last)


measured(job)
