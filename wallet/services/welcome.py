"""Welcome credits: `give` the first part after activation, `give_next` each later part.

Both must run in the caller's transaction.
"""

from datetime import datetime

from django.conf import settings

from wallet import causes
from wallet.models import Transfer, WelcomeGift
from wallet.money import House
from wallet.services import accounts, owed, transfers
from wallet.services.locking import lock

STEP_CODE = "welcome_step"  # cause of each later part
# Credits given at once, and with each later part: ten games at the smallest stake.
PART_CREDITS = 100


def give(user_id: int, now: datetime) -> Transfer | None:
    """Give the first part once.

    Return None if WELCOME_CREDITS is 0 or the part has to wait for the end of a freeze. Creates the
    member's account in any case, so that later writers find it.
    """
    gifts, account = accounts.house(House.GIFTS), accounts.of_user(user_id)
    lock([account.id])
    key = f"welcome:{user_id}"
    given = Transfer.objects.filter(key=key).first()  # even if the setting has changed since
    total = settings.WELCOME_CREDITS
    if given is not None or total <= 0 or owed.is_waiting(key):
        return given
    part = min(PART_CREDITS, total)
    WelcomeGift.objects.create(user_id=user_id, total_credits=total, given_credits=part)
    amounts = {gifts.id: -part, account.id: part}
    return owed.pay(key, transfers.Cause(causes.WELCOME), amounts, now)


def give_next(user_id: int, reference: str, now: datetime) -> Transfer | None:
    """Give the next part, once for each reference.

    Return None when nothing is left to give or the part has to wait for the end of a freeze.
    """
    gifts, account = accounts.house(House.GIFTS), accounts.of_user(user_id)
    lock([account.id])
    key = f"welcome:{user_id}:{reference}"
    given = Transfer.objects.filter(key=key).first()
    gift = WelcomeGift.objects.filter(user_id=user_id).first()
    if given is not None or gift is None or not gift.waiting_credits or owed.is_waiting(key):
        return given
    part = min(PART_CREDITS, gift.waiting_credits)
    gift.given_credits += part
    gift.save(update_fields=["given_credits"])
    amounts = {gifts.id: -part, account.id: part}
    return owed.pay(key, transfers.Cause(STEP_CODE, reference), amounts, now)
