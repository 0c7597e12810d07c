"""Ask a Moot server with the `openai` client, and watch who answers meanwhile.

MOOT_SERVER=http://127.0.0.1:8017 MOOT_SERVER_KEY=moot_… python examples/clients/with_openai.py "Is 97 prime?"
"""

import os
import sys

from openai import OpenAI

client = OpenAI(base_url=f"{os.environ['MOOT_SERVER'].rstrip('/')}/v1", api_key=os.environ["MOOT_SERVER_KEY"])
question = " ".join(sys.argv[1:]) or "Is 97 a prime number?"

stream = client.chat.completions.create(
    model=os.environ.get("MOOT_MODEL", "moot/spiral"),
    messages=[{"role": "user", "content": question}],
    stream=True,
)
for chunk in stream:
    delta = chunk.choices[0].delta
    print(getattr(delta, "reasoning_content", None) or delta.content or "", end="", flush=True)
    if verdict := getattr(chunk, "moot", None):
        confidence = verdict["confidence"]
        print(f"\n{verdict['status']}, confidence {confidence['value']} ({confidence['basis']})")
        print(f"{len(verdict['dissent'])} other answers, {verdict['cost']['calls']} calls; {verdict['address']}")
