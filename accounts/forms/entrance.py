"""Sign in, ask for a new password, set it."""

from typing import Any

from allauth.account.app_settings import LoginMethod
from allauth.account.forms import LoginForm, ResetPasswordForm, ResetPasswordKeyForm
from allauth.account.internal.flows.login import derive_login_method
from allauth.account.models import EmailAddress
from django import forms
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts import conditions
from accounts.conditions import Condition
from accounts.forms.signup import live
from accounts.logins import LONGEST_EMAIL, normalize_email


class SignInForm(LoginForm):
    """Login or email, and the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        typed = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        self.fields["login"] = forms.CharField(
            label=_("Login or email"),
            max_length=LONGEST_EMAIL,
            widget=forms.TextInput(attrs=typed),
        )
        self.fields["password"] = forms.CharField(
            label=_("Password"),
            strip=False,
            widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        )

    def user_credentials(self) -> dict[str, str]:
        """Either login or email, by what it looks like: each is as slow as it is for a stranger.

        allauth would try an email as both, and take the longer the more of them it finds.
        """
        typed = self.cleaned_data["login"]
        is_email = derive_login_method(typed) == LoginMethod.EMAIL
        name = "email" if is_email else "username"
        return {name: typed, "password": self.cleaned_data["password"]}


class AskResetForm(ResetPasswordForm):
    """The address that the link is sent to."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        email = self.fields["email"]
        email.label = _("Email")
        email.help_text = _("The email of your account.")
        email.widget = forms.EmailInput(attrs={"autocomplete": "email"})

    def clean_email(self) -> str:
        """Only an email that was confirmed opens an account: others may be anybody's guess."""
        email = normalize_email(super().clean_email())
        owners = EmailAddress.objects.filter(email=email, verified=True)
        self.users = [owner.user for owner in owners.select_related("user") if owner.user.is_active]
        return email


class NewPasswordForm(ResetPasswordKeyForm):
    """The new password, once: it can be looked at while it is typed.

    Judged by the conditions of sign-up, and like there while it is typed.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["password2"]
        self.fields["password1"] = forms.CharField(
            label=_("New password"),
            strip=False,
            error_messages={"required": _("Please choose a password.")},
            widget=forms.PasswordInput(attrs={"autocomplete": "new-password", **live("password1")}),
        )

    @cached_property
    def conditions(self) -> list[Condition]:
        typed = str(self.data.get("password1") or "")
        login, email = ("", "") if self.user is None else (self.user.username, self.user.email)
        return conditions.of_password(typed, login, email)

    def clean_password1(self) -> str:
        broken = conditions.unmet(self.conditions)
        if broken:
            raise forms.ValidationError(broken)
        password: str = self.cleaned_data["password1"]
        return password
