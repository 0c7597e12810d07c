"""Measure a Moot server with `inspect_ai`: ten questions to `moot/spiral`, each graded by its answer.

MOOT_SERVER=http://127.0.0.1:8017 MOOT_SERVER_KEY=moot_… python examples/clients/with_inspect.py
"""

import os
import sys
import tempfile

import inspect_ai
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

PRIMES = {"89": "yes", "91": "no", "93": "no", "97": "yes", "99": "no"}
SUMS = {"7 + 5": "12", "9 * 8": "72", "81 - 14": "67", "144 / 12": "12", "13 * 3": "39"}
ITEMS = [
    *(Sample(input=f"Is {number} a prime number? Answer yes or no.", target=said) for number, said in PRIMES.items()),
    *(Sample(input=f"What is {sum_}? Answer with the number alone.", target=value) for sum_, value in SUMS.items()),
]


@task
def ten_items() -> Task:
    return Task(dataset=MemoryDataset(ITEMS), solver=generate(), scorer=match(location="begin"))


def main() -> int:
    server, key = os.environ.get("MOOT_SERVER"), os.environ.get("MOOT_SERVER_KEY")
    if not server or not key:
        sys.exit("set MOOT_SERVER to the address of a Moot server, and MOOT_SERVER_KEY to a key of it")
    name = os.environ.get("MOOT_MODEL", "moot/spiral")
    # `openai-api/PROVIDER/MODEL` is any server that speaks as OpenAI's does.
    model = get_model(f"openai-api/moot/{name}", base_url=f"{server.rstrip('/')}/v1", api_key=key)
    folder = os.environ.get("INSPECT_LOG_DIR") or tempfile.mkdtemp()
    [log] = inspect_ai.eval(ten_items(), model=model, display="none", log_dir=folder)
    if log.status != "success" or not log.results:
        print(f"{name}: {log.status}: {log.error.message if log.error else 'no results'}")
        return 1
    accuracy = log.results.scores[0].metrics["accuracy"].value
    used = log.stats.model_usage[f"openai-api/moot/{name}"]
    print(f"{name}: {log.results.completed_samples} of {len(ITEMS)} items, accuracy {accuracy:.2f}")
    print(f"{used.input_tokens} tokens in, {used.output_tokens} out, over all members")
    return 0


if __name__ == "__main__":
    sys.exit(main())
