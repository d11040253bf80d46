"""Gifts: credits for a member with few, once in a window of time.

The window belongs to the person, like the welcome credits: it is stored under the hashes of the
member's mailbox and of their accounts at other sites.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.members import identities
from accounts.models import NoticeKind, User
from accounts.notices import services as notices
from accounts.notices.services import Event
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from shop.gift_terms import CAUSE, credits_of, days_in_a_row, newest, wait_s
from shop.models import LastGift
from shop.selectors import gifts_of
from wallet.limits.checks import need_gift_allowed
from wallet.money import House
from wallet.selectors import funds_in
from wallet.services import accounts, gift_switch, transfers
from wallet.services.locking import lock

# A notice that could not be sent within this time is dropped.
NOTICE_LASTS = timedelta(hours=4)


def take(user: User, now: datetime) -> int:
    """Give the member a gift; return its credits.

    Raises Refused: `not_member`, `gift_off`, `gift_unproved` (no mailbox or other identity),
    `gift_enough`, `gift_wait` with `wait_s`, `credits_frozen`, or OwnLimit during the member's
    break. A refused gift changes nothing.
    """
    if not user.is_member:
        raise Refused("not_member")
    if not gift_switch.is_given(CAUSE):
        raise Refused("gift_off")
    with write_transaction():
        last = _open_window(user, now)
        gifts, account = accounts.house(House.GIFTS), accounts.of_user(user.pk)
        locked = lock([account.id])[account.id]
        need_gift_allowed(user.pk, now)
        if funds_in(locked).total >= settings.GIFT_BELOW:
            raise Refused("gift_enough")
        given = credits_of(last, now)
        # No two windows of a member begin in the same hour: GIFT_HOURS is at least 1.
        key = f"gift:{user.pk}:{int(now.timestamp()) // 3600}"
        transfers.post(key, transfers.Cause(CAUSE), {gifts.id: -given, account.id: given}, now)
        _plan_notice(user, now + timedelta(hours=settings.GIFT_HOURS), now)
        return given


def _plan_notice(user: User, ready_at: datetime, now: datetime) -> None:
    """Plan the notice of the next gift; it is not sent if the member has enough credits by then."""
    key = f"gift:{int(ready_at.timestamp())}"
    event = Event(NoticeKind.GIFT, "shop:gifts", "", ready_at + NOTICE_LASTS, key)
    notices.plan(user.pk, event, ready_at, now)


def _open_window(user: User, now: datetime) -> LastGift | None:
    """Store the gift under every digest of the person; return the gift before it.

    Identities that the account has given up count too: otherwise a member could exchange one to get
    a gift.
    """
    digests = identities.digests_of_user(user.pk)
    if not digests:
        raise Refused("gift_unproved")
    rows = gifts_of(digests, user.pk).select_for_update().order_by("digest")
    known = list(rows)
    last = newest(known)
    if wait := wait_s(last, now):
        raise Refused("gift_wait", wait_s=wait)
    new = {"user": user, "taken_at": now, "days": days_in_a_row(last, now)}
    missing = sorted(set(digests) - {row.digest for row in known})
    try:
        with transaction.atomic():
            LastGift.objects.bulk_create(LastGift(digest=each, **new) for each in missing)
    except IntegrityError as error:  # taken meanwhile by another account of this person
        window = timedelta(hours=settings.GIFT_HOURS)
        raise Refused("gift_wait", wait_s=int(window.total_seconds())) from error
    rows.update(**new)
    return last
