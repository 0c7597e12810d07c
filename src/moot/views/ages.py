"""How long ago something was, in words."""

MINUTE, HOUR, DAY = 60, 3600, 86_400
_STEPS = (
    (MINUTE, HOUR, "min", "min"),
    (HOUR, DAY, "h", "h"),
    (DAY, 60 * DAY, "day", "days"),
    (30 * DAY, 730 * DAY, "month", "months"),
)


def age_words(seconds: float) -> str:
    """Return how long ago something was: `3 min ago`. What a clock puts into the future is now."""
    if seconds < MINUTE:
        return "just now"
    for unit, end, one, several in _STEPS:
        if seconds < end:
            number = int(seconds // unit)
            return f"{number} {one if number == 1 else several} ago"
    return f"{int(seconds // (365 * DAY))} years ago"
