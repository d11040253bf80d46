"""Forms to sign in, to ask for a password reset and to set the new password."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.app_settings import LoginMethod
from allauth.account.forms import LoginForm, ResetPasswordForm, ResetPasswordKeyForm
from allauth.account.internal.flows.login import derive_login_method
from allauth.account.models import EmailAddress
from allauth.utils import build_absolute_uri
from django import forms
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.signup import requirements
from accounts.signup.forms import NO_CORRECTION, live_hints
from accounts.signup.login_rules import LONGEST_EMAIL, normalize_email
from accounts.signup.requirements import Condition


class SignInForm(LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"] = forms.CharField(
            label=_("Login or email"),
            max_length=LONGEST_EMAIL,
            widget=forms.TextInput(attrs=NO_CORRECTION | {"autocomplete": "username"}),
        )
        self.fields["password"] = forms.CharField(
            label=_("Password"),
            strip=False,
            widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        )

    def user_credentials(self) -> dict[str, str]:
        """Return the credentials as an email or as a login, by the form of the input.

        allauth would look for both, and its response time would reveal which of them exist. It
        then looks up whether the email is confirmed, so this must have the stored spelling.
        """
        typed, password = self.cleaned_data["login"], self.cleaned_data["password"]
        if derive_login_method(typed) == LoginMethod.EMAIL:
            return {"email": normalize_email(typed), "password": password}
        return {"username": typed, "password": password}


class AskResetForm(ResetPasswordForm):
    banned: User | None = None  # the owner of the address, if banned

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        email = self.fields["email"]
        email.label = _("Email")
        email.help_text = _("Your account’s email.")
        email.widget = forms.EmailInput(attrs={"autocomplete": "email"})
        if "@" not in (self.data.get("email") or ""):
            email.error_messages["invalid"] = _(
                "This must be the email address of the account, not the login."
            )

    def clean_email(self) -> str:
        """Find accounts by confirmed emails only: an unconfirmed one may be another person's."""
        email = normalize_email(super().clean_email())
        owners = EmailAddress.objects.filter(email=email, verified=True, user__closed_at=None)
        users = [owner.user for owner in owners.select_related("user")]
        self.users = [user for user in users if user.is_active]
        self.banned = next((user for user in users if not user.is_active), None)
        return email

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Email the link; email the owner of a banned account why they get none."""
        if self.users or self.banned is None:
            sent_to: str = super().save(request, **kwargs)
            return sent_to
        email: str = self.cleaned_data["email"]
        context = {
            "user": self.banned,
            "support_url": build_absolute_uri(request, reverse("support:write", args=["account"])),
        }
        get_adapter(request).send_mail("account/email/account_banned", email, context)
        return email


class NewPasswordForm(ResetPasswordKeyForm):
    """Ask for the new password once: the page can reveal it.

    The requirements of sign-up apply and are shown while the member types.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self.fields["password1"] = forms.CharField(
            label=_("New password"),
            strip=False,
            error_messages={"required": _("Please choose a password.")},
            widget=forms.PasswordInput(
                attrs={"autocomplete": "new-password", **live_hints("password1")}
            ),
        )

    @cached_property
    def conditions(self) -> list[Condition]:
        typed = str(self.data.get("password1") or "")
        login, email = ("", "") if self.user is None else (self.user.username, self.user.email)
        return requirements.of_password(typed, login, email)

    def clean_password1(self) -> str:
        broken = requirements.unmet(self.conditions)
        if broken:
            raise forms.ValidationError(broken)
        password: str = self.cleaned_data["password1"]
        return password
