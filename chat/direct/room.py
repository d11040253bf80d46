"""Names of the rooms in which two members write to each other."""

KIND = "direct"


def room_of(user_id: int, other_id: int) -> str:
    first, second = sorted((user_id, other_id))
    return f"{KIND}:{first}:{second}"


def members_of(room: str) -> tuple[int, ...]:
    """Return the two members' ids, or none for a room of another kind."""
    kind, _, pair = room.partition(":")
    return tuple(map(int, pair.split(":"))) if kind == KIND else ()
