"""Match lookup and access checks shared by the pages."""

from typing import Any

from django.http import Http404, HttpRequest
from django.middleware.csrf import get_token

from games import selectors
from games.models import Match


def find(request: HttpRequest, public_id: str) -> tuple[Match, selectors.Viewpoint]:
    """The match, and what the visitor is at it; 404 when it is not for him."""
    actor = selectors.actor_of(request.user, request.session)
    viewpoint = selectors.find_viewpoint(public_id, actor)
    found = selectors.find_match(public_id)
    if viewpoint is None or found is None:
        raise Http404
    return found, viewpoint


def is_open(match: Match, viewpoint: selectors.Viewpoint) -> bool:
    """Whether the whole log is for the reader: of a match that runs, it is for the players."""
    return match.is_finished or viewpoint.side is not None


def account(request: HttpRequest) -> dict[str, Any]:
    """The member whose choices the page obeys; a guest's are in his browser."""
    user = request.user
    if not user.is_authenticated or not user.is_member:
        return {"member": None, "choices": None}
    choices = user.preferences.table_choices()
    return {"member": user.public_id, "choices": choices, "csrf": get_token(request)}
