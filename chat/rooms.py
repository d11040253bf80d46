"""Links from a room to its owner in the admin.

A room's name begins with its kind, and only the app that owns that kind can read the rest. Each
such app registers a link function from `ready()`.
"""

from collections.abc import Callable

Link = Callable[[str], str | None]

_links: dict[str, Link] = {}


def register(kind: str, link: Link) -> None:
    """Register how a room's name becomes a URL. Raise ValueError for a kind that is taken."""
    if kind in _links:
        raise ValueError(f"rooms of the kind {kind!r} are kept already")
    _links[kind] = link


def staff_link(room: str) -> str | None:
    """Return the admin URL of the room's owner, or None for an unregistered kind."""
    link = _links.get(room.partition(":")[0])
    return link(room) if link else None
