"""The ledger in the admin: to be read. What staff may do to it is a page of its own."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import pgettext_lazy

from accounts.read_only import ReadOnly
from wallet import correcting
from wallet.models import Account, Entry, Hold, Transfer


class LedgerAdmin(ReadOnly):
    """What happened to credits is not staff's to edit; counting all of it would take too long."""

    show_full_result_count = False


class WithPage(admin.ModelAdmin):  # type: ignore[type-arg]
    """One more page for each object, named by `tool`: /<id>/<tool>/."""

    tool = ""

    def tool_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        raise NotImplementedError

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_{self.tool}"
        view = self.admin_site.admin_view(self.tool_view)
        return [path(f"<int:object_id>/{self.tool}/", view, name=name), *super().get_urls()]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context["may_correct"] = request.user.has_perm(correcting.PERMISSION)
        return super().render_change_form(request, context, *args, **kwargs)


class EntryInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Entry
    fields = ("account", "amount_credits")
    extra = 0


@admin.register(Account)
class AccountAdmin(LedgerAdmin, WithPage):
    tool = "correct"
    list_display = ("__str__", "kind", "user", "balance_credits", "held_credits")
    list_filter = ("kind",)
    list_select_related = ("user",)
    search_fields = ("user__username", "code")
    fields = ("kind", "user", "code", "balance_credits", "held_credits")

    def tool_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        return correcting.correct(self.admin_site, request, object_id)


@admin.register(Transfer)
class TransferAdmin(LedgerAdmin, WithPage):
    tool = "reverse"
    list_display = ("created_at", "cause", "reference", "key", "reason", "by", "reverses")
    list_select_related = ("by", "reverses")
    search_fields = ("key", "=reference", "=cause")
    ordering = ("-id",)
    inlines = (EntryInline,)

    def tool_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        return correcting.reverse(self.admin_site, request, object_id)


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
