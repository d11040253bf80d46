"""Members in the admin: found, barred and let in again; nothing else about them is staff's to edit.

Sign-in to the admin is the site's own, with its limits. What other apps show of accounts (sessions,
keys of other sites) is taken off: nobody's work needs it.
"""

from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts.barring import BAN, UNBAN
from accounts.models import Letter, User
from accounts.read_only import ReadOnly
from accounts.staff_acts import StaffActionsMixin


def change_password(request: HttpRequest, extra_context: Any = None) -> HttpResponse:
    """Staff's passwords change as everybody's do: by a link to the mailbox."""
    return redirect("account_change_password")


admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.password_change = change_password  # type: ignore[method-assign, assignment]
for model in (EmailAddress, SocialAccount, SocialApp, SocialToken, UserSession):
    admin.site.unregister(model)


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("member", _("Member")),
            ("waiting", _("Not activated")),
            ("barred", _("Barred")),
            ("closed", _("Closed")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        states = {
            "member": {"is_active": True, "activated_at__isnull": False},
            "waiting": {"is_active": True, "activated_at__isnull": True},
            "barred": {"is_active": False, "closed_at__isnull": True},
            "closed": {"closed_at__isnull": False},
        }
        return queryset.filter(**states.get(self.value() or "", {}))


class EmailInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = EmailAddress
    fields = ("email", "verified")
    extra = 0


@admin.register(User)
class UserAdmin(StaffActionsMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Who is staff, a superuser decides; everything else on the page is only shown."""

    list_display = ("username", "email", "state", "is_staff", "date_joined", "last_login")
    list_filter = (StateFilter, "is_staff")
    search_fields = ("username__iexact", "username__istartswith", "email__istartswith", "public_id")
    search_help_text = _("The beginning of a login or an email, or a public id")
    ordering = ("-date_joined",)
    date_hierarchy = "date_joined"
    show_full_result_count = False
    staff_actions = (BAN, UNBAN)
    inlines = (EmailInline,)
    rights = ("is_staff", "is_superuser", "groups")
    fields = (
        "public_id",
        "username",
        "email",
        "state",
        "date_joined",
        "activated_at",
        "last_login",
        "closed_at",
        *rights,
    )
    filter_horizontal = ("groups",)

    @admin.display(description=_("state"))
    def state(self, user: User) -> Any:
        if user.closed_at:
            return _("Closed")
        if not user.is_active:
            return _("Barred")
        return _("Member") if user.activated_at else _("Not activated")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if request.user.is_superuser:
            return [name for name in self.fields if name not in self.rights]
        return self.fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whoever wants an account signs up."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The ledger and others' matches need the row; its member closes the account himself."""
        return False


@admin.register(Letter)
class LetterAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Whether a letter has left. Its text opens an account: it is nowhere on the page."""

    list_display = ("to", "subject", "created_at", "sent_at", "due_at", "attempts", "error")
    search_fields = ("to__istartswith",)
    exclude = ("text",)
    show_full_result_count = False
