"""Friends: the page, the buttons of a player's card and page, the alert on every page."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import selectors
from accounts.models import User
from accounts.people import friends
from accounts.people.names import shown_name
from accounts.people.views import go_back, show_card, show_player
from accounts.shared import rate_limits
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.plain_text import as_login
from accounts.shared.refusals import Refused, marked

LIMIT = "friend_request"  # key of ACCOUNT_RATE_LIMITS
# Ids of the parts of pages that htmx replaces by an answer.
ALERT, LISTS = "friend-news", "friends"

ACTIONS: dict[str, Callable[[int, int, datetime], None]] = {
    "ask": friends.ask,
    "accept": friends.accept,
    "decline": friends.decline,
    "cancel": friends.cancel,
    "remove": friends.remove,
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def show(request: HttpRequest) -> HttpResponse:
    """Show friends and requests; POST sends a request to the player with the given login."""
    user = current_user(request)
    if request.method != "POST":
        return render(request, "people/friends.html", _lists(user))
    login = request.POST.get("login", "").strip()
    found = User.objects.filter(
        username__iexact=as_login(login), activated_at__isnull=False, closed_at=None
    ).first()
    if found is None:
        unknown = gettext("There is no player with this login.")
        return _refuse_login(request, login, unknown if login else gettext("Enter a login."))
    try:
        _count_request(request)
        friends.ask(user.pk, found.pk, CLOCK.now())
    except Refused as error:
        return marked(_refuse_login(request, login, sentence(error)), error.code)
    if text := _done("ask", user, found):
        messages.success(request, text)
    return HttpResponseRedirect(reverse("people:friends"), status=303)


@require_POST
@login_required
def act(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask, accept, decline, cancel or remove, as the field `action` says."""
    user, action = current_user(request), request.POST.get("action", "")
    other = selectors.find_member(public_id)
    if other is None or other.closed_at or action not in ACTIONS:
        raise Http404
    text = error_text = code = ""
    try:
        if action == "ask":
            _count_request(request)
        ACTIONS[action](user.pk, other.pk, CLOCK.now())
        text = _done(action, user, other)
    except Refused as error:
        error_text, code = sentence(error), error.code
    answer = _answer(request, other, text, error_text)
    return marked(answer, code) if code else answer


@never_cache
@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Render the alert about requests, for a page after a `friends` nudge."""
    return render(request, "people/_friend_news.html")


@never_cache
@require_safe
@login_required
def listing(request: HttpRequest) -> HttpResponse:
    """Render friends and requests alone, for a page after a `friends` nudge."""
    return render(request, "people/_friends.html", _lists(current_user(request)))


def _count_request(request: HttpRequest) -> None:
    """Count a request to any player; raise Refused("many_requests") beyond the limit.

    `friends.ask` limits only the number of players who are asked. Without this limit a member could
    cancel and send one request again and again, and each time refresh all open pages of the player.
    """
    if not rate_limits.allow(request, LIMIT):
        raise Refused("many_requests")


def _lists(user: User) -> dict[str, Any]:
    received, sent = selectors.requests_of(user.pk)
    here = selectors.friends_here(user, CLOCK.now())
    here_ids = {friend.pk for friend in here}
    others = [each for each in selectors.friends_of(user) if each.pk not in here_ids]
    return {"received": received, "sent": sent, "here": here, "others": others}


def _answer(request: HttpRequest, other: User, text: str, error: str) -> HttpResponse:
    """Answer htmx with the part that has the pressed button.

    Without a script: an error renders the player's page, success redirects back.
    """
    if request.htmx:  # type: ignore[attr-defined]
        target = request.htmx.target  # type: ignore[attr-defined]
        if target == ALERT:
            return render(request, "people/_friend_news.html", {"friend_notice": error or text})
        if target == LISTS:
            lists = _lists(current_user(request))
            return render(request, "people/_friends.html", lists | {"done": text, "error": error})
        return show_card(request, other, error)
    if error:
        return show_player(request, other, error)
    if text:
        messages.success(request, text)
    return go_back(request, other)


def _refuse_login(request: HttpRequest, login: str, error: str) -> HttpResponse:
    context = _lists(current_user(request)) | {"login": login, "login_error": error}
    return render(request, "people/friends.html", context, status=422)


def _done(action: str, user: User, other: User) -> str:
    """Return a message about the action; "" for a new friendship, which every page reports."""
    # Do not query after "accept": the other member may have ended the friendship already.
    if action == "accept" or (action == "ask" and selectors.are_friends(user.pk, other.pk)):
        return ""
    texts = {
        "ask": gettext("Friend request sent to %(player)s."),
        "decline": gettext("You declined the friend request from %(player)s. They are not told."),
        "cancel": gettext("Your friend request to %(player)s is canceled."),
        "remove": gettext("%(player)s is no longer your friend. They are not told."),
    }
    return texts[action] % {"player": shown_name(other)}


def sentence(error: Refused) -> str:
    texts = {
        "oneself": gettext("That is you: choose another player."),
        "not_member": gettext("Activate your account first: the link is in our email."),
        "blocked": gettext("You have blocked this player. Unblock them first, on their page."),
        # Blocked by the person, declined before, or no longer here: the text reveals none of it.
        "unavailable": gettext("You cannot send this player a friend request at the moment."),
        "many_requests": gettext("You have sent many friend requests today. Try again tomorrow."),
        "many_friends": gettext("One of you already has the maximum number of friends: %(most)d.")
        % {"most": friends.MOST_FRIENDS},
        "gone": gettext("This friend request is no longer open."),
    }
    return texts[error.code]
