"""Moving credits: balanced, once for each key, never below what is available."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import F

from wallet import broadcast
from wallet.models import Account, Entry, Transfer
from wallet.money import InsufficientFunds, KeyReused, WalletError
from wallet.services.locking import lock


@dataclass(frozen=True, slots=True)
class Cause:
    """Why credits move; see the fields of Transfer."""

    code: str
    reference: str = ""
    reason: str = ""
    by_id: int | None = None
    reverses_id: int | None = None


def post(key: str, cause: Cause, amounts: Mapping[int, int], now: datetime) -> Transfer:
    """Move credits between accounts; `amounts` are credits by account id and sum to zero.

    The same key with the same content again changes nothing and returns the first transfer.
    Raises InsufficientFunds, KeyReused, NotInTransaction, or WalletError for amounts that do not
    balance or are zero.
    """
    _check(amounts)
    accounts = lock(amounts)
    done = find_same(key, cause, amounts)
    if done is not None:
        return done
    for account_id, amount in amounts.items():
        need_available(accounts[account_id], -amount)
    return write(key, cause, amounts, now)


def reverse(transfer_id: int, reason: str, by_id: int | None, now: datetime) -> Transfer:
    """Undo a transfer by its opposite, once. Raises as `post` does."""
    amounts = {
        entry.account_id: -entry.amount_credits
        for entry in Entry.objects.filter(transfer_id=transfer_id)
    }
    cause = Cause("correction", reason=reason, by_id=by_id, reverses_id=transfer_id)
    return post(f"reverse:{transfer_id}", cause, amounts, now)


def _check(amounts: Mapping[int, int]) -> None:
    if len(amounts) < 2 or sum(amounts.values()) != 0 or not all(amounts.values()):
        raise WalletError(f"the amounts of a transfer sum to zero and none is zero: {amounts}")


def need_available(account: Account, credits: int) -> None:
    """Raises InsufficientFunds when the account cannot spare so much. The house always can."""
    if account.kind == Account.Kind.HOUSE or credits <= 0:
        return
    if account.available_credits < credits:
        raise InsufficientFunds(account.id, credits, account.available_credits)


def find_same(key: str, cause: Cause, amounts: Mapping[int, int]) -> Transfer | None:
    """The transfer of this key, if there is one. Raises KeyReused when it is another event."""
    done = Transfer.objects.filter(key=key).first()
    if done is None:
        return None
    entries = dict(done.entries.values_list("account_id", "amount_credits"))
    is_same = (done.cause, done.reference, done.reverses_id) == (
        cause.code,
        cause.reference,
        cause.reverses_id,
    )
    if not is_same or entries != dict(amounts):
        raise KeyReused(f"{key} stands for another transfer")
    return done


def write(key: str, cause: Cause, amounts: Mapping[int, int], now: datetime) -> Transfer:
    """Write a checked transfer over locked accounts. For this package only."""
    try:
        with transaction.atomic():
            done = Transfer.objects.create(
                key=key,
                cause=cause.code,
                reference=cause.reference,
                reason=cause.reason,
                by_id=cause.by_id,
                reverses_id=cause.reverses_id,
                created_at=now,
            )
    except IntegrityError as error:
        # Written in between by somebody who locked none of our accounts.
        same = find_same(key, cause, amounts)
        if same is None:
            raise KeyReused(f"transfer {cause.reverses_id} is reversed already") from error
        return same
    ordered = sorted(amounts.items())
    Entry.objects.bulk_create(
        Entry(transfer=done, account_id=account_id, amount_credits=amount)
        for account_id, amount in ordered
    )
    for account_id, amount in ordered:
        Account.objects.filter(id=account_id).exclude(kind=Account.Kind.HOUSE).update(
            balance_credits=F("balance_credits") + amount
        )
    transaction.on_commit(partial(broadcast.balances_changed, [id for id, _ in ordered]))
    return done
