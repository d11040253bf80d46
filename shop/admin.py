"""The shop in the admin: goods to edit; purchases and counts of the ledger to read."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.shared.read_only_admin import ReadOnly
from accounts.shared.staff_actions import StaffActionsMixin
from shop.goods.staff_actions import REFUND
from shop.models import Good, LedgerCount, OwnedGood


@admin.register(LedgerCount)
class LedgerCountAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("at", "members", "pots", "rake", "gifts", "bought", "goods", "differences")


@admin.register(Good)
class GoodAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A look keeps its code, by which members own and wear it; a sold good cannot be deleted."""

    list_display = ("__str__", "kind", "code", "price_credits", "on_sale_from", "on_sale_until")
    list_filter = ("kind",)
    search_fields = ("=code", "title_en", "title_ru", "title_tr")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("kind", "code") if obj else ()


@admin.register(OwnedGood)
class OwnedGoodAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    staff_actions = (REFUND,)
    list_display = ("bought_at", "user", "good", "price_credits", "refunded_at")
    list_filter = ("good__kind", ("refunded_at", admin.EmptyFieldListFilter))
    list_select_related = ("user", "good")
    search_fields = ("=user__username", "=good__code")
    fields = ("user", "good", "bought_at", "price_credits", "transfer", "refunded_at")
