"""Give back the credits that a member has reserved for something that has not begun."""

from datetime import datetime

from wallet.models import Exclusion, Limit
from wallet.signals import reservations_ending, reservations_locking


def give_back(sender: type[Exclusion | Limit], user_id: int, now: datetime) -> None:
    """Lock all the reserving rows, then release the credits, in the caller's transaction.

    The caller must not have locked a wallet account yet.
    """
    for signal in (reservations_locking, reservations_ending):
        signal.send(sender=sender, user_id=user_id, now=now)
