"""Find the page a visitor is on. URLs from a browser may be malformed."""

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import reverse

# Pages of forms, by the name of the URL to which the form is sent. Such a URL accepts POST only, so
# a link back must lead to the form's page instead.
FORM_PAGES = {
    "account_change_unverified_email": "account_email_verification_sent",
    "account_resend": "account_email_verification_sent",
    "chat:reach": "chat:conversations",
    "games:again": "games:match",
    "games:start_training": "games:training",
    "lobby:accept_invitation": "lobby:invitation",
    "lobby:again": "games:match",
    "lobby:cancel": "lobby:seek",
    "lobby:cancel_invitation": "lobby:invitation",
    "lobby:cancel_play_now": "lobby:play_now",
    "lobby:decline": "lobby:seek",
    "lobby:decline_invitation": "lobby:invitation",
    "lobby:join": "lobby:seek",
    "people:avatar_remove": "people:profile",
    "people:avatar_seen": "people:profile",
    "people:avatar_upload": "people:profile",
    "people:block": "people:player",
    "people:friend": "people:player",
    "people:note": "people:player",
    "people:notice_device": "people:notices",
    "people:notice_emails": "people:notices",
    "people:subscribe": "people:notices",
    "people:unblock": "people:player",
    "shop:buy": "shop:good",
    "shop:start_top_up": "shop:top_up",
    "shop:take_gift": "shop:gifts",
    "shop:wear": "shop:good",
    "stats:hide_recap": "stats:recap_of_year",
    "stats:share_recap": "stats:recap_of_year",
    "tournaments:enter": "tournaments:tournament",
    "tournaments:withdraw": "tournaments:tournament",
    "wallet:keep_limit": "wallet:limits",
}


def path_of(url: str) -> str:
    """Return the path of a URL; "" if it cannot be read."""
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def partials_page(request: HttpRequest) -> str | None:
    """Return the page that requests a partial through htmx; None if unknown or not a partial."""
    htmx = getattr(request, "htmx", None)
    try:
        return htmx.current_url_abs_path if htmx else None
    except ValueError:  # the header is not a URL
        return None


def form_page(request: HttpRequest) -> str | None:
    """Return the page of the form sent to this URL; None if this URL is itself a page."""
    match = request.resolver_match
    name = FORM_PAGES.get(match.view_name) if match else None
    return reverse(name, kwargs=match.kwargs) if match and name else None


def page_of(request: HttpRequest) -> str:
    """Return the page that the visitor sees and to which a link can lead back."""
    return partials_page(request) or form_page(request) or request.get_full_path()
