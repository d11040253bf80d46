"""Format durations."""


def as_clock(seconds: int) -> str:
    """Return `0:45`, `12:05` or, from an hour on, `1:02:30`, as the scripts write it."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
