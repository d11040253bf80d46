"""Members, their pictures and emails, and the ready reasons of staff in the admin.

Staff search, ban and unban members and switch off their second step; only superusers edit rights.

The admin uses the site's own sign-in with its limits. Admin pages that allauth adds (sessions,
tokens of other sites, second factors) are removed: staff do not need them.
"""

from pathlib import PurePosixPath
from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.members.ban import BAN, UNBAN
from accounts.models import OutgoingEmail, Picture, ReadyReason, User
from accounts.profile.picture_actions import KEEP, TAKE_AWAY
from accounts.second_factor.staff_actions import REMOVE
from accounts.shared.staff.actions import StaffActionsMixin
from accounts.shared.staff.read_only import ReadOnly, refuse_hidden_lookups


def change_password(request: HttpRequest, extra_context: Any = None) -> HttpResponse:
    """Redirect to the site's own page: staff too change their password by an emailed link."""
    return redirect("account_change_password")


def redirect_to_index(request: HttpRequest, extra_context: Any = None) -> HttpResponse:
    """Redirect to the admin's index: only staff who are signed in already come here.

    Django's own form would accept the password of any staff account, without our rate limits and
    the second step.
    """
    return redirect("admin:index")


admin.site.login = secure_admin_login(redirect_to_index)  # type: ignore[method-assign]
admin.site.password_change = change_password  # type: ignore[method-assign, assignment]
refuse_hidden_lookups()
for model in (
    Authenticator,
    EmailAddress,
    Group,
    SocialAccount,
    SocialApp,
    SocialToken,
    UserSession,
):
    admin.site.unregister(model)


@admin.register(Group)
class RightsAdmin(GroupAdmin):
    """Let only superusers edit groups: other staff could give their own group every right."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("member", _("Member")),
            ("waiting", _("Not activated")),
            ("barred", _("Banned")),
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
    """Only superusers edit rights; all other fields are read only."""

    list_display = ("username", "email", "state", "is_staff", "date_joined", "last_login")
    list_filter = (StateFilter, "is_staff")
    search_fields = ("username__iexact", "username__istartswith", "email__istartswith", "public_id")
    search_help_text = _("The start of a login or an email, or a public ID")
    ordering = ("-date_joined",)
    date_hierarchy = "date_joined"
    show_full_result_count = False
    staff_actions = (BAN, UNBAN, REMOVE)
    change_form_template = "admin/accounts/user.html"
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
            return _("Banned")
        return _("Member") if user.activated_at else _("Not activated")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if request.user.is_superuser:
            return [name for name in self.fields if name not in self.rights]
        return self.fields

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Write the changed rights alone: all else may have changed since the member was read."""
        rights = ("is_staff", "is_superuser")  # the form saves the groups itself
        obj.save(update_fields=[name for name in rights if name in form.changed_data])

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: the ledger and opponents' matches need the row. Members close their accounts."""
        return False


class CheckFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("waiting", _("Not checked")), ("kept", _("Kept")), ("taken", _("Removed"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Picture]) -> QuerySet[Picture]:
        states = {
            "waiting": {"checked_at__isnull": True},
            "kept": {"checked_at__isnull": False, "taken_at__isnull": True},
            "taken": {"taken_at__isnull": False},
        }
        return queryset.filter(**states.get(self.value() or "", {}))


@admin.register(Picture)
class PictureAdmin(StaffActionsMixin, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The queue of uploaded avatars: unchecked ones first, the oldest of them on top."""

    list_display = ("shown", "member", "uploaded_at", "state", "taken_before")
    list_display_links = ("shown", "uploaded_at")
    list_filter = (CheckFilter,)
    list_select_related = ("user", "checked_by")
    search_fields = ("=user__username",)
    ordering = (F("checked_at").desc(nulls_first=True), "uploaded_at")
    show_full_result_count = False
    staff_actions = (KEEP, TAKE_AWAY)
    fields = ("shown", "member", "uploaded_at", "state", "reason", "taken_before")
    readonly_fields = fields

    @admin.display(description=_("Picture"))
    def shown(self, picture: Picture) -> Any:
        if not picture.file:
            return _("Deleted")
        url = reverse("people:avatar", args=[PurePosixPath(picture.file).stem])
        return format_html('<img src="{}" width="128" height="128" alt="">', url)

    @admin.display(description=_("Member"))
    def member(self, picture: Picture) -> SafeString:
        address = reverse("admin:accounts_user_change", args=[picture.user_id])
        return format_html('<a href="{}">{}</a>', address, picture.user.username)

    @admin.display(description=_("state"))
    def state(self, picture: Picture) -> str:
        if picture.checked_at is None:
            return gettext("Not checked")
        staff = {"staff": picture.checked_by.username if picture.checked_by else ""}
        if picture.taken_at is None:
            return gettext("Kept by %(staff)s") % staff
        return gettext("Removed by %(staff)s") % staff

    def get_queryset(self, request: HttpRequest) -> QuerySet[Picture]:
        """Count the pictures of the same member that were uploaded earlier and taken away."""
        earlier = Picture.objects.filter(
            user=OuterRef("user"), pk__lt=OuterRef("pk"), taken_at__isnull=False
        )
        counted = earlier.order_by().values("user").annotate(count=Count("pk")).values("count")
        return super().get_queryset(request).annotate(taken_earlier=Coalesce(Subquery(counted), 0))

    @admin.display(description=_("Removed before"), ordering="taken_earlier")
    def taken_before(self, picture: Picture) -> int:
        count: int = picture.taken_earlier  # type: ignore[attr-defined]  # an annotation
        return count


@admin.register(OutgoingEmail)
class OutgoingEmailAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Show the delivery of emails; hide their text and their link to unsubscribe.

    The text contains links that give access to an account, and `unsubscribe_url` is a link that
    turns notices off without a sign-in.
    """

    list_display = ("to", "subject", "created_at", "sent_at", "due_at", "attempts", "error")
    search_fields = ("to__istartswith",)
    exclude = ("text", "unsubscribe_url")
    show_full_result_count = False


@admin.register(ReadyReason)
class ReadyReasonAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "occasion", "language", "text")
    list_filter = ("occasion", "language")
    search_fields = ("name", "text")
