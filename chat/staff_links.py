"""Links from a row of the chat in the admin to the people and matches that it is about."""

from collections.abc import Collection

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User
from chat import rooms


def member_link(user: User) -> SafeString:
    address = reverse("admin:accounts_user_change", args=[user.pk])
    return format_html('<a href="{}">{}</a>', address, user.username)


def room_link(room: str) -> SafeString:
    """Link to the room's admin page, if the app that owns the room registered one."""
    return room_links([room])[room]


def room_links(names: Collection[str]) -> dict[str, SafeString]:
    """Return the link to each room's admin page, in as many queries as for a single room."""
    addresses = rooms.staff_links(names)
    return {room: _room_link(room, addresses.get(room)) for room in names}


def _room_link(room: str, address: str | None) -> SafeString:
    return format_html('<a href="{}">{}</a>', address, room) if address else format_html("{}", room)
