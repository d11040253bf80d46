"""Ask the app that owns a room for its admin page, its readers and those who took part in it.

The name of a room begins with the room's kind, and only the app that owns this kind can read the
rest of the name. Each such app registers its functions from `ready()`.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from django.http import HttpRequest

Links = Callable[[Collection[str]], Mapping[str, str]]
Visible = Callable[[str, HttpRequest], bool]
TookPart = Callable[[str, int], bool]
ClosedTo = Callable[[int], Collection[str]]


@dataclass(frozen=True, slots=True)
class _Owner:
    links: Links
    is_visible: Visible
    took_part: TookPart
    closed_to: ClosedTo


_owners: dict[str, _Owner] = {}


def register(
    kind: str, links: Links, is_visible: Visible, took_part: TookPart, closed_to: ClosedTo
) -> None:
    """Register the functions of a kind; raise ValueError if the kind is registered already.

    `links` returns the URLs of the rooms' admin pages; a room without such a page is left out.
    """
    if kind in _owners:
        raise ValueError(f"rooms of the kind {kind!r} are registered already")
    _owners[kind] = _Owner(links, is_visible, took_part, closed_to)


def staff_links(rooms: Collection[str]) -> dict[str, str]:
    """Return the URLs of the rooms' admin pages; a room of an unregistered kind has none."""
    found: dict[str, str] = {}
    for kind, owner in _owners.items():
        own = [room for room in rooms if _kind_of(room) == kind]
        if own:
            found |= owner.links(own)
    return found


def is_visible(room: str, request: HttpRequest) -> bool:
    """Return whether the room exists and the visitor may see it."""
    owner = _owner_of(room)
    return owner is not None and owner.is_visible(room, request)


def took_part(room: str, user_id: int) -> bool:
    """Return whether the room exists and the member plays or wrote there."""
    owner = _owner_of(room)
    return owner is not None and owner.took_part(room, user_id)


def closed_to(user_id: int) -> list[str]:
    """Return the rooms that the member may not read, not even as staff."""
    return [room for owner in _owners.values() for room in owner.closed_to(user_id)]


def _owner_of(room: str) -> _Owner | None:
    return _owners.get(_kind_of(room))


def _kind_of(room: str) -> str:
    return room.partition(":")[0]
