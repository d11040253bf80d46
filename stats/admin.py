"""Ratings and one-way flows in the admin: read-only, since they follow from the matches."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.shared.current_user import current_user
from accounts.shared.staff.read_only import ReadOnly
from games.admin import match_link
from stats.integrity import admin as integrity  # noqa: F401 - registers its pages
from stats.integrity import one_way
from stats.models import Ladder, OneWayFlow, RatedMatch, Rating, RatingChange


class StatsAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    show_full_result_count = False


@admin.register(Rating)
class RatingAdmin(StatsAdmin):
    list_display = ("user", "variant", "rating", "experience", "won", "lost", "drawn")
    list_filter = ("variant",)
    list_select_related = ("user",)
    search_fields = ("=user__username",)
    ordering = ("-rating",)


@admin.register(RatingChange)
class RatingChangeAdmin(StatsAdmin):
    list_display = (
        "place", "match", "user", "variant", "length", "result", "before", "change", "chance",
        "weight", "played_weight", "net_credits",
    )  # fmt: skip
    list_filter = ("variant",)
    list_select_related = ("rated__match", "user")
    search_fields = ("=user__username", "=rated__match__public_id")
    ordering = ("-rated__place", "user")

    @admin.display(description=_("Place"))
    def place(self, change: RatingChange) -> int | None:
        return change.rated.place

    @admin.display(description=_("Match"))
    def match(self, change: RatingChange) -> Any:
        return match_link(change.rated.match)


@admin.register(RatedMatch)
class RatedMatchAdmin(StatsAdmin):
    """`place` is the match's number in the order in which matches were rated.

    A match without a place waits for the worker; a long wait is a fault.
    """

    list_display = ("place", "link", "finished_at", "rated_at")
    list_filter = (("place", admin.EmptyFieldListFilter),)
    list_select_related = ("match",)
    search_fields = ("=match__public_id",)
    ordering = ("-finished_at",)

    @admin.display(description=_("Match"))
    def link(self, rated: RatedMatch) -> Any:
        return match_link(rated.match)


@admin.register(Ladder)
class LadderAdmin(StatsAdmin):
    list_display = ("last_place",)


@admin.register(OneWayFlow)
class OneWayFlowAdmin(StatsAdmin):
    """The list of flows is the only page: there are no rows to open."""

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(self.changelist_view)
        return [path("", page, name="stats_onewayflow_changelist")]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": self.opts.verbose_name_plural,
            "opts": self.opts,
            "threshold": one_way.THRESHOLD,
            "flows": self._flows_without(current_user(request).pk),
        }
        return TemplateResponse(request, "admin/stats/one_way.html", context)

    def _flows_without(self, reader_id: int) -> list[one_way.Flow]:
        """Leave out the reader's own flows, as with cases: another member of staff decides."""
        flows = one_way.flows(timezone.now())
        return [each for each in flows if reader_id not in (each.gainer.pk, each.payer.pk)]
