"""Give back the credits that a member has reserved for something that has not begun."""

from datetime import datetime

from wallet.models import Exclusion, Limit
from wallet.signals import reservations_ending, reservations_locking


def give_back(sender: type[Exclusion | Limit], user_id: int, now: datetime) -> None:
    """Let the other apps release these credits, in the caller's transaction.

    First they all lock their rows that reserve credits: announced games, searches, places in
    tournaments. The caller must not have locked a wallet account yet.
    """
    for signal in (reservations_locking, reservations_ending):
        signal.send(sender=sender, user_id=user_id, now=now)
