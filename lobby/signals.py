"""Signals for the apps above, sent after the commit."""

from django.dispatch import Signal

# A member was challenged. user_id: int, the challenged; by_id: int; public_id: str, of the Seek if
# stake_credits: int is above 0, else of the Invitation.
challenged = Signal()
