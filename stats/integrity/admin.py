"""Cases of fair play in the admin. Nobody sees a case about themselves, not even superusers."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused
from accounts.shared.staff.actions import StaffActionsMixin
from accounts.shared.staff.read_only import ReadOnly
from accounts.times.texts import text_of
from stats.integrity import services
from stats.integrity.forms import OpenForm
from stats.integrity.selectors import cases_with
from stats.integrity.sheet import sheet_of
from stats.integrity.staff_actions import BAN, CASE_ACTIONS, REFUND, REFUSALS
from stats.models import Case, CasePerson


@admin.register(Case)
class CaseAdmin(StaffActionsMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Show open cases first, the oldest of them on top. The page of a case shows its evidence."""

    list_display = ("public_id", "opened_at", "about", "opener", "closed_at", "outcome")
    list_filter = (("closed_at", admin.EmptyFieldListFilter), "outcome")
    list_select_related = ("opened_by",)
    search_fields = ("=public_id", "=people__user__username")
    search_help_text = _("Case number or login")
    ordering = (F("closed_at").desc(nulls_first=True), "opened_at")
    show_full_result_count = False
    staff_actions = CASE_ACTIONS
    change_form_template = "admin/stats/case.html"
    shown = (
        "public_id", "why", "opened_at", "opener", "closed_at", "closed_by", "outcome", "reason",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        cases = super().get_queryset(request).prefetch_related("people__user")
        return cases.exclude(pk__in=cases_with(current_user(request).pk))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.shown if obj else ("suspects", "victims", "why")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.shown if obj else ()

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        if obj:
            return super().get_form(request, obj, change, **kwargs)
        return type("OpenForm", (OpenForm,), {"staff_id": request.user.pk})

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show a message if somebody has just opened a case about the same suspects."""
        try:
            return super().add_view(request, *args, **kwargs)
        except Refused as refusal:
            messages.error(request, str(REFUSALS[refusal.code]))
            return redirect("admin:stats_case_changelist")

    def save_model(self, request: HttpRequest, obj: Case, form: Any, change: bool) -> None:
        staff = current_user(request)
        suspects, victims = form.ids_of("suspects"), form.ids_of("victims")
        made = services.open_case(suspects, victims, obj.why, staff, CLOCK.now())
        obj.pk, obj.public_id = made.pk, made.public_id

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        case = context.get("original")
        context["sheet"] = sheet_of(case, current_user(request).pk) if case else None
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=_("Members under suspicion"))
    def about(self, case: Case) -> str:
        people = [each for each in case.people.all() if each.role == CasePerson.Role.SUSPECT]
        return ", ".join(each.user.username for each in people)

    @admin.display(description=_("opened by"))
    def opener(self, case: Case) -> str:
        return case.opened_by.username if case.opened_by else gettext("The nightly check")


@admin.register(CasePerson)
class CasePersonAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("user", "role", "in_case", "refunded", "banned_at")
    list_filter = ("role",)
    list_select_related = ("user", "case", "refund__reversal")
    search_fields = ("=user__username", "=case__public_id")
    ordering = ("-pk",)
    staff_actions = (REFUND, BAN)
    fields = ("user", "role", "in_case", "refunded", "banned_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[CasePerson]:
        own = cases_with(current_user(request).pk)
        return super().get_queryset(request).exclude(case__in=own)

    @admin.display(description=pgettext_lazy("fair play", "case"))
    def in_case(self, person: CasePerson) -> SafeString:
        address = reverse("admin:stats_case_change", args=[person.case_id])
        return format_html('<a href="{}">{}</a>', address, person.case)

    @admin.display(description=_("refund"))
    def refunded(self, person: CasePerson) -> str:
        if person.refund is None:
            return "-"
        if person.refund.reversed_at is not None:
            day = text_of(person.refund.reversed_at, "day")
            return gettext("Reversed on %(day)s") % {"day": day}
        return text_of(person.refund.created_at, "day")
