"""Announced games and invitations in the admin: read-only, but staff can cancel a seek."""

from django.contrib import admin

from accounts.shared.staff.actions import StaffActionsMixin
from accounts.shared.staff.read_only import ReadOnly
from games.admin import OfMatch
from lobby.models import Invitation, Seek
from lobby.staff_actions import REMOVE


@admin.register(Seek)
class SeekAdmin(StaffActionsMixin, OfMatch, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
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
        "is_public", "hides_stake", "created_at", "expires_at", "closed_at", "hold",
    )  # fmt: skip
    readonly_fields = fields


@admin.register(Invitation)
class InvitationAdmin(OfMatch, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = (
        "created_at", "public_id", "maker", "guest_name", "invited", "variant", "state", "in_match",
        "closed_at",
    )  # fmt: skip
    list_filter = ("state", "variant")
    list_select_related = ("maker", "invited", "match")
    search_fields = ("public_id", "=maker__username", "=guest_name", "=match__public_id")
    date_hierarchy = "created_at"
    show_full_result_count = False
    fields = (
        "public_id", "maker", "guest_name", "invited", "state", "in_match", "variant", "rules",
        "is_public",
        "created_at", "expires_at", "closed_at",
    )  # fmt: skip
    readonly_fields = fields
