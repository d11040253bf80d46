"""The administration, with the pages of the staff that are about several apps at once."""

from typing import Any

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.shared.current_user import current_user
from config.staff.case_file import case_file_of
from games.models import Match


class StaffSite(AdminSite):
    def get_urls(self) -> list[URLResolver | URLPattern]:
        case_file = self.admin_view(self.case_file)
        return [
            path("games/match/<int:match_id>/case/", case_file, name="case_file"),
            *super().get_urls(),
        ]

    def case_file(self, request: HttpRequest, match_id: int) -> HttpResponse:
        """Show everything that is known about a match; nothing can be changed here."""
        if not request.user.has_perm("games.view_match"):
            raise PermissionDenied
        match = Match.objects.filter(pk=match_id).prefetch_related("seats__user").first()
        if match is None:
            raise Http404
        context: dict[str, Any] = {
            **self.each_context(request),
            "title": _("Case file of the match %(match)s") % {"match": match},
            "opts": Match._meta,
            "case": case_file_of(match, current_user(request), timezone.now()),
        }
        return TemplateResponse(request, "admin/case_file.html", context)
