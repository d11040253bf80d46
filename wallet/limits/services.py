"""Set limits: a tighter one takes effect at once, a looser one a week later.

Locks the member, then the member's wallet account, as every service that reserves credits does. So
a stake that is reserved at the same time sees the new limit, or is seen here and given back.
"""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from accounts.people.locks import lock_people, lock_unclosed
from accounts.shared.transactions import write_transaction
from wallet.limits import reservations, spending
from wallet.limits.guards import guard_of
from wallet.limits.rules import LOSSES, OF_STAKES, WAIT, Kind, is_tighter
from wallet.models import Hold, Limit, LimitChange, PlayChoices
from wallet.services import accounts
from wallet.services.locking import lock


def set_limits(user_id: int, wanted: Mapping[Kind, int | None], now: datetime) -> list[Kind]:
    """Set limits, None for no limit; return the kinds that will be looser only after WAIT.

    Reserved stakes and fees that a tighter limit no longer allows are given back. Nothing is stored
    for a closed account.
    """
    for gives_back in (False, True):
        with write_transaction():
            if not lock_unclosed(user_id):
                return []
            if gives_back:
                reservations.give_back(Limit, user_id, now)
            lock([accounts.of_user(user_id).id])
            tightened, waiting = _write(user_id, wanted, now)
            is_over = bool(tightened & OF_STAKES) and _reserves_too_much(user_id, now)
            if gives_back or not is_over:
                return waiting
            # Start again: `give_back` locks announced games, which are locked before accounts.
            transaction.set_rollback(True)
    raise AssertionError("the second pass returns")


def keep(user_id: int, kind: Kind, now: datetime) -> bool:
    """Cancel a change that is still to come; return whether there was one."""
    with write_transaction():
        lock_people(user_id)
        limit = Limit.objects.filter(user_id=user_id, kind=kind).first()
        if limit is None or not limit.waits_at(now):
            return False
        _change(limit, limit.amount, now)
        return True


def choose_reminder(user_id: int, minutes: int) -> None:
    with write_transaction():
        PlayChoices.objects.update_or_create(
            user_id=user_id, defaults={"reminder_minutes": minutes}
        )


def answer_reminder(user_id: int, now: datetime) -> None:
    """Begin to count the minutes to the next reminder."""
    with write_transaction():
        PlayChoices.objects.update_or_create(user_id=user_id, defaults={"reminded_at": now})


def confirm_age(user_id: int, now: datetime) -> None:
    """Store that the member confirmed that they are old enough. Idempotent."""
    with write_transaction():
        choices, _ = PlayChoices.objects.get_or_create(user_id=user_id)
        if choices.adult_at is None:
            choices.adult_at = now
            choices.save(update_fields=["adult_at"])


def forget(user_id: int) -> None:
    """Delete the limits and choices of a closing account; exclusions stay."""
    for model in (Limit, LimitChange, PlayChoices):
        model.objects.filter(user_id=user_id).delete()


def _write(
    user_id: int, wanted: Mapping[Kind, int | None], now: datetime
) -> tuple[set[Kind], list[Kind]]:
    """Write the changes; return the kinds that are tighter now, and those that get looser later."""
    known = {Kind(each.kind): each for each in Limit.objects.filter(user_id=user_id)}
    tightened, waiting = set(), []
    for kind, amount in wanted.items():
        limit = known.get(kind) or Limit(user_id=user_id, kind=kind)
        present = limit.amount_at(now)
        if amount == present:
            if limit.waits_at(now):
                _change(limit, amount, now)
        elif is_tighter(amount, present):
            _change(limit, amount, now)
            tightened.add(kind)
        elif _loosen(limit, amount, now):
            waiting.append(kind)
    return tightened, waiting


def _change(limit: Limit, amount: int | None, now: datetime) -> None:
    limit.amount, limit.next_amount, limit.next_at = amount, None, None
    limit.save()
    _record(limit, amount, now, now)


def _loosen(limit: Limit, amount: int | None, now: datetime) -> bool:
    """Plan a looser limit; return False if it is planned already.

    If it is tighter than the limit planned before, keep the planned date.
    """
    if limit.waits_at(now):
        if amount == limit.next_amount:
            return False
        keeps_date = is_tighter(amount, limit.next_amount)
    else:
        limit.amount, keeps_date = limit.amount_at(now), False
    limit.next_amount = amount
    limit.next_at = limit.next_at if keeps_date else now + WAIT
    limit.save()
    assert limit.next_at is not None
    _record(limit, amount, now, limit.next_at)
    return True


def _record(limit: Limit, amount: int | None, now: datetime, holds_from: datetime) -> None:
    LimitChange.objects.create(
        user_id=limit.user_id, kind=limit.kind, amount=amount, made_at=now, holds_from=holds_from
    )


def _reserves_too_much(user_id: int, now: datetime) -> bool:
    """Return whether the open holds break the stake limit or, with the losses, a loss limit."""
    amounts = guard_of(user_id, now).amounts
    held = Hold.objects.filter(account__user_id=user_id, state=Hold.State.OPEN)
    if not held.exists():
        return False
    if Kind.STAKE in amounts and held.filter(amount_credits__gt=amounts[Kind.STAKE]).exists():
        return True
    limits = {LOSSES[kind]: amounts[kind] for kind in LOSSES if kind in amounts}
    lost = spending.lost(user_id, list(limits), now) if limits else {}
    return any(lost[window] > limit for window, limit in limits.items())
