"""allauth's adapter hooks for sign-up and activation."""

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.members.guests import guest_of
from accounts.models import User
from accounts.shared.transactions import write_transaction
from accounts.signup import requirements, services

if TYPE_CHECKING:
    from allauth.account.adapter import DefaultAccountAdapter as Base
else:
    Base = object

# Session key: the user id whose activation email this browser waits for.
REGISTRATION = "registration"


class SignUpHooks(Base):
    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Check the login; each broken requirement is an error of its own."""
        broken = requirements.unmet(requirements.of_login(username, timezone.now()))
        if broken:
            raise ValidationError(broken)
        return username

    def should_send_confirmation_mail(
        self, request: HttpRequest, email_address: EmailAddress, signup: bool
    ) -> bool:
        """Return False: `signup/services.py` sends and spaces these emails."""
        return False

    def respond_email_verification_sent(
        self, request: HttpRequest, user: User | None
    ) -> HttpResponse:
        """Let this browser request another email.

        A user made by `createsuperuser` never signed up: their first email is sent now.
        """
        if user is not None:
            request.session[REGISTRATION] = user.pk
            services.send_first_email(request, user.pk, timezone.now())
        return super().respond_email_verification_sent(request, user)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm the address and, by allauth's signal, activate the account, atomically.

        Return False if the address was changed since the link was read: allauth would store the old
        address again.
        """
        with write_transaction():
            is_there = services.lock_address(email_address)
            return is_there and super().confirm_email(request, email_address)

    def login(self, request: HttpRequest, user: User) -> None:
        """Note the guest who played in this browser while its registration waited."""
        if request.session.get(REGISTRATION) == user.pk:
            services.note_guest(user, guest_of(request.session))
        super().login(request, user)
