"""DSPy: every member thinks step by step, in threads, and one compares their chains (MultiChainComparison)."""

import dspy
from measuring import KEY, MEMBERS, URL, measured

models = [dspy.LM(f"openai/{name}", api_base=URL, api_key=KEY) for name in MEMBERS]
dspy.configure(lm=models[0])


class Member(dspy.Module):
    """One member's chain of thought, by its own model."""

    def __init__(self, model: dspy.LM) -> None:
        super().__init__()
        self.thinking = dspy.ChainOfThought("question -> answer")
        self.thinking.set_lm(model)

    def forward(self, question: str) -> dspy.Prediction:
        return self.thinking(question=question)


def job(question: str) -> object:
    asked = [(Member(model), dspy.Example(question=question).with_inputs("question")) for model in models]
    chains = dspy.Parallel(num_threads=len(models), disable_progress_bar=True)(asked)
    compare = dspy.MultiChainComparison("question -> answer", M=len(models))
    return compare(completions=[chain for chain in chains if chain], question=question).answer


measured(job)
