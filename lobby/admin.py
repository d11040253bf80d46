"""Strikes and announced games in the admin: read; a strike may be lifted, a game taken back."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.read_only import ReadOnly
from accounts.staff_acts import Answers, PublicReasonForm, StaffAction, StaffActionsMixin
from games.admin import match_link
from lobby.conduct import FORGOTTEN, weight_of
from lobby.models import Seek, Strike
from lobby.records import fault_of
from lobby.selectors import pause_of
from lobby.services import seeks, strikes


def _lift(strike: Strike, staff: User, answers: Answers, now: datetime) -> bool:
    return strikes.lift(strike.pk, staff, now)


def _remove(seek: Seek, staff: User, answers: Answers, now: datetime) -> bool:
    return seeks.remove(seek.pk, answers["reason"], now)


def _seek(seek: Seek) -> str:
    return f"{seek.owner.username}: {seek.public_id}, {seek.stake_credits}"


LIFT = StaffAction(
    "lift",
    "lobby.change_strike",
    _lift,
    button=_("Lift"),
    title=_("Lift these strikes?"),
    warning=_(
        "They stop counting at once: a pause that they brought is over. This cannot be undone."
    ),
    log="Lifted: {reason}",
)

REMOVE = StaffAction(
    "remove",
    "lobby.change_seek",
    _remove,
    button=_("Take back"),
    title=_("Take these announced games back?"),
    warning=_("Those that still wait are gone; their owners have their stakes back and are told."),
    log="Taken back: {reason}",
    form=PublicReasonForm,
    label=_seek,
)


@admin.register(Seek)
class SeekAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = (
        "created_at", "public_id", "owner", "variant", "stake_credits", "access", "state",
        "in_match", "closed_at",
    )  # fmt: skip
    list_filter = ("state", "access", "variant")
    list_select_related = ("owner", "match")
    search_fields = ("public_id", "=owner__username", "=match__public_id")
    date_hierarchy = "created_at"
    show_full_result_count = False
    staff_actions = (REMOVE,)
    fields = (
        "public_id", "owner", "state", "removed_because", "in_match", "access", "invited",
        "variant", "rules", "stake_credits", "rake_credits", "least_rating", "most_rating",
        "is_public", "created_at", "expires_at", "closed_at", "hold",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description=_("Match"))
    def in_match(self, seek: Seek) -> Any:
        return match_link(seek.match)


@admin.register(Strike)
class StrikeAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Why somebody is kept from games for credits, and for how long."""

    list_display = ("created_at", "user", "kind", "in_match", "weight", "pause", "lifted_at")
    list_filter = ("kind", ("lifted_at", admin.EmptyFieldListFilter))
    list_select_related = ("user", "match")
    search_fields = ("=user__username", "=match__public_id")
    date_hierarchy = "created_at"
    show_full_result_count = False
    staff_actions = (LIFT,)
    fields = (
        "user", "kind", "in_match", "created_at", "weight", "weighs_until", "pause",
        "lifted_at", "lifted_by",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description=_("Match"))
    def in_match(self, strike: Strike) -> Any:
        return match_link(strike.match)

    @admin.display(description=_("Weighs now"))
    def weight(self, strike: Strike) -> str:
        if strike.lifted_at:
            return "0"
        return f"{weight_of(fault_of(strike), timezone.now()):.2f}"

    @admin.display(description=_("Weighs until"))
    def weighs_until(self, strike: Strike) -> str:
        return _moment(strike.lifted_at or strike.created_at + FORGOTTEN)

    @admin.display(description=_("Member is paused until"))
    def pause(self, strike: Strike) -> str:
        found = pause_of(strike.user_id, timezone.now())
        return _moment(found[0]) if found else "-"


def _moment(at: datetime) -> str:
    return date_format(timezone.localtime(at), "DATETIME_FORMAT")
