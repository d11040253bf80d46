"""End an announcement without a match: cancel, decline, or remove it as staff."""

from collections.abc import Collection
from datetime import datetime

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.stakes import escrow
from lobby import broadcast
from lobby.models import Seek
from lobby.services import notices


def cancel(public_id: str, owner: User, now: datetime) -> Seek:
    """Take an announcement back. Idempotent. Raises Refused("gone") if it was joined."""
    with write_transaction():
        seek = Seek.objects.select_for_update(no_key=True).filter(
            public_id=public_id, owner=owner
        ).first()  # fmt: skip
        if seek is None or seek.state == Seek.State.JOINED:
            raise Refused("gone")
        if seek.state == Seek.State.OPEN:
            close(seek, Seek.State.CANCELED, now)
    return seek


def decline(public_id: str, person: User, now: datetime) -> Seek:
    """Decline a challenge; its owner is notified and gets the stake back.

    Idempotent. Raises Refused("gone") if it is over or the person was not challenged.
    """
    with write_transaction():
        seek = Seek.objects.select_for_update(no_key=True).filter(
            public_id=public_id, invited=person
        ).first()  # fmt: skip
        if seek is None or seek.state not in (Seek.State.OPEN, Seek.State.DECLINED):
            raise Refused("gone")
        if seek.state == Seek.State.OPEN:
            close(seek, Seek.State.DECLINED, now)
    return seek


def end_between(person_id: int, other_id: int, now: datetime) -> None:
    """Decline the other's challenge to the person, and cancel the person's to the other.

    Runs in the caller's transaction, which has locked both members.
    """
    pair = (person_id, other_id)
    rows = Seek.objects.select_for_update(no_key=True).filter(state=Seek.State.OPEN)
    found = list(rows.filter(owner__in=pair, invited__in=pair).order_by("id"))
    if found:
        escrow.lock_accounts([seek.owner_id for seek in found])
    for seek in found:
        is_own = seek.owner_id == person_id
        close(seek, Seek.State.CANCELED if is_own else Seek.State.DECLINED, now)


def remove(seek_id: int, reason: str, now: datetime) -> bool:
    """Take an announcement back as staff, with a reason for its owner.

    Return False if it was over already.
    """
    with write_transaction():
        waiting = Seek.objects.select_for_update(no_key=True).filter(state=Seek.State.OPEN)
        seek = waiting.filter(pk=seek_id).first()
        if seek is None:
            return False
        seek.removed_because = reason
        seek.save(update_fields=["removed_because"])
        close(seek, Seek.State.REMOVED, now)
    return True


def withdraw(owner_ids: Collection[int], now: datetime) -> None:
    """Take back the announcements of these members, in the caller's transaction.

    Locks the announcements first, then all accounts, as joining does.
    """
    waiting = lock_open(owner_ids)
    waiting += lock_accounts_and_new_seeks(owner_ids, waiting)
    for seek in waiting:
        close(seek, Seek.State.CANCELED, now)


def lock_open(owner_ids: Collection[int]) -> list[Seek]:
    """Lock and return the members' open announcements; their accounts are locked after this."""
    rows = Seek.objects.select_for_update(no_key=True)
    return list(rows.filter(owner__in=owner_ids, state=Seek.State.OPEN).order_by("id"))


def lock_accounts_and_new_seeks(user_ids: Collection[int], locked: Collection[Seek]) -> list[Seek]:
    """Lock the members' accounts, then lock and return their open seeks that `locked` lacks.

    Announcing locks the account, so nothing is announced after this. Skips a seek that is being
    joined: its joiner waits for one of these accounts and will be refused.
    """
    escrow.lock_accounts(user_ids)
    rows = Seek.objects.select_for_update(no_key=True, skip_locked=True)
    waiting = rows.filter(owner__in=user_ids, state=Seek.State.OPEN)
    return list(waiting.exclude(pk__in=[seek.pk for seek in locked]))


def close(seek: Seek, state: Seek.State, now: datetime) -> None:
    """End an announcement without a match and release its stake."""
    seek.state, seek.closed_at = state, now
    seek.save(update_fields=["state", "closed_at"])
    escrow.release(seek.hold_id, now)
    notices.drop_challenge(seek)
    broadcast.seek_changed(seek)
