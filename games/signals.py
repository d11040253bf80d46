"""Signals of games for the apps above: ids and moments only, sent inside the transaction."""

from django.dispatch import Signal

match_started = Signal()  # match_id: int
match_finished = Signal()  # match_id: int
match_reviewed = Signal()  # match_id: int
seats_adopted = Signal()  # match_ids: list[int]; a guest's seats became a member's
# guest: UUID. Somebody signs in with the guest's browser, so nobody acts as the guest there any
# more. Sent before seats are adopted.
guest_leaving = Signal()
# user_ids: list[int], guests: list[UUID], now: datetime. These two, members or guests, have agreed
# on a rematch; the match is created next, in the same transaction. Sent before their wallet
# accounts are locked, so that a receiver may lock rows that come earlier in the order of locks. A
# receiver must not refuse the match.
match_agreed = Signal()
