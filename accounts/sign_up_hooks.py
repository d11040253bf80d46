"""What allauth asks about sign-up and activation."""

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import conditions
from accounts.gate import writing
from accounts.models import User
from accounts.services import registration

if TYPE_CHECKING:
    from allauth.account.adapter import DefaultAccountAdapter as Base
else:
    Base = object

# In the session: the registration whose letter this browser waits for.
REGISTRATION = "registration"


class SignUpHooks(Base):
    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The rule of logins, each broken condition as an error of its own."""
        broken = conditions.unmet(conditions.of_login(username, timezone.now()))
        if broken:
            raise ValidationError(broken)
        return username

    def should_send_confirmation_mail(
        self, request: HttpRequest, email_address: EmailAddress, signup: bool
    ) -> bool:
        """Never by itself: `services/registration.py` writes these letters and spaces them."""
        return False

    def respond_email_verification_sent(
        self, request: HttpRequest, user: User | None
    ) -> HttpResponse:
        """Signed up, or signed in too early: this browser may ask for another letter.

        Who was made by `createsuperuser` never signed up: his letter is written now.
        """
        if user is not None:
            request.session[REGISTRATION] = user.pk
            registration.write_first(request, user.pk, timezone.now())
        return super().respond_email_verification_sent(request, user)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """The address and, by the signal that allauth sends, the account: both or neither."""
        with writing():
            return super().confirm_email(request, email_address)
