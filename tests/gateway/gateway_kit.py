"""What the gateway's tests share: a request, a key that must never show, retries that never sleep."""

from contextlib import asynccontextmanager

from moot.core.calls import Message, Request
from moot.gateway.gateway import Gateway, GatewayOptions
from moot.gateway.retries import Retries

CANARY = "sk-canary-0123456789-abcdefghij"
KEYS = {"MOOT_KEY_127_0_0_1": CANARY}

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}, "confidence": {"type": "number", "minimum": 0, "maximum": 1}},
    "required": ["answer", "confidence"],
}


def request(text="Why is the sky blue?", *, schema=SCHEMA, timeout=None, step="answer", seed=7):
    return Request(
        step=step,
        seat="m1",
        model="the seat's model",
        messages=(Message("system", "Be brief."), Message("user", text)),
        temperature=0.0,
        max_tokens=256,
        seed=seed,
        schema=schema,
        timeout=timeout,
    )


class Tries:
    """Hears of every further try, allows the first so many, and of every wait, which takes no time."""

    def __init__(self, allowed=100, chance=0.5):
        self.numbers = []
        self.waits = []
        self.allowed = allowed
        self.retries = Retries(random=lambda: chance, sleep=self.wait, now=lambda: 0.0)

    async def before_retry(self, number):
        self.numbers.append(number)
        return len(self.numbers) <= self.allowed

    async def wait(self, seconds):
        self.waits.append(seconds)


@asynccontextmanager
async def gateway(tries=None, environ=KEYS, **options):
    opened = Gateway(environ, GatewayOptions(**options), retries=tries.retries if tries else None)
    try:
        yield opened
    finally:
        await opened.close()


async def ask(server, model="well", *, tries=None, environ=KEYS, on_tokens=None, asked=None, **options):
    """One call to one model of the fake server, by way of a gateway."""
    tries = tries or Tries()
    async with gateway(tries, environ, **options) as opened:
        member = opened.model(server.member(model))
        return await member.complete(asked or request(), before_retry=tries.before_retry, on_tokens=on_tokens)
