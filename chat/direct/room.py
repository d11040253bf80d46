"""Names of the rooms in which two members write to each other."""

KIND = "direct"


def room_of(user_id: int, other_id: int) -> str:
    first, second = sorted((user_id, other_id))
    return f"{KIND}:{first}:{second}"


def members_of(room: str) -> tuple[int, int] | None:
    """Return the two members' ids, or None for a room of another kind."""
    kind, _, pair = room.partition(":")
    if kind != KIND:
        return None
    first, second = pair.split(":")
    return int(first), int(second)
