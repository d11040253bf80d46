"""Matches in the admin: to be read, never written. The sealed secret is nowhere on it."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from accounts.read_only import ReadOnly
from games.models import Action, Game, Match, RematchOffer, Review, Seat


def match_link(match: Match | None) -> Any:
    """To the page of a match here; a dash where there is none."""
    if match is None:
        return "-"
    address = reverse("admin:games_match_change", args=[match.pk])
    return format_html('<a href="{}">{}</a>', address, match.public_id)


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


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("public_id", "kind", "variant", "phase", "outcome", "winner", "created_at")
    list_filter = ("kind", "variant", "phase", "outcome")
    search_fields = ("public_id",)
    date_hierarchy = "created_at"
    exclude = ("sealed_secret",)
    inlines = (SeatInline, GameInline, RematchInline)


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
        """A list of reviews without all that was found in each."""
        return super().get_queryset(request).defer("judgments")
