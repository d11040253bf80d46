"""Choose a login after the first sign-in through another site; disconnect a site."""

from typing import Any

from allauth.socialaccount.forms import DisconnectForm, SignupForm
from allauth.socialaccount.models import SocialAccount
from django import forms
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.law.forms import ask_in
from accounts.signup import requirements
from accounts.signup.forms import NO_CORRECTION, live_hints
from accounts.signup.login_rules import EMAIL_RULE
from accounts.signup.requirements import Condition
from accounts.social import sites


class SocialSignUpForm(SignupForm):
    """The login, and an optional email, prefilled with the address that the other site knows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"] = forms.CharField(
            label=_("Login"),
            help_text=_("The name others see. It cannot be changed later."),
            error_messages={"required": _("Please choose a login.")},
            widget=forms.TextInput(
                attrs=NO_CORRECTION | {"autocomplete": "username", **live_hints("username")}
            ),
        )
        self.fields["email"] = forms.CharField(
            label=_("Email (optional)"),
            required=False,
            validators=[EMAIL_RULE],
            help_text=gettext("So that you can set a password if you lose access to %(site)s.")
            % {"site": sites.name_of(self.sociallogin.account.provider)},
            widget=forms.EmailInput(attrs=NO_CORRECTION | {"autocomplete": "email"}),
        )
        ask_in(self)

    @property
    def login_conditions(self) -> list[Condition]:
        typed = str(self.data.get("username") or "").strip()
        return requirements.of_login(typed, timezone.now())

    def validate_unique_email(self, value: str) -> str:
        """Do not reveal taken emails: the owner of the mailbox gets an email instead."""
        return value


class DisconnectSiteForm(DisconnectForm):
    """The member's connections to sites that have keys in the settings."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        enabled = settings.SOCIALACCOUNT_PROVIDERS
        self.accounts: QuerySet[SocialAccount] = self.accounts.filter(provider__in=enabled)
        self.fields["account"].queryset = self.accounts.order_by("pk")
