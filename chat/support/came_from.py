"""The page and match from which a visitor comes to support, and details of their browser."""

from dataclasses import dataclass
from urllib.parse import unquote, urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import Resolver404, resolve

from accounts.models import is_public_id
from accounts.shared.own_urls import is_own
from accounts.times.zones import label_of, shown_zone
from chat import rooms
from chat.support.services import Details

# Arguments of URLs that open something for anyone who knows them.
_SECRETS = {"key", "token", "uidb36"}


@dataclass(frozen=True, slots=True)
class CameFrom:
    """A path of this site without its query, and the public id of a match; each may be empty."""

    page: str
    match: str

    @property
    def room(self) -> str:
        return f"match:{self.match}" if self.match else ""

    @property
    def query(self) -> str:
        """Return the query for links to the next steps, which pass page and match on."""
        given = {"page": self.page, "match": self.match}
        known = {name: value for name, value in given.items() if value}
        return f"?{urlencode(known)}" if known else ""


def came_from(request: HttpRequest) -> CameFrom:
    """Read page and match from the parameters of a further step, or the page from `Referer`.

    Pages of other sites and of support, secret paths, and matches that the visitor may not see are
    left out.
    """
    given = request.POST if request.method == "POST" else request.GET
    page, match = given.get("page", request.headers.get("Referer", "")), given.get("match", "")
    is_shown = is_public_id(match) and rooms.is_visible(f"match:{match}", request)
    return CameFrom(_own_path(request, page), match if is_shown else "")


def details_of(request: HttpRequest, came: CameFrom) -> Details:
    return Details(
        page=came.page,
        version=settings.VERSION,
        device=request.headers.get("User-Agent", "")[:300],
        zone=label_of(shown_zone())[:64],
    )


def _own_path(request: HttpRequest, url: str) -> str:
    try:
        path = urlsplit(url).path if is_own(request, url) else ""
    except ValueError:
        return ""
    return path[:200] if path.startswith("/") and not _is_hidden(path) else ""


def _is_hidden(path: str) -> bool:
    """Return whether the path has a secret or belongs to support; an unknown path is not hidden."""
    try:
        found = resolve(unquote(path))  # links in emails may have encoded characters
    except Resolver404:
        return False
    return found.app_name == "support" or not _SECRETS.isdisjoint(found.kwargs)
