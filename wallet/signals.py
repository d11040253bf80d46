"""Signals for the apps above: ids only, sent inside the transaction."""

from django.dispatch import Signal

# Both are sent in one transaction (`wallet/limits/reservations.py`) when a member's break begins,
# or when a limit that the member tightened no longer allows what they have reserved. Both have the
# arguments user_id: int and now: datetime.

# Sent first. Receivers lock the rows that they change on `reservations_ending`, in the lock order
# that the docstring of `accounts/shared/transactions.py` states. They lock no wallet account:
# accounts come last in that order, and the next receiver still has rows to lock.
reservations_locking = Signal()
# Sent second. Receivers give back the credits that the member has reserved for something that has
# not begun, and end what would reserve more: announced games, searches and places in tournaments.
reservations_ending = Signal()
