"""What a provider of models is made of, for those who bring one (docs/extending.md). These names are promised.

A server that speaks OpenAI's protocol needs a `Provider` row alone. Anything else brings a `Model` of its own, which
takes a `Request` and gives a `Completion` of `Text`s, or a `Failure` that says why there is none.
"""

from moot.core.calls import Completion, Failure, Message, Request, Usage
from moot.core.ports import BeforeRetry, Model, OnTokens
from moot.gateway.providers import Provider

__all__ = [
    "BeforeRetry",
    "Completion",
    "Failure",
    "Message",
    "Model",
    "OnTokens",
    "Provider",
    "Request",
    "Usage",
]
