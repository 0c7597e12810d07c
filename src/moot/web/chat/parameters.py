"""Every parameter of a chat completion: what becomes of it here, as one table. Pure; the docs print it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from moot.core.errors import BadParameter
from moot.core.near_names import did_you_mean

Treatment = Literal["used", "ignored", "refused"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """What becomes of a parameter, and why."""

    treatment: Treatment
    why: str
    harmless: tuple[Any, ...] = ()
    """Values of a refused one that ask for nothing, and are let pass."""


def _ignored(why: str) -> Parameter:
    return Parameter("ignored", why)


def _refused(why: str, harmless: tuple[Any, ...] = ()) -> Parameter:
    return Parameter("refused", why, harmless)


SAMPLING = "each protocol chooses how its members sample; its settings go into `moot.settings`"
LENGTH = "how long a member's reply may be is for the protocol to say; `moot.budget` limits the whole"
TOOLS = "a deliberation calls no tool of its client"
LIKELIHOODS = "a verdict has a confidence with its basis, and no probabilities of tokens"

PARAMETERS: Mapping[str, Parameter] = {
    "model": Parameter("used", "which protocol, mode or panel"),
    "messages": Parameter("used", "the question, its context and its documents"),
    "stream": Parameter("used", "progress as it happens, then the answer"),
    "stream_options": Parameter("used", "`include_usage` adds a last chunk with the usage"),
    "response_format": Parameter("used", "the form of the answer"),
    "seed": Parameter("used", "the seed of the deliberation"),
    "moot": Parameter("used", "what a deliberation can be told beside: footer, members, settings, budget, documents"),
    "temperature": _ignored(SAMPLING),
    "top_p": _ignored(SAMPLING),
    "presence_penalty": _ignored(SAMPLING),
    "frequency_penalty": _ignored(SAMPLING),
    "logit_bias": _ignored(SAMPLING),
    "stop": _ignored(LENGTH),
    "max_tokens": _ignored(LENGTH),
    "max_completion_tokens": _ignored(LENGTH),
    "reasoning_effort": _ignored("what a deliberation takes is for its protocol and `moot.budget` to say"),
    "verbosity": _ignored("the answer is as long as the verdict has it"),
    "user": _ignored("the key says who asks"),
    "safety_identifier": _ignored("the key says who asks"),
    "metadata": _ignored("nothing is kept of it"),
    "store": _ignored("every deliberation is kept"),
    "service_tier": _ignored("there is one"),
    "prediction": _ignored("nothing is foretold"),
    "prompt_cache_key": _ignored("members cache as their providers do"),
    "prompt_cache_retention": _ignored("members cache as their providers do"),
    "parallel_tool_calls": _ignored(TOOLS),
    "n": _refused("a deliberation comes to one verdict; ask again for another", (1,)),
    "tools": _refused(TOOLS, ([],)),
    "tool_choice": _refused(TOOLS, ("none", "auto")),
    "functions": _refused(TOOLS, ([],)),
    "function_call": _refused(TOOLS, ("none", "auto")),
    "logprobs": _refused(LIKELIHOODS, (False,)),
    "top_logprobs": _refused(LIKELIHOODS, (0,)),
    "audio": _refused("the answer is text"),
    "modalities": _refused("the answer is text", (["text"],)),
    "web_search_options": _refused("members read what is attached, and search nothing"),
}


def check_others(others: Mapping[str, Any]) -> None:
    """Do nothing where a chat asks, beside what is used, only for what may be ignored.

    Raises:
        BadParameter: for what is refused, and for a name that nobody knows, which may be one that was misspelt.
    """
    for name, value in others.items():
        parameter = PARAMETERS.get(name)
        if parameter is None:
            near = did_you_mean(name, PARAMETERS).strip()
            raise BadParameter(name=name, problem=f"there is no such parameter{f' ({near})' if near else ''}")
        if parameter.treatment == "refused" and not _asks_for_nothing(value, parameter):
            raise BadParameter(name=name, problem=parameter.why)


def _asks_for_nothing(value: Any, parameter: Parameter) -> bool:
    return value is None or any(type(value) is type(one) and value == one for one in parameter.harmless)
