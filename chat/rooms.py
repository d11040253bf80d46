"""What rooms are, for staff: a room's name can be read by its keeper alone.

The name begins with the kind of room. Whoever keeps rooms of a kind registers from `ready()` how
to find in the admin what a room belongs to.
"""

from collections.abc import Callable

Link = Callable[[str], str | None]

_links: dict[str, Link] = {}


def register(kind: str, link: Link) -> None:
    """`link` makes an address of a room's name. Raises ValueError when the kind is taken."""
    if kind in _links:
        raise ValueError(f"rooms of the kind {kind!r} are kept already")
    _links[kind] = link


def staff_link(room: str) -> str | None:
    """Where staff reads about what the room belongs to; None when nobody keeps it."""
    link = _links.get(room.partition(":")[0])
    return link(room) if link else None
