"""Ask a Moot server with the `openai` client, and watch who answers meanwhile.

MOOT_SERVER=http://127.0.0.1:8017 MOOT_SERVER_KEY=moot_… python examples/clients/with_openai.py "Is 97 prime?"
"""

import os
import sys

from openai import APIError, OpenAI


def ask(server: str, key: str, question: str) -> None:
    stream = OpenAI(base_url=f"{server.rstrip('/')}/v1", api_key=key).chat.completions.create(
        model=os.environ.get("MOOT_MODEL", "moot/spiral"),
        messages=[{"role": "user", "content": question}],
        stream=True,
    )
    for chunk in stream:
        delta = chunk.choices[0].delta
        print(getattr(delta, "reasoning_content", None) or delta.content or "", end="", flush=True)
        if verdict := getattr(chunk, "moot", None):
            print(f"\n{verdict['status']}, confidence {confidence_words(**verdict['confidence'])}")
            print(f"{len(verdict['dissent'])} other answers, {verdict['cost']['calls']} calls; {verdict['address']}")


def confidence_words(value: float | None, basis: str | None, reason: str, **_more: object) -> str:
    return f"none: {reason}" if value is None else f"{value} ({basis})"


def main() -> None:
    server, key = os.environ.get("MOOT_SERVER"), os.environ.get("MOOT_SERVER_KEY")
    if not server or not key:
        sys.exit("set MOOT_SERVER to the address of a Moot server, and MOOT_SERVER_KEY to a key of it")
    try:
        ask(server, key, " ".join(sys.argv[1:]) or "Is 97 a prime number?")
    except APIError as error:
        # What the server says of a failure is in its body; where no server answered there is none.
        sys.exit(error.body["message"] if isinstance(error.body, dict) else error.message)


if __name__ == "__main__":
    main()
