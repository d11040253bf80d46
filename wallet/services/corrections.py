"""Staff corrections: new transfers with a reason. Stored transfers never change.

Each correction is an ordinary transfer, visible on the member's statement and in the admin's
history.
"""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.shared.staff.log import log_change
from wallet import causes
from wallet.errors import Vetoed, WalletError
from wallet.models import Account, Entry, Transfer
from wallet.money import House
from wallet.services import accounts, transfers
from wallet.services.locking import lock, need_transaction


def correct(
    key: str, account_id: int, credits: int, reason: str, by_id: int, now: datetime
) -> Transfer:
    """Add credits to an account, or take available ones, against the house account CORRECTION.

    `key` comes from the form: a form that is sent twice corrects once. `by_id` is the user id of
    the staff member. Must run in the caller's transaction. Raises what `transfers.post` raises,
    WalletError if there is no reason, and Vetoed for a pot and for the staff member's own account.
    """
    need_transaction()
    if not reason.strip():
        raise WalletError("a correction needs a reason")
    balancing = accounts.house(House.CORRECTION)
    account = lock([account_id])[account_id]
    if account.kind == Account.Kind.POT:
        raise Vetoed(causes.veto_of_pot())
    if account.user_id == by_id:
        raise Vetoed(_veto_of_own())
    is_new = not Transfer.objects.filter(key=f"correct:{key}").exists()
    cause = transfers.Cause(causes.CORRECTION, reason=reason, by_id=by_id)
    amounts = {balancing.id: -credits, account_id: credits}
    done = transfers.post(f"correct:{key}", cause, amounts, now)
    if is_new:
        message = _("Corrected by %(credits)s: %(reason)s")
        log_change(account, by_id, message % {"credits": f"{credits:+d}", "reason": reason}, now)
    return done


def reverse(transfer_id: int, reason: str, by_id: int, now: datetime) -> Transfer:
    """Reverse a transfer once, and log it.

    Raises what `transfers.reverse` raises, and Vetoed if its cause still needs the credits or the
    transfer moved credits of the staff member's own account.
    """
    need_transaction()
    entries = Entry.objects.filter(transfer_id=transfer_id)
    lock(entries.values_list("account_id", flat=True))
    if entries.filter(account__user_id=by_id).exists():
        raise Vetoed(_veto_of_own())
    is_new = not Transfer.objects.filter(reverses_id=transfer_id).exists()
    reason_against = causes.veto_of(Transfer.objects.get(id=transfer_id)) if is_new else None
    if reason_against is not None:
        raise Vetoed(reason_against)
    done = transfers.reverse(transfer_id, reason, by_id, now)
    if is_new:
        message = _("Reversed: %(reason)s") % {"reason": reason}
        log_change(Transfer.objects.get(id=transfer_id), by_id, message, now)
    return done


def _veto_of_own() -> str:
    return _("This is your own account: another member of the staff has to do this.")
