"""URLs of this site that lead visitors back to where they were."""

from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def is_own(request: HttpRequest, url: str) -> bool:
    """Return whether the URL is on the host of the request, so that a redirect may lead to it."""
    return url_has_allowed_host_and_scheme(url, {request.get_host()}, request.is_secure())


def own_url(request: HttpRequest, url: str, otherwise: str = "") -> str:
    """Return the URL if it is a path of this site, else `otherwise`.

    A word without a slash is not a path: `redirect` would take it for the name of a URL and fail.
    """
    return url if url.startswith("/") and is_own(request, url) else otherwise


def with_return(url: str, back: str) -> str:
    """Return the URL of a page that leads to the URL `back` afterwards."""
    return f"{url}?{urlencode({'next': back})}"
