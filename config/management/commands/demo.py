"""`manage.py demo`: make the sample accounts and tournaments of a demonstration on this machine."""

from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.law import services as law
from accounts.law.versions import current_version
from accounts.members import services as members
from accounts.models import User
from accounts.shared.transactions import write_transaction
from shop.payments import samples as packs
from tournaments import samples
from wallet.limits.services import confirm_age

# This password is public, so it is only for a site that nobody else can reach.
STAFF_LOGIN = "staff"
STAFF_PASSWORD = "Gammon5stars"
MEMBER_LOGINS = ("annika", "boris", "deniz", "elena")
MEMBER_PASSWORD = STAFF_PASSWORD


class Command(BaseCommand):
    help = "Make the accounts and tournaments of a demonstration. Where DEMO is on; safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "Sample data has a known password. It is made only where DEMO is on."
            )
        if make(STAFF_LOGIN, STAFF_PASSWORD, is_staff=True):
            self.stdout.write(f"Staff account: {STAFF_LOGIN} / {STAFF_PASSWORD}")
        made = [login for login in MEMBER_LOGINS if make(login, MEMBER_PASSWORD)]
        if made:
            self.stdout.write(f"Members: {', '.join(made)} / {MEMBER_PASSWORD}")
        schedules = samples.make(timezone.now())
        if schedules:
            self.stdout.write(f"Tournaments every evening: {', '.join(schedules)}")
        if number := packs.make():
            self.stdout.write(f"Packs of credits: {number}, paid at a pretend bank")


def make(login: str, password: str, *, is_staff: bool = False) -> bool:
    """Make an active account as sign-up does; return whether it is new."""
    known = User.objects.filter(username__iexact=login).first()
    if known is not None and known.email:
        return False
    # Older versions made the staff account without an email, so that it could not sign in.
    user = known or User(username=login, is_staff=is_staff, is_superuser=is_staff)
    user.email = f"{login}@example.org"
    if known is None:
        user.set_password(password)
    with write_transaction():
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        members.activate(user.pk, timezone.now())
        confirm_age(user.pk, timezone.now())
        law.accept(user.pk, current_version(), timezone.now())
    return known is None


def logins_of_demonstration() -> list[str]:
    """Return the logins of this database that can be used with the public password."""
    logins = (STAFF_LOGIN, *MEMBER_LOGINS)
    found = User.objects.filter(username__in=logins, is_active=True).order_by("pk")
    return [user.username for user in found if check_password(STAFF_PASSWORD, user.password)]
