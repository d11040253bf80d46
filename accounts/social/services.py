"""The first sign-in through another site's account."""

from datetime import datetime

from allauth.socialaccount.models import SocialAccount

from accounts.members import services as members
from accounts.models import User
from accounts.shared.transactions import write_transaction
from accounts.signup import selectors as signup


def enter(user: User, account: SocialAccount, now: datetime) -> None:
    """Create and activate the user with the social account."""
    user.set_unusable_password()
    lapsed = signup.lapsed(now - signup.KEPT_FOR)
    with write_transaction():
        lapsed.filter(username__iexact=user.username).delete()
        user.save()
        account.user = user
        account.save()
        members.activate(user.pk, now)
