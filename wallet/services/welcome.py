"""Welcome credits, given once after activation."""

from datetime import datetime

from django.conf import settings

from wallet.models import Transfer
from wallet.money import House
from wallet.services import accounts, transfers

CODE = "welcome"


def give(user_id: int, now: datetime) -> Transfer | None:
    """Give the welcome credits; None where the site gives none. Again: nothing changes."""
    credits = settings.WELCOME_CREDITS
    if credits <= 0:
        return None
    key = f"welcome:{user_id}"
    given = Transfer.objects.filter(key=key).first()  # whatever the setting was then
    if given is not None:
        return given
    amounts = {accounts.house(House.GIFTS).id: -credits, accounts.of_user(user_id).id: credits}
    return transfers.post(key, transfers.Cause(CODE), amounts, now)
