"""Signals for the apps above: ids only, sent inside the transaction."""

from django.dispatch import Signal

# user_id: int, now: datetime. Give back what the member has reserved for something that has not
# begun, and end what would reserve more: announced games, searches, entries. Receivers lock in the
# order of `write_transaction`, the wallet last.
reservations_ending = Signal()
