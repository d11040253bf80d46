"""Signals for the apps above, sent after the commit."""

from django.dispatch import Signal

# A member was challenged. user_id: int, the challenged; by_id: int; public_id: str, of the Seek if
# stake_credits: int is above 0, else of the Invitation.
challenged = Signal()

# A game appeared that a member who is not here wishes for. user_id: int; wish_id: str, public id of
# the WishedGame; public_id: str, of the Seek if stake_credits: int is above 0, else of the Search.
# At most once an hour for a wish.
wished_game = Signal()
