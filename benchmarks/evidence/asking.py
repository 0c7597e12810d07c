"""How an item of the pool is asked: in two forms, with the prompts of Moot's own runs over what is shown first."""

from benchmarks.evidence.draw import Prompt, prompt

from moot.core.panel import seated
from moot.core.question import Question
from moot.methods.runs import Form, forms_of, run_messages, wave_forms
from moot.methods.sampling import WAVE
from moot.methods.search import first_shown
from moot.methods.votes import number_asked


def both_forms(question: Question) -> tuple[Form, ...]:
    """Return free text and the second way of asking: programs for a number, numbered sentences over documents."""
    return forms_of("both", number_asked(question), question)


def pool_prompts(question: Question, member: str, n: int) -> tuple[Prompt, ...]:
    """Return the prompts of the pool, one a form."""
    shown = first_shown(question, seated([member]), "auto")
    return tuple(prompt(form, run_messages(question, form, shown), n) for form in both_forms(question))


def vote_order(forms: tuple[Form, ...], replies: int) -> tuple[Form, ...]:
    """Return the form of each reply in the order in which `vote` draws them: waves of four, half in each form."""
    waves = range(1, -(-replies // WAVE) + 1)
    return sum((wave_forms(forms, WAVE, wave) for wave in waves), ())[:replies]
