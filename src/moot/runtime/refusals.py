"""Whether a reply declines to answer, also one in good JSON (ruling G8).

Only short texts that decline at once count: who regrets something and then answers has answered, and who cannot find,
confirm or recommend something has said what they think.
"""

import re

from moot.core.calls import Reply

LONGEST = 60
"""Words. A longer text that begins with a regret goes on to say something."""

_REGRET = (
    r"(?:i['\u2019]?m|i am|we are|we['\u2019]re) (?:very |so |really |truly )?(?:sorry|afraid)|(?:my )?apologies|sorry"
    r"|i apologi[sz]e|unfortunately|regrettably|no|leider|es tut mir leid|(?:je suis )?d\u00e9sol\u00e9e?|lo siento"
    r"|mi dispiace|desculpe|sinto muito|het spijt me"
)
_BUT = r"but|however|that|aber|mais|pero|ma|mas|maar|et|dass"
_START = rf"\W*(?:(?:{_REGRET})\b)?[\s,.:;!\u2014-]*(?:(?:{_BUT})\b)?[\s,]*"

_WHO = r"(?:i|we)(?:['\u2019](?:m|re)| am| are)?"
_CANNOT = r"(?:can(?:no|['\u2019])?t|can not|won['\u2019]?t|will not|(?:un|not )able to|(?:must|have to) decline to)"
_THIS = r"(?:that|this|it|you|so|such|your|the (?:request|question|task|topic|subject))"
_ADVICE = r"(?:any )?(?:assistance|help|(?:medical|legal|financial) advice)"
_DEED = (
    r"(?:help(?! but\b)|assist|comply|take part|participate|engage|fulfil{1,2}"
    rf"|(?:do|discuss|process|complete) {_THIS}"
    r"|(?:continue|proceed)(?= with|[.,;!]|$)"
    r"|(?:answer|respond to) (?:that|this|such|your)(?: \w+)?(?=\s*(?:[.;!]|$))"
    r"|(?:provide|give|state|take|offer) (?:an?|any|my|the) (?:\w+ )?(?:answer|position|opinion|response|view)"
    r"(?= and\b| on\b| without\b|\s*(?:[.,;!]|$))"
    rf"|(?:provide|offer|give|share) (?:that|this|such|you with (?:that|this|such)|{_ADVICE}))\b"
)
_MODEL = r"as an? (?:ai|artificial intelligence|(?:large )?language model|assistant)\b[^.!?]{0,60}"
_DECLINES = (
    rf"{_WHO} {_CANNOT} (?:\w+ly )?{_DEED}",
    rf"i (?:must |have to |\w+fully )?(?:decline|refuse)(?: to (?:{_DEED}|answer)| {_THIS}|[.;!]|$)",
    rf"{_MODEL}\b{_CANNOT} (?:\w+ly )?(?:{_DEED}|provide|answer|offer|give)",
    r"(?:ich kann|ich darf|wir k\u00f6nnen)[^.!?]{0,20}\bnicht (?:\w+ )?(?:helfen|weiterhelfen|behilflich sein)",
    r"dabei kann ich[^.!?]{0,20}\bnicht (?:helfen|weiterhelfen)",
    r"je ne (?:peux|puis) pas (?:vous aider|r\u00e9pondre \u00e0 cette|participer)",
    r"no puedo (?:ayudar|asistir|participar|responder a es[ae])",
    r"non posso (?:aiutar|assister|partecipare|rispondere a quest)",
    r"n\u00e3o posso (?:ajudar|participar|responder a ess)",
    r"ik kan (?:je |u |daar |hier )?(?:\w+ )?niet (?:mee )?helpen",
)
_REFUSAL = re.compile(rf"{_START}(?:{'|'.join(_DECLINES)})", re.IGNORECASE)


def is_refusal(text: str) -> bool:
    """Return whether a text declines to answer and says nothing else that could be weighed."""
    return len(text.split()) <= LONGEST and _REFUSAL.match(" ".join(text.split())) is not None


def refusal_in(reply: Reply) -> str:
    """Return the words by which a reply declines where it should answer, or nothing."""
    said = [value for name in reply.puts_forward if isinstance(value := getattr(reply, name, None), str)]
    return next((text for text in said if is_refusal(text)), "")
