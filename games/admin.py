"""Matches and strikes in the admin, read-only and without the sealed secret.

Staff void running matches for credits and matches that a long outage interrupted, and lift
strikes.
"""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.shared.read_only_admin import ReadOnly
from accounts.shared.staff_actions import Answers, PublicReasonForm, StaffAction, StaffActionsMixin
from games.conduct import strikes
from games.conduct.penalties import FORGOTTEN_AFTER, weight_of
from games.conduct.record import suspension_of, weighted
from games.models import Action, Game, Interruption, Match, RematchOffer, Review, Seat, Strike
from games.services import interruptions, voiding
from games.stakes.escrow import PotShort, Ruling


def match_link(match: Match | None) -> Any:
    """Return a link to a match's admin page, a dash for None."""
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


def _may_void(request: HttpRequest, match: Match) -> bool:
    return match.policy.is_staked and not match.is_finished


def _void(match: Match, staff: User, answers: Answers, now: datetime) -> bool:
    ruling = Ruling(answers["reason"], staff.pk)
    try:
        return voiding.void_by_staff(match.public_id, ruling, now)
    except PotShort as error:
        text = _(
            "The pot does not hold both stakes: first reverse the transfer that took them out, "
            "on its own page."
        )
        raise ValidationError(text) from error


def _label(match: Match) -> str:
    logins = [seat.user.username for seat in match.seats.select_related("user") if seat.user]
    return f"{match.public_id}: {' – '.join(logins)}, {match.stake_credits}"


VOID = StaffAction(
    "void",
    "games.change_match",
    _void,
    button=_("Void"),
    title=_("Void these matches?"),
    warning=_(
        "They end at once and do not count. Both players get their stakes back and are told. "
        "This cannot be undone."
    ),
    log="Voided: {reason}",
    form=PublicReasonForm,
    applies_to=_may_void,
    refusal=_("Only a match for credits that is still in progress can be voided."),
    label=_label,
)


@admin.register(Match)
class MatchAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("public_id", "kind", "variant", "phase", "outcome", "winner", "created_at")
    list_filter = ("kind", "variant", "phase", "outcome")
    search_fields = ("public_id",)
    date_hierarchy = "created_at"
    exclude = ("sealed_secret",)
    inlines = (SeatInline, GameInline, RematchInline)
    staff_actions = (VOID,)


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


def _lift(strike: Strike, staff: User, answers: Answers, now: datetime) -> bool:
    return strikes.lift(strike.pk, staff, now)


LIFT = StaffAction(
    "lift",
    "games.change_strike",
    _lift,
    button=_("Lift"),
    title=_("Lift these strikes?"),
    warning=_(
        "They stop counting at once, and a suspension they caused ends. This cannot be undone."
    ),
    log="Lifted: {reason}",
)


@admin.register(Strike)
class StrikeAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
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

    @admin.display(description=_("Match"))
    def in_match(self, strike: Strike) -> Any:
        return match_link(strike.match)

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
        until = suspension_of(strike.user_id, timezone.now())
        return _moment(until) if until else "-"


def _is_open(request: HttpRequest, interruption: Interruption) -> bool:
    return not interruption.match.is_finished


def _confirm(interruption: Interruption, staff: User, answers: Answers, now: datetime) -> bool:
    return interruptions.confirm(interruption, staff, now)


CONFIRM = StaffAction(
    "confirm_void",
    "games.change_interruption",
    _confirm,
    button=_("Void the match"),
    title=_("Void these interrupted matches?"),
    warning=_("Both players get their stakes back at once. This cannot be undone."),
    log="Voided after an outage: {reason}",
    applies_to=_is_open,
    refusal=_("These matches are already over."),
)


@admin.register(Interruption)
class InterruptionAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("ended_at", "in_match", "phase", "lasted", "outages_given", "voided_at")
    list_filter = (
        ("match__finished_at", admin.EmptyFieldListFilter),
        ("voided_at", admin.EmptyFieldListFilter),
    )
    list_select_related = ("match",)
    search_fields = ("=match__public_id",)
    date_hierarchy = "ended_at"
    staff_actions = (CONFIRM,)
    fields = (
        "in_match", "phase", "began_at", "ended_at", "lasted", "outages_given", "voided_at",
        "voided_by",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description=_("Match"))
    def in_match(self, interruption: Interruption) -> Any:
        return match_link(interruption.match)

    @admin.display(description=_("Phase"))
    def phase(self, interruption: Interruption) -> str:
        return interruption.match.phase

    @admin.display(description=_("From the first outage to the last"))
    def lasted(self, interruption: Interruption) -> str:
        seconds = (interruption.ended_at - interruption.began_at).total_seconds()
        return f"{seconds // 60:.0f}:{seconds % 60:02.0f}"

    @admin.display(description=_("Time given back"))
    def outages_given(self, interruption: Interruption) -> int:
        return interruption.match.outages_given


def _moment(at: datetime) -> str:
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")
