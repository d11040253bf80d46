"""Activate the reader's time zone for each request; store the device's zone in the account."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from accounts.models import Preferences, User
from accounts.times import services
from accounts.times.zones import ZONE_COOKIE, KnownZone, find_zone, guess, zone_of


class ReadersZone(MiddlewareMixin):
    """Write pages in the zone of the cookie that static/js/site/time-zone.js sets.

    Reads no session and sets no header, so that pages cached for visitors stay cached.
    `accounts.sessions.signed_in` calls `use_members_zone` when a view asks for the user.
    """

    def process_request(self, request: HttpRequest) -> None:
        timezone.activate(_of_device(request) or guess())

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        timezone.deactivate()
        member = getattr(request, "zoned_member", None)
        if member is not None:
            services.note_device(member.preferences, _of_device(request))
        return response


def use_members_zone(request: HttpRequest, user: User) -> None:
    """Write the page in the zone that the member chose, else the device's, else the account's."""
    preferences: Preferences = user.preferences
    timezone.activate(zone_of(preferences, _of_device(request)))
    request.zoned_member = user  # type: ignore[attr-defined]


def _of_device(request: HttpRequest) -> KnownZone | None:
    return find_zone(request.COOKIES.get(ZONE_COOKIE, ""))
