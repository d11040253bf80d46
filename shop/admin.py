"""The shop in the admin: goods and packs to edit; purchases, payments and debts to read."""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.shared.staff.actions import StaffActionsMixin
from accounts.shared.staff.read_only import ReadOnly
from accounts.times.validators import need_inner_year
from shop.goods.staff_actions import REFUND as REFUND_GOOD
from shop.models import (
    Debt,
    DebtPart,
    Good,
    LedgerCount,
    OwnedGood,
    Pack,
    PackPrice,
    Payment,
    PaymentEvent,
)
from shop.payments.currencies import money_text
from shop.payments.staff_actions import REFUND, WAIVE
from wallet.forms import CreditsField

WHOLE_CREDITS: "Mapping[type[models.Field[Any, Any]], Mapping[str, Any]]" = {
    models.PositiveIntegerField: {"form_class": CreditsField}
}


@admin.register(LedgerCount)
class LedgerCountAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("at", "members", "pots", "rake", "gifts", "bought", "goods", "differences")


@admin.register(Good)
class GoodAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Kind and code stay: members' preferences store them. A sold good cannot be deleted."""

    list_display = ("__str__", "kind", "code", "price_credits", "on_sale_from", "on_sale_until")
    list_filter = ("kind",)
    search_fields = ("=code", "title_en", "title_ru", "title_tr")
    formfield_overrides = {
        **WHOLE_CREDITS,
        models.DateTimeField: {"validators": [need_inner_year]},
    }

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("kind", "code") if obj else ()


@admin.register(OwnedGood)
class OwnedGoodAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    staff_actions = (REFUND_GOOD,)
    list_display = ("bought_at", "user", "good", "price_credits", "refunded_at")
    list_filter = ("good__kind", ("refunded_at", admin.EmptyFieldListFilter))
    list_select_related = ("user", "good")
    search_fields = ("=user__username", "=good__code")
    fields = ("user", "good", "bought_at", "price_credits", "transfer", "refunded_at")


class PackPriceInline(admin.TabularInline):  # type: ignore[type-arg]
    model = PackPrice
    formfield_overrides = WHOLE_CREDITS  # hundredths: 499.00 would be read as 4.99
    extra = 0


@admin.register(Pack)
class PackAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("credits", "is_active", "position")
    list_editable = ("is_active", "position")
    formfield_overrides = WHOLE_CREDITS
    inlines = (PackPriceInline,)


class PaymentEventInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = PaymentEvent
    fields = ("received_at", "kind", "event_id", "outcome")
    extra = 0


@admin.register(Payment)
class PaymentAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("created_at", "user", "credits", "price", "state", "provider", "public_id")
    list_filter = ("state", "provider", "dispute", ("refund_error", admin.EmptyFieldListFilter))
    list_select_related = ("user",)
    search_fields = ("=public_id", "=reference", "=user__username")
    readonly_fields = ("public_id",)
    exclude = ("checkout_url", "back", "form_key", "postings", "is_collected", "refunds_amount")
    show_full_result_count = False
    inlines = (PaymentEventInline,)
    staff_actions = (REFUND,)

    @admin.display(description=_("Price"), ordering="amount")
    def price(self, payment: Payment) -> str:
        return money_text(payment.amount, payment.currency)


class DebtPartInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = DebtPart
    extra = 0


@admin.register(Debt)
class DebtAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("user", "credits")
    list_select_related = ("user",)
    search_fields = ("=user__username",)
    inlines = (DebtPartInline,)
    staff_actions = (WAIVE,)
