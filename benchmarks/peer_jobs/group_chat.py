"""AutoGen: the members speak in turn, two rounds, each hearing all that was said before (RoundRobinGroupChat)."""

import asyncio

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_ext.models.openai import OpenAIChatCompletionClient
from measuring import KEY, MEMBERS, URL, measured

ABLE = dict.fromkeys(("vision", "function_calling", "json_output", "structured_output"), False) | {"family": "unknown"}
ROUNDS = 2


def speaker(number: int, model: str) -> AssistantAgent:
    client = OpenAIChatCompletionClient(model=model, base_url=URL, api_key=KEY, model_info=ABLE)
    return AssistantAgent(f"speaker_{number}", model_client=client)


async def talk(question: str) -> object:
    speakers = [speaker(number, model) for number, model in enumerate(MEMBERS)]
    # The question is the first message.
    team = RoundRobinGroupChat(speakers, termination_condition=MaxMessageTermination(1 + ROUNDS * len(MEMBERS)))
    return (await team.run(task=question)).messages[-1].content


measured(lambda question: asyncio.run(talk(question)))
