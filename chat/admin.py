"""Reports, messages and silences, read-only for staff; the editable list of refused words."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, When
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.staff.actions import StaffActionsMixin
from accounts.shared.staff.prepared_rows import PreparedRows
from accounts.shared.staff.read_only import ReadOnly
from accounts.times.texts import text_of
from chat import rooms, selectors
from chat.direct.room import KIND as DIRECT
from chat.models import Message, PlayerReport, RefusedWord, Report, Silence
from chat.staff_actions import END_SILENCE, PLAYER_REPORT_ACTIONS, REPORT_ACTIONS, UPHOLD_SILENCE
from chat.staff_links import member_link, room_link, room_links
from chat.support import admin as support  # noqa: F401 - registers its models
from chat.word_list import forget_list


class OpenFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("open", pgettext_lazy("report", "Open")),
            ("closed", pgettext_lazy("report", "Closed")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        wanted = {"open": True, "closed": False}.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(closed_at__isnull=wanted)


@admin.register(Report)
class ReportAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Show open reports first, oldest on top.

    Those about the reader's own messages, or in rooms that are closed to the reader, are left out.
    """

    list_display = ("created_at", "said", "author", "reported_by", "state")
    list_filter = (OpenFilter, "message__kind")
    list_select_related = ("message__author", "reporter", "closed_by")
    search_fields = ("=message__author__username", "=reporter__username", "message__body")
    ordering = (F("closed_at").desc(nulls_first=True), "created_at")
    show_full_result_count = False
    staff_actions = REPORT_ACTIONS
    fields = ("created_at", "author", "reported_by", "room", "around", "consequences", "state")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        reader_id = current_user(request).pk
        reports = super().get_queryset(request).exclude(message__author=reader_id)
        return reports.exclude(message__room__in=rooms.closed_to(reader_id))

    @admin.display(description=_("message"))
    def said(self, report: Report) -> str:
        return report.message.body

    @admin.display(description=_("Author"))
    def author(self, report: Report) -> SafeString:
        return member_link(report.author)

    @admin.display(description=_("Reported by"))
    def reported_by(self, report: Report) -> SafeString:
        return member_link(report.reporter)

    @admin.display(description=_("Where"))
    def room(self, report: Report) -> SafeString:
        return room_link(report.message.room)

    @admin.display(description=_("Messages around it"))
    def around(self, report: Report) -> SafeString:
        """Show the messages around the reported one, which is bold."""
        lines = []
        for message in selectors.around(report.message):
            is_reported = message.pk == report.message_id
            body = format_html("<strong>{}</strong>", message.body) if is_reported else message.body
            mark = gettext("(hidden)") if message.hidden_at else ""
            time = date_format(localtime(message.created_at), "H:i:s")
            lines.append((time, message.author_name, body, mark))
        return format_html_join("", "{} {}: {} {}<br>", lines)

    @admin.display(description=_("What was done"))
    def consequences(self, report: Report) -> str:
        author, done = report.author, []
        if report.message.hidden_at:
            done.append(gettext("The message is hidden."))
        silence = Silence.objects.filter(report__message=report.message_id).first()
        if silence:
            text = (
                gettext("The author cannot chat until %(until)s.")
                if silence.until > CLOCK.now()
                else gettext("The author could not chat until %(until)s.")
            )
            done.append(text % {"until": text_of(silence.until, "moment")})
        if not author.is_active:
            done.append(gettext("The author is banned."))
        return " ".join(done) or gettext("Nothing yet.")

    @admin.display(description=_("state"))
    def state(self, report: Report) -> str:
        if report.closed_at is None:
            return pgettext("report", "Open")
        by = report.closed_by.username if report.closed_by else ""
        return gettext("Closed by %(staff)s") % {"staff": by}


