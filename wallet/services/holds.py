"""Reserve credits: a hold is captured into an account or released, once."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F

from wallet import broadcast
from wallet.errors import Frozen, HoldResolved, KeyReused, WalletError
from wallet.models import Account, Hold, Transfer
from wallet.money import check_credits
from wallet.selectors import is_frozen
from wallet.services import transfers
from wallet.services.locking import lock, need_transaction
from wallet.services.transfers import Cause


def open(key: str, account_id: int, credits: int, cause: Cause, now: datetime) -> Hold:
    """Reserve credits of a user's account.

    Idempotent: the same key and content return the first hold, whatever its state now. Raises
    InsufficientFunds, KeyReused, NotInTransaction, WrongAmount, Frozen, or WalletError for another
    kind of account or texts that do not fit. On an error nothing has changed.
    """
    need_transaction()
    transfers.check_texts(key, cause)
    check_credits(credits)
    account = lock([account_id])[account_id]
    if account.kind != Account.Kind.USER:
        raise WalletError(f"account {account_id} is not a user's: nothing can be reserved there")
    same = _find_same(key, account_id, credits, cause)
    if same is not None:
        return same
    if is_frozen():
        raise Frozen
    transfers.need_available(account, credits)
    try:
        with transaction.atomic():
            hold = Hold.objects.create(
                key=key,
                account_id=account_id,
                amount_credits=credits,
                cause=cause.code,
                reference=cause.reference,
                created_at=now,
            )
    except IntegrityError as error:  # made concurrently, for another account
        raise KeyReused(f"the key {key} belongs to another hold") from error
    _change_held(account, credits)
    return hold


def capture(
    hold_ids: Iterable[int], into_id: int, key: str, cause: Cause, now: datetime
) -> Transfer:
    """Move the reserved credits into one other account, in one transfer.

    Idempotent: the same key with the same holds returns the first transfer. Raises HoldResolved
    if a hold was released or captured by another transfer, KeyReused, NotInTransaction,
    Hold.DoesNotExist, or WalletError if there is no hold or one is of the target account. On an
    error nothing has changed.
    """
    need_transaction()
    transfers.check_texts(key, cause)
    ids = set(hold_ids)
    wanted = Hold.objects.filter(id__in=ids)
    locked = lock([into_id, *wanted.values_list("account_id", flat=True)])
    holds = list(wanted.order_by("id"))  # read again under the lock
    if len(holds) != len(ids):
        raise Hold.DoesNotExist(f"not all of the holds {sorted(ids)} exist")
    reserved = _by_account(holds)
    if not reserved or into_id in reserved:
        raise WalletError(f"nothing to move into account {into_id} from another account")
    amounts = {id: -credits for id, credits in reserved.items()}
    amounts[into_id] = sum(reserved.values())
    same = transfers.find_same(key, cause, amounts, ids)
    if same is not None:
        return same
    _need_open(holds)
    done = transfers.write(key, cause, amounts, locked, now, freed=reserved)
    wanted.update(state=Hold.State.CAPTURED, transfer=done, resolved_at=now)
    return done


def release(hold_id: int, now: datetime) -> Hold:
    """Release a hold; raise HoldResolved if it was captured. Idempotent."""
    need_transaction()
    account_id = Hold.objects.values_list("account_id", flat=True).get(id=hold_id)
    account = lock([account_id])[account_id]
    hold = Hold.objects.get(id=hold_id)
    if hold.state == Hold.State.RELEASED:
        return hold
    _need_open([hold])
    hold.state, hold.resolved_at = Hold.State.RELEASED, now
    hold.save(update_fields=["state", "resolved_at"])
    _change_held(account, -hold.amount_credits)
    return hold


def _by_account(holds: Iterable[Hold]) -> Counter[int]:
    reserved: Counter[int] = Counter()
    for hold in holds:
        reserved[hold.account_id] += hold.amount_credits
    return reserved


def _need_open(holds: Iterable[Hold]) -> None:
    for hold in holds:
        if hold.state != Hold.State.OPEN:
            raise HoldResolved(f"hold {hold.key} is {hold.state}")


def _find_same(key: str, account_id: int, credits: int, cause: Cause) -> Hold | None:
    hold = Hold.objects.filter(key=key).first()
    if hold is None:
        return None
    found = (hold.account_id, hold.amount_credits, hold.cause, hold.reference)
    if found != (account_id, credits, cause.code, cause.reference):
        raise KeyReused(f"the key {key} belongs to another hold")
    return hold


def _change_held(account: Account, credits: int) -> None:
    Account.objects.filter(id=account.id).update(held_credits=F("held_credits") + credits)
    broadcast.after_commit([account])
