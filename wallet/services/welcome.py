"""Welcome credits, given once after activation."""

from datetime import datetime

from django.conf import settings

from wallet.models import Transfer
from wallet.money import House
from wallet.services import accounts, transfers
from wallet.services.locking import lock

CODE = "welcome"


def give(user_id: int, now: datetime) -> Transfer | None:
    """Give the welcome credits once; return None if WELCOME_CREDITS is 0.

    Creates the member's account in any case, so that later writers find it. Must run in the
    caller's transaction.
    """
    gifts, account = accounts.house(House.GIFTS), accounts.of_user(user_id)
    lock([account.id])
    key = f"welcome:{user_id}"
    given = Transfer.objects.filter(key=key).first()  # even if the setting has changed since
    credits = settings.WELCOME_CREDITS
    if given is not None or credits <= 0:
        return given
    amounts = {gifts.id: -credits, account.id: credits}
    return transfers.post(key, transfers.Cause(CODE), amounts, now)
