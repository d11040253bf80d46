"""Ask the app that owns a room for its admin page, and whether a visitor may see the room.

A room's name begins with its kind, and only the app that owns that kind can read the rest. Each
such app registers its functions from `ready()`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpRequest

Link = Callable[[str], str | None]
Visible = Callable[[str, HttpRequest], bool]


@dataclass(frozen=True, slots=True)
class _Owner:
    link: Link
    is_visible: Visible


_owners: dict[str, _Owner] = {}


def register(kind: str, link: Link, is_visible: Visible) -> None:
    """Register the functions of a kind; raise ValueError if it has some already."""
    if kind in _owners:
        raise ValueError(f"rooms of the kind {kind!r} are registered already")
    _owners[kind] = _Owner(link, is_visible)


def staff_link(room: str) -> str | None:
    """Return the URL of the room's admin page; None for an unregistered kind of room."""
    owner = _owner_of(room)
    return owner.link(room) if owner else None


def is_visible(room: str, request: HttpRequest) -> bool:
    """Return whether the room exists and the visitor may see its match."""
    owner = _owner_of(room)
    return owner is not None and owner.is_visible(room, request)


def _owner_of(room: str) -> _Owner | None:
    return _owners.get(room.partition(":")[0])
