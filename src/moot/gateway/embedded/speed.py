"""How fast an embedded model is on this machine: tokens a second that it reads and writes, by its own count."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from moot.core.errors import EmbeddedFailed

if TYPE_CHECKING:
    from moot.gateway.client import Client

PROMPT = " ".join(str(number * number) for number in range(1, 40))
WRITTEN = 16


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens a second."""

    read: float
    written: float


async def measured_speed(client: "Client", model: str) -> Speed:
    """Return how fast the model behind this client read a prompt of some hundred tokens and wrote a few.

    Raises:
        EmbeddedFailed: it does not say.
    """
    body = {
        "model": model,
        "messages": [{"role": "user", "content": f"Go on: {PROMPT}"}],
        "max_tokens": WRITTEN,
        "temperature": 0.0,
        "cache_prompt": False,
        "ignore_eos": True,
    }
    return speed_of(model, await client.post("/chat/completions", cast_to=object, body=body))


def speed_of(model: str, reply: object) -> Speed:
    """Return the speed that llama.cpp's reply tells.

    Raises:
        EmbeddedFailed: it does not tell.
    """
    timings = reply.get("timings") if isinstance(reply, Mapping) else None
    told = timings if isinstance(timings, Mapping) else {}
    read, written = told.get("prompt_per_second"), told.get("predicted_per_second")
    if not isinstance(read, int | float) or not isinstance(written, int | float):
        raise EmbeddedFailed(model=model, problem="its reply does not say how long it took")
    return Speed(float(read), float(written))
