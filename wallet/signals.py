"""Signals for the apps above: ids only, sent inside the transaction."""

from django.dispatch import Signal

# user_id: int, now: datetime. Sent before `reservations_ending`, in the same transaction. Receivers
# lock the rows that they change on `reservations_ending`, in the order of `write_transaction`, but
# no wallet account: the next receiver would lock its rows after the account, against that order.
reservations_locking = Signal()
# user_id: int, now: datetime. Receivers give back the credits that the member has reserved for
# something that has not begun, and end what would reserve more: announced games, searches, entries.
reservations_ending = Signal()
