"""Durations as a clock shows them."""


def as_clock(seconds: int) -> str:
    """Return `0:45`, `12:05` or, from an hour on, `1:02:30`; static/js/site/resend-countdown.js counts on."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
