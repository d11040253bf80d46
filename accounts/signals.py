"""What accounts tells the apps above it. Ids only, sent inside the transaction."""

from django.dispatch import Signal

member_activated = Signal()  # user_id: int; once in a member's life
# user_id: int. A receiver that cannot let the member go raises `accounts.services.closing.Refused`.
member_closing = Signal()
member_banned = Signal()  # user_id: int; by staff, who may let him in again
