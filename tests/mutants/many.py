"""Mutants of several replies to one prompt: what goes together, what each took, what is asked for again."""

from tests.mutants.mutant import Mutant

CALLS, DOOR, STEPS = "core/calls.py", "runtime/door.py", "runtime/steps.py"
SENDING, LEDGER = "runtime/dispatch.py", "runtime/ledger.py"
READING, SERVER, BODY = "gateway/replies.py", "gateway/openai_compatible.py", "gateway/requests.py"

RUN, WIRE = ("runtime/test_many.py",), ("gateway/test_gateway_many.py",)


def _each(file: str, old: str, new: str, tests: tuple[str, ...] = RUN) -> Mutant:
    return Mutant("ruling:G3", file, old, new, tests)


def _counted(file: str, old: str, new: str, tests: tuple[str, ...] = WIRE) -> Mutant:
    return Mutant("ruling:G10", file, old, new, tests)


MUTANTS = (
    Mutant("ruling:G8", DOOR, "any(step.reply is not None for step in replies)", "replies[-1].reply is not None", RUN),
    # What goes together, and in which order.
    _each(CALLS, "range(2, self.n + 1)", "range(2, self.n)"),
    _each(CALLS, "if self.n < 1:", "if self.n < 0:"),
    _each(DOOR, "if ask.n != 1:", "if False:"),
    _each(SENDING, "going = going[: self._at_once(going, going[0].next_attempt())]", "pass"),
    _each(SENDING, "not any(step.heard for step in replies)", "True"),
    _each(SENDING, "for together in _parts(same, self._at_once(same, same[0].attempts[-1]))", "for together in [same]"),
    _each(SENDING, "timeout=left, n=len(call))", "timeout=left)"),
    _each(SENDING, "(step.of or step.ask.step, step.attempts[-1].digest)", "(step.of or step.ask.step)"),
    _each(SENDING, "(result, *result.more)[:wanted]", "(result,)"),
    _each(SENDING, "[result] * wanted if", "[result] if"),
    _each(STEPS, 'not in ("intent", "lost")', 'not in ("intent",)'),
    _each(BODY, "if request.n > 1:", "if request.n > 2:", WIRE),
    _each(BODY, 'body["n"] = request.n', 'body["n"] = 2', WIRE),
    _each(SERVER, "min(request.n, self._at_once)", "request.n", WIRE),
    _each(SERVER, "min(self._at_once, brought)", "self._at_once", WIRE),
    _each(SERVER, "{*LENGTH_FIELDS, SEVERAL}", "set(LENGTH_FIELDS)", WIRE),
    _each(SERVER, "more=tuple(_without_key(each, secret) for each in completion.more)", "more=completion.more", WIRE),
    _each(READING, "listed[:wanted]", "listed", WIRE),
    _each(READING, "index >= self.wanted", "index > self.wanted", WIRE),
    _each(READING, "sorted(self.choices.items())", "self.choices.items()", WIRE),
    # What each took.
    _counted(READING, '{**each, "prompt_tokens": 0}', "each"),
    _counted(READING, "added = Usage(0, 0, 0.0) if isinstance(whole, Mapping) else", "added ="),
    _counted(READING, "if isinstance(whole, Mapping) else usage_of(None, cost)", "if True else usage_of(None, cost)"),
    _counted(READING, "if not listed and self.ended is not None:", "if self.ended is not None:"),
    _counted(READING, "            self.ended = growing", "            self.ended = self.ended or growing"),
    _counted(SERVER, "on_tokens = on_tokens or _unheard", "pass"),
    _counted(SENDING, 'self._ledger.release(charge, took["tries"])', "pass", RUN),
    _counted(SENDING, '{**took, "tries": 0}', "took", RUN),
    _counted(SENDING, "any(self._ledger.admit(charge) for _, charge in call)", "self._ledger.admit(call[0][1])", RUN),
    _counted(LEDGER, "self._add(-tries, -tries * charge.tokens", "self._add(0, -tries * charge.tokens", RUN),
)
