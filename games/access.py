"""The visitor, match lookup and access checks shared by the pages."""

from typing import Any
from uuid import uuid4

from django.http import Http404, HttpRequest
from django.middleware.csrf import get_token

from accounts.members import guests
from games import selectors
from games.models import Match
from games.models.actor import Actor


def find(request: HttpRequest, public_id: str) -> tuple[Match, selectors.Viewpoint]:
    """Return the match and the visitor's viewpoint; set the page's item of the navigation.

    Raises Http404 if there is no such match or the visitor may not see it.
    """
    found = selectors.find_match(public_id)
    actor = selectors.actor_of(request.user, request.session)
    viewpoint = None if found is None else selectors.viewpoint_of(found, actor)
    if found is None or viewpoint is None:
        raise Http404
    item = "training" if found.policy.has_bot else "play"
    request.navigation_item = item  # type: ignore[attr-defined]  # config.navigation
    return found, viewpoint


def is_room_visible(room: str, request: HttpRequest) -> bool:
    """Return whether the visitor may see the match that a room of the chat belongs to."""
    actor = selectors.actor_of(request.user, request.session)
    public_id = room.split(":")[1]  # "match:<public id>:players" or ":watchers"
    return selectors.find_viewpoint(public_id, actor) is not None


def player_of(request: HttpRequest) -> Actor:
    """Return the member or the browser's guest; a visitor who is neither becomes a guest."""
    player = selectors.actor_of(request.user, request.session)
    if player == Actor():
        player = Actor(guest=uuid4())
        request.session[guests.KEY] = str(player.guest)
    return player


def is_open(match: Match, viewpoint: selectors.Viewpoint) -> bool:
    """Return whether the visitor may read the whole log: players always, others after the end."""
    return match.is_finished or viewpoint.side is not None


def account_boot(request: HttpRequest) -> dict[str, Any]:
    """Return the member's id, settings and CSRF token for the page's script.

    A guest's settings are kept in their browser.
    """
    user = request.user
    if not user.is_authenticated or not user.is_member:
        return {"member": None, "choices": None}
    choices = user.preferences.table_choices()
    return {"member": user.public_id, "choices": choices, "csrf": get_token(request)}
