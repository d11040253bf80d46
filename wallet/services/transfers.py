"""Move credits: balanced, once per key, never more than is available."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from django.db import IntegrityError, transaction
from django.db.models import F

from wallet import broadcast, causes
from wallet.errors import Frozen, InsufficientFunds, KeyReused, WalletError, WrongAmount
from wallet.models import Account, Entry, Transfer
from wallet.money import check_credits
from wallet.selectors import is_frozen
from wallet.services.field_limits import need_fit
from wallet.services.locking import lock, need_transaction


@dataclass(frozen=True, slots=True)
class Cause:
    """The reason for moving credits; see the fields of Transfer."""

    code: str
    reference: str = ""
    reason: str = ""
    by_id: int | None = None
    reverses_id: int | None = None


def post(key: str, cause: Cause, amounts: Mapping[int, int], now: datetime) -> Transfer:
    """Move credits between accounts; `amounts` are credits by account id and sum to zero.

    Idempotent: the same key and content return the first transfer. Raises InsufficientFunds,
    KeyReused, NotInTransaction, WrongAmount for amounts that do not balance or are zero,
    WalletError for texts that do not fit, and Frozen, except for corrections. On an error nothing
    has changed.
    """
    need_transaction()
    check(key, cause, amounts)
    if cause.reverses_id is not None and amounts != _opposite(cause.reverses_id):
        raise WrongAmount(f"these are not the opposite amounts of transfer {cause.reverses_id}")
    return _post(key, cause, amounts, now)


def reverse(transfer_id: int, reason: str, by_id: int | None, now: datetime) -> Transfer:
    """Undo a transfer, or a reversal, once, by the opposite transfer.

    Holds that the undone transfer captured stay captured; their credits become available. Raises
    what `post` raises, WalletError if there is no reason, and Transfer.DoesNotExist.
    """
    need_transaction()
    if not reason.strip():
        raise WalletError("a correction needs a reason")
    key = f"reverse:{transfer_id}"
    cause = Cause(causes.CORRECTION, reason=reason, by_id=by_id, reverses_id=transfer_id)
    check_texts(key, cause)
    return _post(key, cause, _opposite(transfer_id), now)


def _post(key: str, cause: Cause, amounts: Mapping[int, int], now: datetime) -> Transfer:
    accounts = lock(amounts)
    done = find_same(key, cause, amounts)
    if done is not None:
        return done
    if cause.code != causes.CORRECTION and is_frozen():
        raise Frozen
    for account_id, amount in amounts.items():
        need_available(accounts[account_id], -amount)
    return write(key, cause, amounts, accounts, now)


def _opposite(transfer_id: int) -> dict[int, int]:
    entries = Entry.objects.filter(transfer_id=transfer_id)
    amounts = dict(entries.values_list("account_id", "amount_credits"))
    if not amounts:
        raise Transfer.DoesNotExist(f"no transfer {transfer_id}")
    return {account_id: -amount for account_id, amount in amounts.items()}


def check(key: str, cause: Cause, amounts: Mapping[int, int]) -> None:
    """Raise WalletError for texts that do not fit, WrongAmount for amounts that do not balance."""
    check_texts(key, cause)
    _check_amounts(amounts)


def check_texts(key: str, cause: Cause) -> None:
    """Raise WalletError for texts that are missing or too long."""
    if not key or not cause.code:
        raise WalletError("an event of the ledger needs a key and a cause")
    need_fit(Transfer, key=key, cause=cause.code, reference=cause.reference, reason=cause.reason)


def _check_amounts(amounts: Mapping[int, int]) -> None:
    for amount in amounts.values():
        check_credits(-amount if type(amount) is int and amount < 0 else amount)
    if len(amounts) < 2 or sum(amounts.values()) != 0:
        raise WrongAmount(f"the amounts of a transfer must sum to zero: {amounts}")


def need_available(account: Account, credits: int) -> None:
    """Raise InsufficientFunds if an account other than the house's lacks the credits."""
    if account.kind == Account.Kind.HOUSE or credits <= 0:
        return
    if account.available_credits < credits:
        raise InsufficientFunds(account.id, credits, account.available_credits)


def find_same(
    key: str, cause: Cause, amounts: Mapping[int, int], hold_ids: Set[int] = frozenset()
) -> Transfer | None:
    """Return the transfer of this key, or None; raise KeyReused if the key is another event's."""
    done = Transfer.objects.filter(key=key).first()
    if done is None:
        return None
    found = (
        (done.cause, done.reference, done.reverses_id),
        dict(done.entries.values_list("account_id", "amount_credits")),
        set(done.holds.values_list("id", flat=True)),
    )
    wanted = ((cause.code, cause.reference, cause.reverses_id), dict(amounts), hold_ids)
    if found != wanted:
        raise KeyReused(f"the key {key} belongs to another transfer")
    return done


def write(
    key: str,
    cause: Cause,
    amounts: Mapping[int, int],
    locked: Mapping[int, Account],
    now: datetime,
    freed: Mapping[int, int] = MappingProxyType({}),
) -> Transfer:
    """Write a checked transfer to its locked accounts. For this package only.

    `freed` maps account ids to credits that open holds no longer reserve. Every error is raised
    before the first write, so that the caller may continue its transaction.
    """
    try:
        with transaction.atomic():
            done = _insert(key, cause, now)
    except IntegrityError as error:
        # Written concurrently by a caller that locked none of our accounts.
        same = find_same(key, cause, amounts)
        if same is None:
            raise KeyReused(f"transfer {cause.reverses_id} is reversed already") from error
        return same
    ordered = sorted(amounts.items())
    is_gift = cause.code in causes.codes_of(causes.GIFTS)
    Entry.objects.bulk_create(
        Entry(transfer=done, account_id=account_id, amount_credits=amount)
        for account_id, amount in ordered
    )
    for account_id, amount in ordered:
        if locked[account_id].kind != Account.Kind.HOUSE:
            Account.objects.filter(id=account_id).update(
                balance_credits=F("balance_credits") + amount,
                held_credits=F("held_credits") - freed.get(account_id, 0),
                given_credits=F("given_credits") + (amount if is_gift else 0),
            )
    broadcast.after_commit(locked[account_id] for account_id, _ in ordered)
    return done


def _insert(key: str, cause: Cause, now: datetime) -> Transfer:
    return Transfer.objects.create(
        key=key,
        cause=cause.code,
        reference=cause.reference,
        reason=cause.reason,
        by_id=cause.by_id,
        reverses_id=cause.reverses_id,
        created_at=now,
    )
