"""The admin site, with pages that are about several apps at once."""

from typing import Any

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from config.staff.case_file import case_file_of
from config.staff.overview import overview_of
from games.models import Match


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
