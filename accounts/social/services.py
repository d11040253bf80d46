"""The first sign-in through another site's account."""

from datetime import date, datetime

from allauth.socialaccount.models import SocialAccount

from accounts.law.services import accept
from accounts.members import services as members
from accounts.models import User
from accounts.shared.transactions import write_transaction
from accounts.signup import services as signup


def sign_up(user: User, account: SocialAccount, accepted: date | None, now: datetime) -> None:
    """Create and activate the user with the other site's account; record the accepted terms."""
    user.set_unusable_password()
    with write_transaction():
        signup.free_login(user.username, now)
        user.save()
        account.user = user
        account.save()
        if accepted:
            accept(user.pk, accepted, now)
        members.activate(user.pk, now)
