"""Counts of the ledger in the admin, to read."""

from django.contrib import admin

from accounts.shared.read_only_admin import ReadOnly
from shop.models import LedgerCount


@admin.register(LedgerCount)
class LedgerCountAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("at", "members", "pots", "rake", "gifts", "bought", "differences")
