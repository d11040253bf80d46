"""Admin pages of the log of staff actions and of the nightly commands."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.staff.read_only import ReadOnly
from config.background import nightly
from config.models import NightlyRun
from config.staff.own_affairs import without_own


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Show the log to superusers, except lines about themselves; nobody may edit it."""

    list_display = ("action_time", "user", "content_type", "about", "done")
    list_display_links = None
    list_select_related = ("user", "content_type")
    search_fields = ("=user__username", "object_repr", "change_message")
    search_help_text = _("A staff login, or words from the reason")
    date_hierarchy = "action_time"
    ordering = ("-action_time", "-pk")
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        return without_own(super().get_queryset(request), current_user(request))

    @admin.display(description=_("About"))
    def about(self, line: LogEntry) -> SafeString | str:
        address = None if line.is_deletion() else line.get_admin_url()
        if address is None:
            return line.object_repr
        return format_html('<a href="{}">{}</a>', address, line.object_repr)

    @admin.display(description=_("What was done"))
    def done(self, line: LogEntry) -> str:
        return line.get_change_message()

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)


class TroubleFilter(admin.SimpleListFilter):
    title = _("failed or did not run")
    parameter_name = "troubled"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Yes"))]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[NightlyRun]
    ) -> QuerySet[NightlyRun]:
        return nightly.troubled(CLOCK.now(), queryset) if self.value() else queryset


@admin.register(NightlyRun)
class NightlyRunAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("command", "began_at", "duration", "is_well", "said")
    list_display_links = None
    list_filter = (TroubleFilter,)

    @admin.display(description=_("duration"))
    def duration(self, run: NightlyRun) -> str:
        return "" if run.took is None else str(run.took).partition(".")[0]
