"""Which page a visitor is on. What a browser says of it may be no address at all."""

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.urls import reverse

# Addresses that take a form and cannot be gone back to, though they may answer with a page or lead
# to the sign-in: by each, the page that the form stands on.
FORM_PAGES = {
    "account_change_unverified_email": "account_email_verification_sent",
    "account_resend": "account_email_verification_sent",
    "lobby:cancel": "lobby:seek",
    "lobby:decline": "lobby:seek",
    "lobby:join": "lobby:seek",
    "people:avatar_remove": "people:profile",
    "people:avatar_upload": "people:profile",
    "people:block": "people:player",
    "people:unblock": "people:player",
}


def path_of(address: str) -> str:
    """The path of an address; "" for what cannot be read as one."""
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def partials_page(request: HttpRequest) -> str | None:
    """The page that htmx asks for a part of; None where it asks for none, or says nothing of it."""
    htmx = getattr(request, "htmx", None)
    try:
        return htmx.current_url_abs_path if htmx else None
    except ValueError:  # a header that is no address
        return None


def form_page(request: HttpRequest) -> str | None:
    """The page that the form stands on which was sent here; None where that is this address."""
    match = request.resolver_match
    name = FORM_PAGES.get(match.view_name) if match else None
    return reverse(name, kwargs=match.kwargs) if match and name else None


def page_of(request: HttpRequest) -> str:
    """What the visitor sees and can come back to."""
    return partials_page(request) or form_page(request) or request.get_full_path()
