"""Matches and what belongs to them in the admin, read-only and without the sealed secret."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.shared.staff.actions import StaffActionsMixin
from accounts.shared.staff.prepared_rows import PreparedRows
from accounts.shared.staff.read_only import ReadOnly
from accounts.times.texts import text_of
from games import selectors
from games.conduct.penalties import FORGOTTEN_AFTER, weight_of
from games.conduct.record import suspensions_of, weighted
from games.models import Action, Game, Interruption, Match, RematchOffer, Review, Seat, Strike
from games.staff_actions import CONFIRM_VOID, LIFT, VOID


def match_link(match: Match | None) -> Any:
    """Return a link to a match's admin page, or a dash for None."""
    if match is None:
        return "-"
    address = reverse("admin:games_match_change", args=[match.pk])
    return format_html('<a href="{}">{}</a>', address, match.public_id)


class OfMatch:
    """Add the column and field `in_match`, a link to the row's match.

    As a base class, list this mixin before ModelAdmin.
    """

    @admin.display(description=_("Match"))
    def in_match(self, row: Any) -> Any:
        return match_link(row.match)


class SeatInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Seat
    fields = ("side", "user", "guest", "bot")
    extra = 0


class GameInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Game
    fields = ("number", "started_at", "finished_at", "winner", "kind", "points", "cause", "cube")
    extra = 0


class RematchInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = RematchOffer
    fields = ("side", "state", "created_at", "answered_at")
    extra = 0


class OverdueFilter(admin.SimpleListFilter):
    title = _("overdue")
    parameter_name = "overdue"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return selectors.overdue(queryset, timezone.now()) if self.value() else queryset


@admin.register(Match)
class MatchAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("public_id", "kind", "variant", "phase", "outcome", "winner", "created_at")
    list_filter = (
        "kind", "variant", "phase", "outcome", ("finished_at", admin.EmptyFieldListFilter),
        OverdueFilter,
    )  # fmt: skip
    search_fields = ("public_id",)
    date_hierarchy = "created_at"
    exclude = ("sealed_secret",)
    inlines = (SeatInline, GameInline, RematchInline)
    staff_actions = (VOID,)
    change_form_template = "admin/games/match.html"


@admin.register(Action)
class ActionAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("match", "seq", "side", "verb", "created_at")
    search_fields = ("match__public_id",)
    list_select_related = ("match",)
    show_full_result_count = False


@admin.register(Review)
class ReviewAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("match", "state", "done", "total", "plies", "asked_at", "finished_at")
    list_filter = ("state", "plies")
    search_fields = ("match__public_id",)
    list_select_related = ("match",)
    exclude = ("asker", "holder")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Review]:
        """Leave out the judgments, which are large."""
        return super().get_queryset(request).defer("judgments")


@admin.register(Strike)
class StrikeAdmin(PreparedRows, StaffActionsMixin, OfMatch, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("created_at", "user", "kind", "in_match", "weight", "suspension", "lifted_at")
    list_filter = ("kind", ("lifted_at", admin.EmptyFieldListFilter))
    list_select_related = ("user", "match")
    search_fields = ("=user__username", "=match__public_id")
    date_hierarchy = "created_at"
    show_full_result_count = False
    staff_actions = (LIFT,)
    fields = (
        "user", "kind", "in_match", "created_at", "weight", "weighs_until", "suspension",
        "lifted_at", "lifted_by",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description=_("Counts now"))
    def weight(self, strike: Strike) -> str:
        if strike.lifted_at:
            return "0"
        return f"{weight_of(weighted(strike), timezone.now()):.2f}"

    @admin.display(description=_("Counts until"))
    def weighs_until(self, strike: Strike) -> str:
        return _moment(strike.lifted_at or strike.created_at + FORGOTTEN_AFTER)

    @admin.display(description=_("Member is suspended until"))
    def suspension(self, strike: Strike) -> str:
        until = self.prepared(strike, "suspended_until")
        return _moment(until) if until else "-"

    def prepare(self, rows: Sequence[Any]) -> None:
        ends = suspensions_of({row.user_id for row in rows}, timezone.now())
        for row in rows:
            row.suspended_until = ends[row.user_id]


@admin.register(Interruption)
class InterruptionAdmin(StaffActionsMixin, OfMatch, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("ended_at", "in_match", "phase", "lasted", "outages_given", "voided_at")
    list_filter = (
        ("match__finished_at", admin.EmptyFieldListFilter),
        ("voided_at", admin.EmptyFieldListFilter),
    )
    list_select_related = ("match",)
    search_fields = ("=match__public_id",)
    date_hierarchy = "ended_at"
    staff_actions = (CONFIRM_VOID,)
    fields = (
        "in_match", "phase", "began_at", "ended_at", "lasted", "outages_given", "voided_at",
        "voided_by",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description=_("Phase"))
    def phase(self, interruption: Interruption) -> str:
        return interruption.match.phase

    @admin.display(description=_("From the first outage to the last"))
    def lasted(self, interruption: Interruption) -> str:
        seconds = (interruption.ended_at - interruption.began_at).total_seconds()
        return f"{seconds // 60:.0f}:{seconds % 60:02.0f}"

    @admin.display(description=_("Outages made up for"))
    def outages_given(self, interruption: Interruption) -> int:
        return interruption.match.outages_given


def _moment(at: datetime) -> str:
    return text_of(at, "moment")
