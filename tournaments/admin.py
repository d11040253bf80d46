"""Tournaments in the admin: create, schedule, decide; everything else is read-only."""

from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.staff.actions import StaffActionsMixin
from accounts.shared.staff.read_only import ReadOnly
from accounts.times.validators import need_inner_year
from games.admin import OfMatch
from tournaments.forms import RULES, TERMS, ScheduleForm, TournamentForm
from tournaments.models import (
    Entrant,
    Fixture,
    Prize,
    Schedule,
    SeasonPoints,
    TimelineEntry,
    Tournament,
)
from tournaments.services import announcing, schedules
from tournaments.staff_actions import (
    ADJUDICATE,
    APPROVE,
    POSTPONE,
    REJECT,
    REMOVE,
    RESUME,
    STOP,
    VOID,
)


class EntrantInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Entrant
    fields = ("user", "state", "entered_at", "left_at")
    extra = 0
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entrant]:
        return super().get_queryset(request).select_related("user")


class PrizeInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Prize
    fields = ("entrant", "credits", "due_at", "paid_at")
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Prize]:
        return super().get_queryset(request).select_related("entrant__user")


class TimelineInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = TimelineEntry
    fields = ("at", "event", "detail", "reason", "by")
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[TimelineEntry]:
        return super().get_queryset(request).select_related("by")


@admin.register(Tournament)
class TournamentAdmin(StaffActionsMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Staff announce a tournament; its terms never change afterwards."""

    form = TournamentForm
    formfield_overrides = {models.DateTimeField: {"validators": [need_inner_year]}}
    list_display = (
        "starts_at", "name", "public_id", "state", "format", "variant", "fee_credits",
        "prize_credits",
    )  # fmt: skip
    list_filter = ("state", "format", "variant")
    search_fields = ("=public_id", "name", "=entrants__user__username")
    date_hierarchy = "starts_at"
    staff_actions = (VOID, POSTPONE, APPROVE, REJECT)
    inlines = (EntrantInline, PrizeInline, TimelineInline)

    def get_fields(self, request: HttpRequest, obj: Tournament | None = None) -> Any:
        if obj is None:
            return (*TERMS, "starts_at", *RULES)
        return (
            "public_id", "state", *TERMS, "variant", "rules", "starts_at", "extended_at",
            "commitment", "secret", "schedule", "created_by", "created_at", "started_at",
            "finished_at",
        )  # fmt: skip

    def get_inlines(self, request: HttpRequest, obj: Tournament | None) -> Any:
        return () if obj is None else self.inlines

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Tournament, form: Any, change: bool) -> None:
        by_id = current_user(request).pk
        made = announcing.announce(form.plan, obj.starts_at, CLOCK.now(), by_id)
        obj.pk, obj.public_id = made.pk, made.public_id


@admin.register(Schedule)
class ScheduleAdmin(StaffActionsMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    form = ScheduleForm
    list_display = ("name", "repeats", "weekday", "local_time", "time_zone", "next_at")
    staff_actions = (STOP, RESUME)
    fields = (
        *TERMS, "repeats", "weekday", "local_time", "time_zone", "announce_before", *RULES,
    )  # fmt: skip

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Schedule, form: Any, change: bool) -> None:
        schedules.store(obj, CLOCK.now())


@admin.register(Entrant)
class EntrantAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("entered_at", "tournament", "user", "state", "left_at")
    list_filter = ("state",)
    list_select_related = ("tournament", "user")
    search_fields = ("=tournament__public_id", "=user__username")
    show_full_result_count = False
    staff_actions = (REMOVE,)


@admin.register(Fixture)
class FixtureAdmin(StaffActionsMixin, OfMatch, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = (
        "round", "number", "first", "second", "in_match", "winner", "cause", "join_by",
        "finished_at",
    )  # fmt: skip
    list_filter = ("cause",)
    list_select_related = ("round", "first__user", "second__user", "winner__user", "match")
    search_fields = ("=round__tournament__public_id", "=match__public_id")
    show_full_result_count = False
    staff_actions = (ADJUDICATE,)


@admin.register(SeasonPoints)
class SeasonPointsAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Derived rows, which `manage.py rebuildseasons` computes again."""

    list_display = ("season", "points", "place", "entrant__user", "entrant__tournament")
    list_filter = ("season",)
    list_select_related = ("entrant__user", "entrant__tournament")
    search_fields = ("=entrant__tournament__public_id", "=entrant__user__username")
    show_full_result_count = False
