"""Sentences of a reply that say what is to be done and nothing of the matter: a plan is no reason (ruling I12).

"Step 1: Identify the servers that run Linux." would else be taken for granted, and the answer fall with it.
"""

import re

_DOING = (
    r"(?:identify|determine|look|check|compare|read|find|consider|list|examine|review|search|locate|analy[sz]e|verify"
    r"|evaluate|recall|start|begin|select|choose|eliminate|understand|gather|extract|confirm|assess|summari[sz]e"
    r"|consult|scan|filter|narrow|figure out|work out|find out|go through)"
)
# What a verb is done to, or how: behind a name ("Read Street runs north") or a plain word no plan begins.
_OBJECT = (
    r"(?:the|a|an|each|every|all|both|any|this|that|these|those|its|their|which|what|who|whom|whose|where|when|whether|if|how"
    r"|for|at|into|in|on|through|up|out|down|about|from|by|with|between|to)"
)
_SOON = r"(?:(?:first|then|now|next|also|only|just)\s+)?"
_WE = rf"(?:(?:we|i)\s+{_SOON}(?:(?:need|have|want)\s+to|must|should|will|shall)|let(?:['\u2019]s|\sus|\sme))"
_PLAN = re.compile(
    rf"(?:to\s+(?:answer|{_DOING[3:-1]})\b[^,]{{0,200}},\s*)?"
    rf"(?:{_DOING}\s+{_OBJECT}\b|{_WE}\s+{_SOON}{_DOING}\b(?!\s+that\b))",
    re.IGNORECASE,
)


def is_plan(text: str) -> bool:
    """Return whether a sentence, without what leads to it, only says what is to be done."""
    return _PLAN.match(text) is not None
