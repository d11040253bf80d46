"""The admin site, with pages that are about several apps at once."""

from functools import update_wrapper
from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.second_factor.selectors import is_missing
from accounts.shared import reauthentication
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.own_urls import with_return
from config.staff.case_file import case_file_of
from config.staff.overview import overview_of
from games.models import Match

# Seconds for which a form that was opened in time may still be sent, so that no content is lost.
FORM_TIME_S = 3600


def _has_old_sign_in(request: HttpRequest) -> bool:
    if not settings.STAFF_SIGN_IN_HOURS:
        return False
    name = request.resolver_match.url_name if request.resolver_match else ""
    if name == "logout":
        return False
    is_of_form = request.method == "POST" or name == "autocomplete"
    limit_s = 3600 * settings.STAFF_SIGN_IN_HOURS + (FORM_TIME_S if is_of_form else 0)
    return not reauthentication.is_recent(request, limit_s)


class StaffSite(AdminSite):
    site_title = site_header = _("5Stars Gammon: staff")
    index_title = _("Overview")
    index_template = "admin/overview.html"

    def get_urls(self) -> list[URLResolver | URLPattern]:
        case_file = self.admin_view(self.case_file)
        return [
            path("games/match/<int:match_id>/case/", case_file, name="case_file"),
            *super().get_urls(),
        ]

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Lead staff without two-step sign-in to its set-up, and from there back.

        Ask staff whose sign-in is old to confirm who they are.
        """
        inner = super().admin_view(view, cacheable)

        def gated(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            back = request.get_full_path() if request.method == "GET" else reverse("admin:index")
            if isinstance(request.user, User) and is_missing(request.user):
                return redirect(with_return(reverse("account_second_factor_setup"), back))
            if request.user.is_staff and _has_old_sign_in(request):
                return reauthentication.ask(back)
            return inner(request, *args, **kwargs)

        return update_wrapper(gated, inner)

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        overview = overview_of(current_user(request), CLOCK.now())
        return super().index(request, {**(extra_context or {}), "overview": overview})

    def case_file(self, request: HttpRequest, match_id: int) -> HttpResponse:
        """Show everything that is known about a match; nothing can be changed here."""
        if not request.user.has_perm("games.view_match"):
            raise PermissionDenied
        match = Match.objects.filter(pk=match_id).prefetch_related("seats__user").first()
        if match is None:
            raise Http404
        context: dict[str, Any] = {
            **self.each_context(request),
            "title": gettext("Case file of match %(match)s") % {"match": match},
            "opts": Match._meta,
            "case": case_file_of(match, current_user(request), CLOCK.now()),
        }
        return TemplateResponse(request, "admin/case_file.html", context)