class InRoom(PreparedRows):
    """Add the column and field `place`, a link to the row's room.

    Name this mixin before ModelAdmin in the list of base classes.
    """

    def prepare(self, rows: Sequence[Any]) -> None:
        links = room_links({row.room for row in rows})
        for row in rows:
            row.place_link = links[row.room]

    @admin.display(description=_("Where"))
    def place(self, row: Any) -> SafeString:
        link: SafeString = self.prepared(row, "place_link")
        return link


@admin.register(Message)
class MessageAdmin(InRoom, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("created_at", "author_name", "kind", "body", "place", "hidden_at")
    list_filter = ("kind", ("hidden_at", admin.EmptyFieldListFilter))
    list_select_related = ("author",)
    search_fields = ("=author__username", "body", "room")
    search_help_text = _("A login, words from the message, or the public ID of a match")
    date_hierarchy = "created_at"
    ordering = ("-id",)
    show_full_result_count = False
    fields = ("created_at", "author", "guest_name", "kind", "body", "place", "hidden_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        """Leave out rooms closed to the reader, and unreported messages between two members.

        The reader's own private messages are always left out: the list would reveal which of them
        were reported.
        """
        private = Q(room__startswith=f"{DIRECT}:")
        reader_id = current_user(request).pk
        messages = super().get_queryset(request).exclude(private, reports__isnull=True)
        messages = messages.exclude(room__in=rooms.closed_to(reader_id))
        return messages.exclude(private, author=reader_id)


@admin.register(PlayerReport)
class PlayerReportAdmin(InRoom, StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Show open reports first, oldest on top, without those about the reader."""

    list_display = ("created_at", "accused", "cause", "text", "reported_by", "place", "closed_at")
    list_filter = (OpenFilter, "cause")
    list_select_related = ("about", "reporter")
    search_fields = ("=about__username", "=reporter__username", "text")
    ordering = (F("closed_at").desc(nulls_first=True), "created_at")
    show_full_result_count = False
    staff_actions = PLAYER_REPORT_ACTIONS
    fields = ("created_at", "accused", "cause", "text", "reported_by", "place", "closed_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[PlayerReport]:
        return super().get_queryset(request).exclude(about=request.user.pk)

    @admin.display(description=_("player"))
    def accused(self, report: PlayerReport) -> SafeString:
        return member_link(report.about)

    @admin.display(description=_("Reported by"))
    def reported_by(self, report: PlayerReport) -> SafeString:
        return member_link(report.reporter)


@admin.register(RefusedWord)
class RefusedWordAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("word", "language")
    list_filter = ("language",)
    search_fields = ("word",)

    def save_model(self, *args: Any) -> None:
        super().save_model(*args)
        transaction.on_commit(forget_list)

    def delete_model(self, *args: Any) -> None:
        super().delete_model(*args)
        transaction.on_commit(forget_list)

    def delete_queryset(self, *args: Any) -> None:
        super().delete_queryset(*args)
        transaction.on_commit(forget_list)


def _open_appeals_first() -> Case:
    is_open = Q(appealed_at__isnull=False, answered_at__isnull=True)
    return Case(When(is_open, then=0), default=1)


class AppealFilter(admin.SimpleListFilter):
    title = _("appeal")
    parameter_name = "appeal"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("open", pgettext_lazy("appeal", "Open")),
            ("closed", pgettext_lazy("appeal", "Closed")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Silence]) -> QuerySet[Silence]:
        appealed = queryset.filter(appealed_at__isnull=False)
        return {
            "open": appealed.filter(answered_at__isnull=True),
            "closed": appealed.filter(answered_at__isnull=False),
        }.get(self.value() or "", queryset)


@admin.register(Silence)
class SilenceAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Show open appeals first, the oldest of them on top."""

    list_display = ("user", "created_at", "until", "by", "reason", "appeal", "answer")
    list_filter = (AppealFilter,)
    list_select_related = ("user", "by")
    search_fields = ("=user__username",)
    ordering = (_open_appeals_first(), "appealed_at", "-created_at")
    staff_actions = (END_SILENCE, UPHOLD_SILENCE)
