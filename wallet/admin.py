"""Read-only admin pages of the ledger, gifts, freezes and own limits, with their staff actions."""

from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.shared.staff.actions import StaffActionsMixin
from accounts.shared.staff.read_only import ReadOnly
from wallet import causes
from wallet.models import (
    Account,
    Entry,
    Exclusion,
    Freeze,
    GiftSwitch,
    Hold,
    Limit,
    LimitChange,
    Transfer,
    WaitingPayment,
)
from wallet.staff_actions import CORRECT, LIFT, REVERSE, SWITCH_OFF, SWITCH_ON


class LedgerAdmin(ReadOnly):
    """Show without editing; skip the full row count, which is slow on a large ledger."""

    show_full_result_count = False


class EntryInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Entry
    fields = ("account", "amount_credits")
    extra = 0


@admin.register(Account)
class AccountAdmin(LedgerAdmin, StaffActionsMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    previewed_actions = (CORRECT,)
    change_form_template = "admin/wallet/account/change_form.html"
    list_display = ("__str__", "kind", "user", "balance_credits", "held_credits")
    list_filter = ("kind",)
    list_select_related = ("user",)
    search_fields = ("user__username", "code")
    fields = ("kind", "user", "code", "balance_credits", "held_credits")


@admin.register(Transfer)
class TransferAdmin(LedgerAdmin, StaffActionsMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    previewed_actions = (REVERSE,)
    change_form_template = "admin/wallet/transfer/change_form.html"
    list_display = ("created_at", "cause", "reference", "key", "reason", "by", "reverses")
    list_select_related = ("by", "reverses")
    search_fields = ("key", "=reference", "=cause")
    ordering = ("-id",)
    inlines = (EntryInline,)


@admin.register(Entry)
class EntryAdmin(LedgerAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("moment", "account", "transfer", "amount_credits")
    list_select_related = ("account__user", "transfer")
    search_fields = ("=account__user__username", "=transfer__key")
    ordering = ("-id",)

    @admin.display(description=pgettext_lazy("statement", "Time"))
    def moment(self, entry: Entry) -> Any:
        return entry.transfer.created_at


@admin.register(Hold)
class HoldAdmin(LedgerAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("created_at", "account", "amount_credits", "cause", "reference", "state")
    list_filter = ("state",)
    list_select_related = ("account__user",)
    search_fields = ("key", "=reference", "=cause", "=account__user__username")
    ordering = ("-id",)


@admin.register(GiftSwitch)
class GiftSwitchAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("title", "is_on")
    fields = ("title", "is_on")
    readonly_fields = fields
    staff_actions = (SWITCH_OFF, SWITCH_ON)

    @admin.display(description=_("Gift"))
    def title(self, gift: GiftSwitch) -> str:
        return causes.title_of(gift.cause)


@admin.register(Freeze)
class FreezeAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("began_at", "differences", "lifted_at", "lifted_by", "reason")
    list_filter = (("lifted_at", admin.EmptyFieldListFilter),)
    list_select_related = ("lifted_by",)
    fields = ("began_at", "differences", "report", "lifted_at", "lifted_by", "reason")
    staff_actions = (LIFT,)


@admin.register(WaitingPayment)
class WaitingPaymentAdmin(LedgerAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("created_at", "cause", "reference", "paid_at", "key")
    list_filter = (("paid_at", admin.EmptyFieldListFilter),)
    search_fields = ("key", "=reference", "=cause")
    ordering = ("-id",)


class OwnLimitAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Show the limits and breaks of members; nobody changes them, not even superusers."""

    list_select_related = ("user",)
    search_fields = ("=user__username",)
    ordering = ("-id",)


@admin.register(Limit)
class LimitAdmin(OwnLimitAdmin):
    list_display = ("user", "kind", "amount", "next_amount", "next_at")
    list_filter = ("kind",)


@admin.register(LimitChange)
class LimitChangeAdmin(OwnLimitAdmin):
    list_display = ("made_at", "user", "kind", "amount", "holds_from")
    list_filter = ("kind",)


@admin.register(Exclusion)
class ExclusionAdmin(OwnLimitAdmin):
    list_display = ("began_at", "user", "kind", "ends_at")
    list_filter = ("kind",)
