"""What a council is expected to take, said before anybody is asked."""

from fractions import Fraction

from moot.protocol import Expectation, Message, Panel, Question, first_question, prompt_tokens
from moot_council import prompts
from moot_council.rules import Entry, Standing
from moot_council.settings import CouncilSettings

REPLY_TOKENS = 250
RANKING_TOKENS = 100
BYTES_PER_TOKEN = 3


def expected_take(question: Question, panel: Panel, settings: CouncilSettings) -> Expectation:
    """Return what three stages take if everybody answers, no two alike, at a usual length."""
    shown = first_question(question, panel, settings.passages)
    seats = len(panel)
    answer, ranking, chairman = (prompt_tokens(messages) for messages in _sample_prompts(shown, seats))
    reply = min(REPLY_TOKENS, settings.max_tokens)
    if seats == 1:
        return Expectation(1, answer, reply, answer + settings.max_tokens)
    return Expectation(
        calls=2 * seats + 1,
        tokens_in=seats * (answer + ranking) + chairman,
        tokens_out=(seats + 1) * reply + seats * min(RANKING_TOKENS, settings.max_tokens),
        longest=chairman + settings.max_tokens,
        note="fewer calls where members give the same answer",
    )


def _sample_prompts(question: Question, seats: int) -> tuple[tuple[Message, ...], ...]:
    """Return a prompt of each stage over as many answers as there are seats, ranked as they come."""
    entries = [Entry("x" * REPLY_TOKENS * BYTES_PER_TOKEN, "", (f"m{seat}",)) for seat in range(1, seats + 1)]
    table = [Standing(entry, place, Fraction(0), Fraction(place), seats) for place, entry in enumerate(entries, 1)]
    return (
        prompts.answer_messages(question),
        prompts.ranking_messages(question, entries),
        prompts.chairman_messages(question, entries, table),
    )
