"""How long ago something was, in words."""

MINUTE, HOUR, DAY = 60, 3600, 86_400
_STEPS = ((MINUTE, HOUR, "minute"), (HOUR, DAY, "hour"), (DAY, 60 * DAY, "day"), (30 * DAY, 730 * DAY, "month"))


def age_words(seconds: float) -> str:
    """Return how long ago something was: `3 minutes ago`. What a clock puts into the future is now."""
    if seconds < MINUTE:
        return "just now"
    for unit, end, noun in _STEPS:
        if seconds < end:
            number = int(seconds // unit)
            return f"{number} {noun}{'' if number == 1 else 's'} ago"
    return f"{int(seconds // (365 * DAY))} years ago"
