"""Signals for the apps above: ids only, sent inside the transaction."""

from django.dispatch import Signal

member_activated = Signal()  # user_id: int, now: datetime; sent once per member
# user_id: int. A receiver refuses by raising `accounts.shared.refusals.Refused` with `why`.
member_closing = Signal()
# user_id: int. A member is about to ask to close the account. A receiver that knows already that it
# will refuse raises `Refused` with `why`; it writes nothing.
member_closing_asked = Signal()
# user_id: int, now: datetime. The user has proved a mailbox or an account of another site. Sent
# again at each sign-in, for all that the user proved before.
identities_proved = Signal()
# user_id: int. Sent before `member_banned`, in the same transaction. Receivers lock the rows that
# they will change at `member_banned`, in the order of `write_transaction`, but no wallet account.
member_banning = Signal()
member_banned = Signal()  # user_id: int; staff may unban later
# owner_id: int, blocked_id: int, now: datetime. Sent at each call of `blocks.block`, with both
# members locked.
member_blocked = Signal()
