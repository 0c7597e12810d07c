"""ai-council: every member answers, one of them joins the answers without names."""

import asyncio

from ai_council.config import AICouncilConfig, ModelConfig, Provider
from ai_council.models import ModelManager
from ai_council.synthesis import ResponseSynthesizer
from measuring import KEY, MEMBERS, URL, measured

CUSTOM = {"provider": Provider.CUSTOM, "base_url": URL, "api_key": KEY}
models = [ModelConfig(name=name, model_id=name, code_name=f"System {n}", **CUSTOM) for n, name in enumerate(MEMBERS)]


async def joined(question: str) -> object:
    manager = ModelManager(AICouncilConfig(models=models))
    answers = await manager.call_models_parallel(models, "", question)
    return (await ResponseSynthesizer(manager).synthesize_responses("", question, answers, models))[0]


measured(lambda question: asyncio.run(joined(question)))
