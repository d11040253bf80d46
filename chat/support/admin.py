"""The queue of requests to support, and the ready answers, which staff edit."""

from typing import Any

from django.contrib import admin
from django.db.models import Case, QuerySet, When
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join, linebreaks
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.shared.staff.actions import StaffActionsMixin
from accounts.shared.staff.read_only import ReadOnly
from accounts.times.texts import text_of
from chat.models import AnswerPreset, Ticket
from chat.staff_links import member_link, room_link
from chat.support import selectors
from chat.support.staff_actions import ANSWER, TICKET_ACTIONS

State = Ticket.State


def _waiting_first() -> Case:
    return Case(When(state=State.WAITING, then=0), default=1)


class AssigneeFilter(admin.SimpleListFilter):
    title = _("who answers")
    parameter_name = "assignee"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("me", _("Me")), ("nobody", _("Nobody yet"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Ticket]) -> QuerySet[Ticket]:
        if self.value() == "me":
            return queryset.filter(assignee=request.user.pk)
        return queryset.filter(assignee__isnull=True) if self.value() == "nobody" else queryset


@admin.register(Ticket)
class TicketAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Show waiting requests first, the one that waits longest on top."""

    list_display = ("subject", "topic", "sender", "tongue", "state", "assignee", "last")
    list_filter = ("state", AssigneeFilter, "topic", "language")
    list_select_related = ("user", "assignee")
    search_fields = ("=public_id", "=user__username", "=email", "room", "messages__text")
    search_help_text = _("A number, a login, an email, the public ID of a match, or words")
    ordering = (_waiting_first(), "last_at")
    show_full_result_count = False
    staff_actions = TICKET_ACTIONS
    previewed_actions = (ANSWER,)
    change_form_template = "admin/chat/ticket.html"
    fields = (
        "public_id", "state", "topic", "sender", "language", "assignee", "match", "conversation",
        "page", "device", "zone", "version", "sent", "merged",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description=_("sender"))
    def sender(self, ticket: Ticket) -> SafeString | str:
        return member_link(ticket.user) if ticket.user else ticket.email

    @admin.display(description=_("language"), ordering="language")
    def tongue(self, ticket: Ticket) -> str:
        return ticket.language

    @admin.display(description=_("last message"), ordering="last_at")
    def last(self, ticket: Ticket) -> str:
        return text_of(ticket.last_at, "day")

    @admin.display(description=_("sent at"))
    def sent(self, ticket: Ticket) -> str:
        return text_of(ticket.created_at, "moment")

    @admin.display(description=_("Match"))
    def match(self, ticket: Ticket) -> SafeString | str:
        return room_link(ticket.room) if ticket.room else "-"

    @admin.display(description=_("Messages"))
    def conversation(self, ticket: Ticket) -> SafeString:
        rows = (
            (
                line.staff.username if line.staff else gettext("Sender"),
                text_of(line.created_at, "moment"),
                mark_safe(linebreaks(line.text, autoescape=True)),
            )
            for line in selectors.messages_of(ticket)
        )
        return format_html_join("", "<div><strong>{}</strong> {}{}</div>", rows)

    @admin.display(description=_("merged"))
    def merged(self, ticket: Ticket) -> SafeString | str:
        if ticket.merged_into is not None:
            return format_html(gettext("Into {}"), ticket.merged_into.public_id)
        return ", ".join(ticket.merged.values_list("public_id", flat=True)) or "-"


@admin.register(AnswerPreset)
class AnswerPresetAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "language", "text")
    list_filter = ("language",)
    search_fields = ("name", "text")
