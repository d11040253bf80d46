"""The first sign-in through another site's account."""

from datetime import datetime

from allauth.socialaccount.models import SocialAccount

from accounts.members import services as members
from accounts.models import User
from accounts.shared.transactions import write_transaction
from accounts.signup import services as signup


def enter(user: User, account: SocialAccount, now: datetime) -> None:
    """Create and activate the user with the social account."""
    user.set_unusable_password()
    with write_transaction():
        signup.free_login(user.username, now)
        user.save()
        account.user = user
        account.save()
        members.activate(user.pk, now)
