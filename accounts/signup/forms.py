"""Sign-up, and the form for another email address."""

from typing import Any

from allauth.account.forms import SignupForm
from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.law.forms import ask_in
from accounts.members.guests import guest_of
from accounts.models import User
from accounts.signup import requirements, services
from accounts.signup.login_rules import normalize_email
from accounts.signup.requirements import Condition

# Fields with live hints.
CHECKED = ("username", "email", "password1")
# Attributes of fields in which browsers must not correct what is typed.
NO_CORRECTION = {"autocapitalize": "none", "spellcheck": "false"}
OTHERS_LOGIN = NO_CORRECTION | {"autocomplete": "off"}  # of a field for somebody else's login


def _email_field(help_text: Any = "") -> forms.CharField:
    """Return an email field without Django's validators, because our own rule checks it."""
    return forms.CharField(
        label=_("Email"),
        help_text=help_text,
        error_messages={"required": _("Please enter your email.")},
        widget=forms.EmailInput(attrs=NO_CORRECTION | {"autocomplete": "email"}),
    )


class SignUpForm(SignupForm):
    """Login, email and password; the errors are the unmet requirements of each."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"] = forms.CharField(
            label=pgettext_lazy("name", "Login"),
            help_text=_("The name others see. It cannot be changed later."),
            error_messages={"required": _("Please choose a login.")},
            widget=forms.TextInput(attrs=NO_CORRECTION | {"autocomplete": "username"}),
        )
        self.fields["email"] = _email_field(_("We will send the activation link there."))
        self.fields["password1"] = forms.CharField(
            label=_("Password"),
            strip=False,
            error_messages={"required": _("Please choose a password.")},
            widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        )
        for name in CHECKED:
            self.fields[name].widget.attrs.update(live_hints(name))
        self.honeypot.field.widget = forms.TextInput(
            attrs={"tabindex": "-1", "autocomplete": "off"}
        )
        self.honeypot.field.label = _("Leave this empty")
        ask_in(self)

    @property
    def honeypot(self) -> forms.BoundField:
        """Return the field that only programs fill in; they get the normal answer."""
        return self[settings.ACCOUNT_SIGNUP_FORM_HONEYPOT_FIELD]

    @cached_property
    def conditions(self) -> dict[str, list[Condition]]:
        """Judge the typed values of each checked field."""
        login, email = self._typed("username").strip(), self._typed("email").strip()
        return {
            "username": requirements.of_login(login, timezone.now()),
            "email": requirements.of_email(email),
            "password1": requirements.of_password(self._typed("password1"), login, email),
        }

    def checked_fields(self) -> list[tuple[forms.BoundField, list[Condition]]]:
        return [(self[name], self.conditions[name]) for name in CHECKED]

    def clean_username(self) -> str:
        return self._judged("username")

    def clean_email(self) -> str:
        """Do not check whether the email is taken: see `accounts/signup/selectors.py`."""
        return normalize_email(self._judged("email"))

    def clean_password1(self) -> str:
        return self._judged("password1")

    def clean(self) -> dict[str, Any]:
        """Skip the form-wide checks of allauth: all errors belong to fields."""
        return self.cleaned_data

    def save(self, request: HttpRequest) -> User:
        """Register the account; raise LoginTaken if the login was taken concurrently."""
        return services.register(
            request,
            login=self.cleaned_data["username"],
            email=self.cleaned_data["email"],
            password=self.cleaned_data["password1"],
            language=get_language() or "",
            guest=guest_of(request.session),
            accepted=self.cleaned_data.get("accepts"),
            now=timezone.now(),
        )

    def find_made(self) -> User | None:
        """Return the registration that this form made when it was sent before, if it was.

        The only error of the form is then its login, which that registration has taken.
        """
        if set(self.errors) != {"username"}:
            return None
        login, cleaned = self._typed("username").strip(), self.cleaned_data
        return services.find_made(login, cleaned["email"], cleaned["password1"], timezone.now())

    def _typed(self, name: str) -> str:
        return str(self.data.get(self.add_prefix(name)) or "")

    def _judged(self, name: str) -> str:
        """Return the field's value if all its requirements are met."""
        broken = requirements.unmet(self.conditions[name])
        if broken:
            raise forms.ValidationError(broken)
        value: str = self.cleaned_data[name]
        return value


def live_hints(name: str) -> dict[str, str]:
    """Return the attributes by which htmx fetches the requirements while the visitor types."""
    return {
        "aria-describedby": f"{name}-hint {name}-conditions",
        "hx-post": reverse("account_signup_check"),
        "hx-trigger": "input changed delay:300ms, blur changed",
        "hx-target": f"#{name}-conditions",
        "hx-swap": "outerHTML",
        "hx-sync": "this:replace",
    }


class NewAddressForm(forms.Form):
    """Another address for the activation email."""

    email = _email_field()

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        broken = requirements.unmet(requirements.of_email(email))
        if broken:
            raise forms.ValidationError(broken)
        return normalize_email(email)
