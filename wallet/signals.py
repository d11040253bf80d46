"""Signals for the apps above: ids only, sent inside the transaction."""

from django.dispatch import Signal

# user_id: int, now: datetime. Sent before `reservations_ending`, in the same transaction: lock what
# that will change, in the order of `write_transaction`, and no wallet account. A receiver that
# locked one before the next app's rows would deadlock with those who lock the rows first.
reservations_locking = Signal()
# user_id: int, now: datetime. Give back what the member has reserved for something that has not
# begun, and end what would reserve more: announced games, searches, entries.
reservations_ending = Signal()
