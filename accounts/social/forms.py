"""Choose a login after signing in through Facebook."""

from typing import Any

from allauth.socialaccount.forms import SignupForm
from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.signup import requirements
from accounts.signup.forms import live_hints
from accounts.signup.login_rules import EMAIL_RULE
from accounts.signup.requirements import Condition

_TYPED = {"autocapitalize": "none", "spellcheck": "false"}


class SocialSignUpForm(SignupForm):
    """The login, and an optional email, prefilled with Facebook's."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"] = forms.CharField(
            label=_("Login"),
            help_text=_("The name others see. It cannot be changed later."),
            error_messages={"required": _("Please choose a login.")},
            widget=forms.TextInput(
                attrs=_TYPED | {"autocomplete": "username", **live_hints("username")}
            ),
        )
        self.fields["email"] = forms.CharField(
            label=_("Email (optional)"),
            required=False,
            validators=[EMAIL_RULE],
            help_text=_("So that you can set a password if you lose access to Facebook."),
            widget=forms.EmailInput(attrs=_TYPED | {"autocomplete": "email"}),
        )

    @property
    def login_conditions(self) -> list[Condition]:
        typed = str(self.data.get("username") or "").strip()
        return requirements.of_login(typed, timezone.now())

    def validate_unique_email(self, value: str) -> str:
        """Do not reveal taken emails: the owner of the mailbox gets an email instead."""
        return value
