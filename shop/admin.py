"""The shop in the admin: packs to edit, payments, debts and counts of the ledger to read."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from accounts.shared.read_only_admin import ReadOnly
from accounts.shared.staff_actions import StaffActionsMixin
from shop.models import Debt, LedgerCount, Pack, PackPrice, Payment, PaymentEvent
from shop.payments.currencies import money_text
from shop.payments.staff_actions import REFUND, WAIVE


@admin.register(LedgerCount)
class LedgerCountAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("at", "members", "pots", "rake", "gifts", "bought", "differences")


class PackPriceInline(admin.TabularInline):  # type: ignore[type-arg]
    model = PackPrice
    extra = 0


@admin.register(Pack)
class PackAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("credits", "is_active", "position")
    list_editable = ("is_active", "position")
    inlines = (PackPriceInline,)


class PaymentEventInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = PaymentEvent
    fields = ("received_at", "kind", "event_id", "outcome")
    extra = 0


@admin.register(Payment)
class PaymentAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("created_at", "user", "credits", "price", "state", "provider", "public_id")
    list_filter = ("state", "provider", "dispute")
    list_select_related = ("user",)
    search_fields = ("=public_id", "=reference", "=user__username")
    readonly_fields = ("public_id",)
    exclude = ("checkout_url", "back", "form_key", "postings", "is_collected")
    show_full_result_count = False
    inlines = (PaymentEventInline,)
    staff_actions = (REFUND,)

    @admin.display(description=_("Price"), ordering="amount")
    def price(self, payment: Payment) -> str:
        return money_text(payment.amount, payment.currency)


@admin.register(Debt)
class DebtAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("user", "credits")
    list_select_related = ("user",)
    search_fields = ("=user__username",)
    staff_actions = (WAIVE,)
